package llm

import (
	"regexp"
	"slices"
	"strings"
)

// maxDrops is how many parameters are dropped in one call.
const maxDrops = 6

// droppable are the parameters that are left out if a model refuses them, as paths in the body. Of two that exclude each
// other, the one that is dropped comes first.
var droppable = []string{
	"top_p", "top_k", "temperature", "frequency_penalty", "presence_penalty", "seed", "stop", "stop_sequences", "reasoning_effort",
	"reasoning", "parallel_tool_calls", "stream_options", "max_completion_tokens", "max_tokens", "max_output_tokens", "store", "trace",
	"output_config.effort", "thinking",
	"inferenceConfig.topP", "inferenceConfig.temperature", "inferenceConfig.stopSequences", "inferenceConfig.maxTokens",
	"additionalModelRequestFields.top_k", "additionalModelRequestFields.thinking", "additionalModelRequestFields.output_config",
	"additionalModelRequestFields.reasoning_effort", "additionalModelRequestFields.reasoningConfig",
	"generationConfig.topP", "generationConfig.topK", "generationConfig.temperature", "generationConfig.seed",
	"generationConfig.frequencyPenalty", "generationConfig.presencePenalty", "generationConfig.stopSequences",
	"generationConfig.thinkingConfig", "generationConfig.maxOutputTokens",
}

// ours are parameters that nobody asked for, whose loss is not mentioned.
var ours = []string{"stream_options", "store", "trace"}

// aliases are other names of parameters in messages.
var aliases = map[string][]string{
	"topP": {"top_p"}, "topK": {"top_k"}, "stopSequences": {"stop_sequences", "stop sequences"},
	"thinkingConfig": {
		"thinking_level", "thinkingLevel", "thinking_budget", "thinkingBudget", "thinking level", "thinking budget", "thinking",
	},
	"effort": {"output_config"}, "frequencyPenalty": {"frequency_penalty", "Penalty"}, "presencePenalty": {"presence_penalty", "Penalty"},
	"reasoning": {"reasoning.effort", "reasoning.summary"}, "maxOutputTokens": {"max_output_tokens"}, "maxTokens": {"max_tokens"},
}

// unsupported are the words of messages about parameters that a model does not take, unlike those of wrong values.
var unsupported = regexp.MustCompile(`(?i)unsupported|not support|n't support|deprecated|not permitted|not allowed|extraneous|unknown|` +
	`unrecogni[sz]ed|cannot both|cannot be (used|set|specified)|unexpected|incompatible|does not accept|not accepted|not available|not enabled|no longer|` +
	`extra (inputs|fields)|not compatible|must not be|is not valid for|may only be|use '?max_`)

// drop learns from an error which parameter the model does not take, and reports whether there is one.
func (k *call) drop(e *Error) bool {
	codes := []string{"unsupported_parameter", "unsupported_value", "unknown_parameter"}
	if !unsupported.MatchString(e.said) && !slices.Contains(codes, e.Code) {
		return false
	}
	for _, path := range droppable {
		if !k.dropped[path] || k.known.refused[path] || !names(e, path) {
			continue
		}
		k.known = k.client.learned.put(k.conn.Key, k.req.Model, k.known, func(known *knowledge) { known.refused[path] = true })
		return true
	}
	return false
}

// names reports whether an error names a parameter.
func names(e *Error, path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	for _, alias := range append([]string{name}, aliases[name]...) {
		if e.param != "" && (e.param == alias || e.param == path || strings.HasPrefix(e.param, alias+".")) {
			return true
		}
		if (e.param == "" || !slices.Contains(droppable, e.param)) && hasWord(e.said, alias) {
			return true
		}
	}
	return false
}

// hasWord reports whether a text has a word, which is not a part of a longer name.
func hasWord(text, word string) bool {
	for at := 0; ; {
		n := strings.Index(text[at:], word)
		if n < 0 {
			return false
		}
		begin, end := at+n, at+n+len(word)
		if (begin == 0 || !isNameByte(text[begin-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		at = end
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// reduce removes the parameters that the model is known to refuse from a body, and notes which others it has: only those
// can be dropped later.
func (k *call) reduce(body object) {
	rename(body, k.known.refused)
	k.dropped = make(map[string]bool)
	for _, path := range droppable {
		name := path[strings.LastIndexByte(path, '.')+1:]
		if !has(body, path) {
			continue
		}
		if !k.known.refused[path] && !slices.Contains(k.service.family.refused, path) {
			k.dropped[path] = true
			continue
		}
		remove(body, path)
		k.without(name)
	}
}

// without notes a parameter that is left out.
func (k *call) without(name string) {
	if !slices.Contains(ours, name) && !slices.Contains(k.result.Dropped, name) {
		k.result.Dropped = append(k.result.Dropped, name)
	}
}

// rename gives the limit of the answer the name that the model takes.
func rename(body object, refused map[string]bool) {
	const before, now = "max_tokens", "max_completion_tokens"
	for _, names := range [][2]string{{before, now}, {now, before}} {
		if value, ok := body[names[0]]; ok && refused[names[0]] && !refused[names[1]] {
			if _, chat := body["messages"]; chat && body["anthropic_version"] == nil {
				delete(body, names[0])
				body[names[1]] = value
				return
			}
		}
	}
}

func has(body object, path string) bool {
	first, rest, nested := strings.Cut(path, ".")
	value, ok := body[first]
	if !nested || !ok {
		return ok
	}
	inner, ok := value.(object)
	return ok && has(inner, rest)
}

func remove(body object, path string) {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		delete(body, first)
		return
	}
	if inner, ok := body[first].(object); ok {
		remove(inner, rest)
		if len(inner) == 0 {
			delete(body, first)
		}
	}
}
