package semconv

import "almanac/internal/otlp"

// body is an input or an output.
type body struct {
	text string
	json bool // it was made of structured values: the text is JSON
	set  bool // it is not null
}

// ioPair is both. The rule that finds one of them supplies the other as well, even if that is nothing.
type ioPair struct {
	in, out body
}

// ioRule reads input and output, if it finds any.
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

// plainIO: names that several libraries use.
var plainIO = ioOf(truthy, keyPlainInput, keyPlainOutput)

// mlflowIO: MLflow.
var mlflowIO = ioOf(truthy, keyMLflowInputs, keyMLflowOutputs)

// ioOf is the rule of a convention that has one attribute for each side, of which one must pass the test.
func ioOf(test func(*otlp.Value) bool, in, out key) ioRule {
	return func(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) { return m.either(test, a.at(in), a.at(out)) }
}

// either returns two values if one of them passes the test.
func (m *Mapper) either(test func(*otlp.Value) bool, in, out *otlp.Value) (ioPair, bool) {
	if !test(in) && !test(out) {
		return ioPair{}, false
	}
	return ioPair{m.body(in), m.body(out)}, true
}

// body keeps text as it is and writes anything else as JSON.
func (m *Mapper) body(v *otlp.Value) body {
	if !notNull(v) {
		return body{}
	}
	return body{text: m.text(v), json: !isText(v), set: true}
}

// parsed reads text as JSON if it is JSON, so that it is stored in one spelling.
func (m *Mapper) parsed(v *otlp.Value) body {
	if j, ok := jsonOf(v); ok {
		return m.jsonBody(j)
	}
	return m.body(v)
}

// jsonBody is a part of some JSON: a string as it is, anything else as JSON, null as nothing.
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

// structured is JSON that was just written to the arena.
func (m *Mapper) structured(b []byte) body {
	return body{text: m.arena.close(b), json: true, set: true}
}
