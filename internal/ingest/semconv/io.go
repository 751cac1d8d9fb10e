package semconv

import "almanac/internal/ingest/otlp"

// body is an input or an output.
type body struct {
	text string
	json bool // built from structured values: the text is JSON
	set  bool // it is not null
}

// ioPair is an input and an output. The rule that finds one of them also supplies the other, even if that is empty.
type ioPair struct {
	in, out body
}

// ioRule reads input and output, and reports whether it found any.
type ioRule func(*Mapper, *attrs, []otlp.Event) (ioPair, bool)

// ioPair reads input and output: the first rule that finds something supplies both.
func (m *Mapper) ioPair(a *attrs, events []otlp.Event) ioPair {
	rules := [...]ioRule{
		nativeIO,
		genkitIO,
		vercelIO,
		flueIO,
		detailsEventIO,
		messageEventsIO,
		contentEventsIO,
		vertexIO,
		promptIO,
		liveKitIO,
		logfireEventsIO,
		mlflowIO,
		traceloopIO,
		openInferenceIO,
		plainIO,
		pydanticIO,
		toolIO,
		promptPartsIO,
		openInferenceMessagesIO,
		genAIMessagesIO,
	}
	for _, rule := range rules {
		if x, ok := rule(m, a, events); ok {
			return x
		}
	}
	return ioPair{}
}

// plainIO: names used by several libraries.
var plainIO = ioOf(truthy, keyPlainInput, keyPlainOutput)

// mlflowIO: MLflow.
var mlflowIO = ioOf(truthy, keyMLflowInputs, keyMLflowOutputs)

// ioOf returns the rule for a convention with one attribute each for input and output, one of which must pass the test.
func ioOf(test func(*otlp.Value) bool, in, out key) ioRule {
	return func(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) { return m.either(test, a.at(in), a.at(out)) }
}

// either returns both values if at least one of them passes the test.
func (m *Mapper) either(test func(*otlp.Value) bool, in, out *otlp.Value) (ioPair, bool) {
	if !test(in) && !test(out) {
		return ioPair{}, false
	}
	return ioPair{m.body(in), m.body(out)}, true
}

// body keeps strings as they are and writes anything else as JSON.
func (m *Mapper) body(v *otlp.Value) body {
	if !notNull(v) {
		return body{}
	}
	return body{text: m.text(v), json: !isText(v), set: true}
}

// parsed normalizes strings that are JSON.
func (m *Mapper) parsed(v *otlp.Value) body {
	if j, ok := jsonOf(v); ok {
		return m.jsonBody(j)
	}
	return m.body(v)
}

// jsonBody returns part of a JSON document: strings unquoted, null as unset, anything else as JSON.
func (m *Mapper) jsonBody(j jsonText) body {
	switch {
	case j == "" || j.isNull():
		return body{}
	case j.isString():
		return body{text: j.str(), set: true}
	default:
		return m.structured(appendJSON(m.arena.open(), j))
	}
}

// structured returns JSON that was just written to the arena.
func (m *Mapper) structured(b []byte) body {
	return body{text: m.arena.close(b), json: true, set: true}
}
