package semconv

import (
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// usageList is the usage sent with a span. Kinds are distinct.
type usageList []domain.UsageEntry

func (u usageList) find(kind string) int {
	for i := range u {
		if u[i].Kind == kind {
			return i
		}
	}
	return -1
}

func (u usageList) has(kind string) bool { return u.find(kind) >= 0 }

// units returns the count of a kind, or 0.
func (u usageList) units(kind string) int64 {
	if i := u.find(kind); i >= 0 {
		return u[i].Units
	}
	return 0
}

// set adds a kind or replaces its count.
func (u *usageList) set(kind string, units int64) {
	if i := u.find(kind); i >= 0 {
		(*u)[i].Units = units
	} else if len(*u) < maxKinds {
		*u = append(*u, domain.UsageEntry{Kind: kind, Units: units})
	}
}

// setCount sets a kind to the value of an attribute if that is a valid count. Other values are ignored.
func (m *Mapper) setCount(kind string, v *otlp.Value) {
	number, ok := numberOf(v)
	if number < 0 {
		m.warnNegative("usage", kind, number)
	}
	if n, ok := wholeCount(number, ok); ok {
		m.usage.set(kind, n)
	}
}

// remaining subtracts parts from a count, down to zero.
func remaining(n int64, parts ...int64) int64 {
	for _, p := range parts {
		n = max(0, n-p)
	}
	return n
}

// readUsage finds the usage: explicit counts, those of a convention, or all attributes about usage.
func (m *Mapper) readUsage() {
	m.usage = m.usage[:0]
	if m.summary {
		return
	}
	if v := m.span.at(keyUsageDetails); truthy(v) {
		j, ok := jsonOf(v)
		if ok {
			m.explicitUsage(j)
		}
		if ok || !isText(v) {
			return
		}
	}
	switch {
	case m.scopeName == genkitScope:
		if m.genkitUsage(); len(m.usage) > 0 {
			return
		}
	case m.scopeName == vercelScope:
		if m.vercelUsage() {
			return
		}
	case m.scopeName == vertexScope && m.span.at(keyVertexResponse) != nil:
		m.vertexUsage()
		return
	}
	m.genericUsage()
}

// openAIUsage has the member names of OpenAI's two usage formats. In these, detail counts are included in the counts
// they belong to; here they are not.
var openAIUsage = [...]struct{ input, output, inputDetails, outputDetails string }{
	{"prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details"},
	{"input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details"},
}

// explicitUsage reads a JSON object of counts.
func (m *Mapper) explicitUsage(j jsonText) {
	for i := range openAIUsage {
		if n := &openAIUsage[i]; isOpenAIUsage(j, n.input, n.output, n.inputDetails, n.outputDetails) {
			input, _ := j.get(n.input).count()
			output, _ := j.get(n.output).count()
			total, _ := j.get("total_tokens").count()
			m.usage.set("input", input)
			m.usage.set("output", output)
			m.usage.set("total", total)
			m.setDetails("input", j.get(n.inputDetails))
			m.setDetails("output", j.get(n.outputDetails))
			return
		}
	}
	seen := 0
	for c := j.members(); c.Next() && seen < maxSeenKinds; seen++ {
		if n, ok := c.value().count(); ok {
			m.usage.set(c.Key(), n)
		} else if n, ok := leadingCount(c.value().str()); ok {
			m.usage.set(c.Key(), n)
		} else if number, _ := c.value().number(); number < 0 {
			m.warnNegative("usage", c.Key(), number)
		}
	}
}

// isOpenAIUsage reports whether an object has the three counts, optional details, and nothing else.
func isOpenAIUsage(j jsonText, input, output, inputDetails, outputDetails string) bool {
	var hasInput, hasOutput, hasTotal bool
	for c := j.members(); c.Next(); {
		_, ok := c.value().count()
		switch c.Key() {
		case input:
			hasInput = true
		case output:
			hasOutput = true
		case "total_tokens":
			hasTotal = true
		case inputDetails, outputDetails:
			ok = c.value().isNull() || areDetails(c.value())
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return hasInput && hasOutput && hasTotal
}

func areDetails(j jsonText) bool {
	for c := j.members(); c.Next(); {
		if _, ok := c.value().count(); !ok && !c.value().isNull() {
			return false
		}
	}
	return j.isObject()
}

// setDetails adds the details of a count and subtracts them from it.
func (m *Mapper) setDetails(kind string, details jsonText) {
	seen := 0
	for c := details.members(); c.Next() && seen < maxSeenKinds; seen++ {
		n, ok := c.value().count()
		if !ok {
			continue
		}
		m.usage.set(m.arena.join(kind, "_", c.Key()), n)
		whole := m.usage.find(kind)
		m.usage[whole].Units = remaining(m.usage[whole].Units, n)
	}
}

// leadingCount parses the leading digits of a string, as JavaScript does.
func leadingCount(text string) (n int64, ok bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "+")
	end := jsontext.SkipDigits(text, 0)
	if end == 0 || end > 18 {
		return 0, false
	}
	for _, c := range []byte(text[:end]) {
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// concept is a count known by several names.
type concept uint8

const (
	inputCount concept = iota
	outputCount
	totalCount
	cacheReadCount
	cacheCreationCount
	reasoningCount
	audioCount
	conceptCount
)

// usageNames are the names of the concepts after "gen_ai.usage." and "llm.token_count.", in order of precedence.
var usageNames = [conceptCount][]string{
	inputCount:  {"prompt_tokens", "input_tokens", "prompt"},
	outputCount: {"completion_tokens", "output_tokens", "completion"},
	totalCount:  {"total_tokens", "total"},
	cacheReadCount: {
		"cache_read.input_tokens", "cache_read_input_tokens", "cache_read_tokens", "details.cache_read_tokens",
		"details.cache_read_input_tokens", "prompt_details.cache_read", "input_cached_tokens",
	},
	cacheCreationCount: {
		"cache_creation.input_tokens", "cache_write.input_tokens", "cache_creation_input_tokens", "cache_write_tokens",
		"details.cache_write_tokens",
		"details.cache_creation_input_tokens", "prompt_details.cache_write", "input_cache_creation",
	},
	reasoningCount: {"reasoning.output_tokens", "completion_details.reasoning"},
	audioCount:     {"completion_details.audio"},
}

type usageName struct {
	concept concept
	rank    int
}

var usageConcepts = func() map[string]usageName {
	all := make(map[string]usageName)
	for c, names := range usageNames {
		for rank, name := range names {
			all[name] = usageName{concept(c), rank}
		}
	}
	return all
}()

// genericUsage reads the attributes about usage. Clients include cached and reasoning tokens in input and output; here
// they are not included. Unknown names are kept as they are. Details, which Pydantic AI sends, are part of input and
// output and must not be counted twice: they are left out of the total, and reasoning tokens, which may have a price,
// are dropped.
func (m *Mapper) genericUsage() {
	a := &m.span
	if !a.has(usageCounts) {
		return
	}
	var found [conceptCount]struct {
		number float64
		rank   int
		set    bool
	}
	details := false
	for i := range a.list {
		x := &a.list[i]
		if x.family != usageCounts || x.key == keyGenAICost {
			continue
		}
		number, ok := numberOf(x.value)
		if number < 0 {
			m.warnNegative("usage", x.rest, number)
			continue
		}
		if !ok {
			continue
		}
		name, isConcept := usageConcepts[x.rest]
		if !isConcept {
			kind, isDetail := strings.CutPrefix(x.rest, "details.")
			details = details || isDetail
			if n, ok := wholeCount(number, true); ok {
				m.usage.set(kind, n)
			}
			continue
		}
		if f := &found[name.concept]; !f.set || name.rank <= f.rank {
			f.number, f.rank, f.set = number, name.rank, true
		}
	}
	input, output := &found[inputCount], &found[outputCount]
	input.number = max(0, input.number-found[cacheReadCount].number-found[cacheCreationCount].number)
	output.number = max(0, output.number-found[reasoningCount].number-found[audioCount].number)
	for c, kind := range [conceptCount]string{
		"input", "output", "total", "input_cached_tokens", "input_cache_creation", "output_reasoning_tokens", "output_audio_tokens",
	} {
		if n, ok := wholeCount(found[c].number, found[c].set); ok {
			m.usage.set(kind, n)
		}
	}
	if !output.set {
		return
	}
	m.usage = slices.DeleteFunc(m.usage, func(x domain.UsageEntry) bool { return x.Kind == "reasoning_tokens" })
	if details && !found[totalCount].set {
		total := input.number + found[cacheReadCount].number + found[cacheCreationCount].number +
			output.number + found[reasoningCount].number + found[audioCount].number
		if n, ok := wholeCount(total, true); ok {
			m.usage.set("total", n)
		}
	}
}
