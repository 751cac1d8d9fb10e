package legacy

import (
	"slices"
	"strconv"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// maxKinds is the maximum number of kinds of usage or cost in an event.
const maxKinds = 256

// readUsage reads usage and cost in all forms used over the years: counts of input, output and total with their costs,
// the same with OpenAI's names, and arbitrary kinds. The last form takes precedence.
func (w *work) readUsage(c *change, b *decode.Object) {
	usage, details, costs := b.Field("usage"), b.Field("usageDetails"), b.Field("costDetails")
	var counts []domain.UsageEntry
	var amounts []domain.CostEntry
	if k := usage.Kind(); k != "undefined" && k != "null" {
		counts, amounts = readCounts(usage.Object())
	}
	if k := details.Kind(); k != "undefined" && k != "null" {
		for _, x := range w.readDetails(details) {
			counts = put(counts, x, func(a, b domain.UsageEntry) bool { return a.Kind == b.Kind })
		}
	}
	if k := costs.Kind(); k != "undefined" && k != "null" {
		for _, x := range readCosts(costs) {
			amounts = put(amounts, x, func(a, b domain.CostEntry) bool { return a.Kind == b.Kind })
		}
	}
	// Null clears, but an empty object changes nothing.
	c.usage = given[[]domain.UsageEntry]{len(counts) > 0 || isNull(usage) || isNull(details), counts}
	c.cost = given[[]domain.CostEntry]{len(amounts) > 0 || isNull(costs), amounts}
}

func isNull(v decode.Value) bool { return v.Kind() == "null" }

// put adds an entry, or replaces the one of the same kind.
func put[E any](list []E, x E, alike func(a, b E) bool) []E {
	if n := slices.IndexFunc(list, func(known E) bool { return alike(known, x) }); n >= 0 {
		list[n] = x
		return list
	}
	return append(list, x)
}

// readCounts reads the oldest form. If any of OpenAI's names is present, only these count. Negative counts are ignored.
func readCounts(o *decode.Object) (counts []domain.UsageEntry, amounts []domain.CostEntry) {
	kinds := [...]string{"input", "output", "total"}
	read := func(names [3]string) (list []domain.UsageEntry, named bool) {
		for n, name := range names {
			v := o.Field(name)
			named = named || v.Kind() != "undefined"
			if count := decode.Nullish(v, decode.Value.Int); count != nil && *count >= 0 {
				list = append(list, domain.UsageEntry{Kind: kinds[n], Units: int64(*count)})
			}
		}
		return list, named
	}
	counts, _ = read(kinds)
	decode.Nullish(o.Field("unit"), decode.Value.Text)
	for n, name := range [...]string{"inputCost", "outputCost", "totalCost"} {
		if amount := decode.Nullish(o.Field(name), readAmount); amount != nil {
			amounts = append(amounts, domain.CostEntry{Kind: kinds[n], Amount: *amount})
		}
	}
	if openAI, named := read([3]string{"promptTokens", "completionTokens", "totalTokens"}); named {
		counts = openAI
	}
	return counts, amounts
}

// readDetails reads counts by kind, or usage as returned by OpenAI.
func (w *work) readDetails(v decode.Value) []domain.UsageEntry {
	if problems := detailProblems(v); problems != nil {
		v.Reject(decode.NoVariant(v.Path(), problems...))
		return nil
	}
	return w.mapper.PlainUsage(string(v.Raw()))
}

// openAIShapes are the member names of OpenAI's two usage formats.
var openAIShapes = [...]struct{ counts, details []string }{
	{[]string{"prompt_tokens", "completion_tokens", "total_tokens"}, []string{"prompt_tokens_details", "completion_tokens_details"}},
	{[]string{"input_tokens", "output_tokens", "total_tokens"}, []string{"input_tokens_details", "output_tokens_details"}},
}

// detailProblems returns why a value does not match any form of usage by kind; nil if it does.
func detailProblems(v decode.Value) [][]decode.Issue {
	var problems [][]decode.Issue
	for _, shape := range openAIShapes {
		b := decode.NewBody(v.Raw())
		o := b.Object()
		for _, name := range shape.counts {
			readCount(o.Field(name))
		}
		for _, name := range shape.details {
			if details := o.Field(name); details.Kind() != "undefined" && !isNull(details) {
				eachMember(details, readCountOrNull)
			}
		}
		o.Strict()
		issues := issuesOf(b)
		if issues == nil {
			return nil
		}
		problems = append(problems, issues)
	}
	b := decode.NewBody(v.Raw())
	eachMember(b, readCountOrNull)
	issues := issuesOf(b)
	if issues == nil {
		return nil
	}
	return append(problems, issues)
}

func issuesOf(v decode.Value) []decode.Issue {
	if invalid, ok := v.Err().(*decode.Invalid); ok { //nolint:errorlint // nothing wraps it
		return invalid.Issues
	}
	return nil
}

func readCount(v decode.Value) {
	if n := v.Int(); n < 0 {
		v.Reject(decode.TooSmall(v.Path(), 0, false))
	}
}

func readCountOrNull(v decode.Value) {
	if !isNull(v) {
		readCount(v)
	}
}

// eachMember reads the members of an object, in order. It rejects more than maxKinds.
func eachMember(v decode.Value, read func(decode.Value)) {
	if v.Kind() != "object" {
		v.Reject(decode.WrongType(v.Path(), "record", v.Kind()))
		return
	}
	o := v.Object()
	names := o.Names()
	if len(names) > maxKinds {
		v.Reject(decode.Violation(v.Path(), "There are more than "+strconv.Itoa(maxKinds)+" kinds"))
		return
	}
	for _, name := range names {
		read(o.Field(name))
	}
}

// readAmount reads a non-negative cost.
func readAmount(v decode.Value) float64 {
	amount := v.Number()
	if amount < 0 {
		v.Reject(decode.TooSmall(v.Path(), 0, false))
	}
	return amount
}

// readCosts reads amounts by kind.
func readCosts(v decode.Value) (amounts []domain.CostEntry) {
	eachMember(v, func(v decode.Value) {
		if !isNull(v) {
			kind, _ := v.Path()[len(v.Path())-1].(string)
			amounts = append(amounts, domain.CostEntry{Kind: kind, Amount: readAmount(v)})
		}
	})
	return amounts
}

// providedUsage returns the usage that a client provided for a row.
func providedUsage(row *domain.Observation) (list []domain.UsageEntry) {
	for m := jsontext.MembersOf(row.ProvidedUsage); m.Next(); {
		if n, err := strconv.ParseInt(m.Value, 10, 64); err == nil {
			list = append(list, domain.UsageEntry{Kind: m.Key(), Units: n})
		}
	}
	return list
}

// providedCost returns the cost that a client provided for a row.
func providedCost(row *domain.Observation) (list []domain.CostEntry) {
	for m := jsontext.MembersOf(row.ProvidedCost); m.Next(); {
		if amount, err := strconv.ParseFloat(m.Value, 64); err == nil {
			list = append(list, domain.CostEntry{Kind: m.Key(), Amount: amount})
		}
	}
	return list
}
