package semconv

import (
	"almanac/internal/ingest/otlp"
)

// Genkit.

const genkitScope = "genkit-tracer"

var genkitType = typeByWord(keyGenkitSubtype, map[string]string{
	"model": typeGeneration, "background-model": typeGeneration, "embedder": typeEmbedding, "tool": typeTool, "tool.v2": typeTool,
	"retriever": typeRetriever, "evaluator": typeEvaluator,
})

func genkitIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	if m.scopeName != genkitScope {
		return ioPair{}, false
	}
	return ioPair{m.memberOrWhole(a.at(keyGenkitInput), "messages"), m.memberOrWhole(a.at(keyGenkitOutput), "message")}, true
}

// memberOrWhole returns a member of a JSON object if it exists, else the whole value.
func (m *Mapper) memberOrWhole(v *otlp.Value, name string) body {
	j, ok := jsonOf(v)
	if !ok {
		return m.body(v)
	}
	if part := j.get(name); part != "" && !part.isNull() {
		return m.jsonBody(part)
	}
	return m.jsonBody(j)
}

// genkitParameters returns the configuration of a model call, if any.
func genkitParameters(a *attrs) jsonText {
	if in, ok := objectOf(a.at(keyGenkitInput)); ok {
		if config := in.get("config"); config.isObject() {
			return config
		}
	}
	if out, ok := objectOf(a.at(keyGenkitOutput)); ok {
		if config := out.get("request").get("config"); config.isObject() {
			return config
		}
	}
	return ""
}

// genkitUsage reads the token counts of a model response. Genkit includes thoughts in the output.
func (m *Mapper) genkitUsage() {
	out, ok := objectOf(m.span.at(keyGenkitOutput))
	if !ok {
		return
	}
	usage := out.get("usage")
	thoughts, _ := usage.get("thoughtsTokens").count()
	for _, row := range [...]struct {
		kind, name string
		less       int64
	}{
		{"input", "inputTokens", 0},
		{"output", "outputTokens", thoughts},
		{"total", "totalTokens", 0},
		{"output_reasoning", "thoughtsTokens", 0},
	} {
		if n, ok := usage.get(row.name).count(); ok && n > 0 {
			m.usage.set(row.kind, remaining(n, row.less))
		}
	}
}
