package semconv

import (
	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// parameters are the parameters of a model call. Their values are strings, numbers and null.
type parameters struct {
	list  []parameter
	names nameIndex
}

type parameter struct {
	name string
	text string
	form form
}

type form uint8

const (
	formNull form = iota
	formText
	formNumber
)

func (p *parameters) reset() {
	clear(p.list)
	p.list = p.list[:0]
	p.names.reset()
}

// set adds a parameter or replaces the one with the same name.
func (p *parameters) set(x parameter) {
	if i := p.names.find(x.name); i >= 0 {
		p.list[i] = x
	} else if len(p.list) < maxMembers {
		p.names.add(x.name)
		p.list = append(p.list, x)
	}
}

// setMembers sets the members of a JSON object. Strings and numbers are kept; anything else becomes a string of JSON.
func (p *parameters) setMembers(j jsonText) {
	for c := j.members(); c.Next(); {
		if c.value().isNumber() {
			p.set(parameter{c.Key(), string(c.value()), formNumber})
		} else {
			p.set(parameter{c.Key(), c.value().text(), formText})
		}
	}
}

// modelParameters returns the model parameters: explicit ones, those of a convention, or all attributes about the
// request.
func (m *Mapper) modelParameters() string {
	a, p := &m.span, &m.parameters
	p.reset()
	explicit, isExplicit := objectOf(a.at(keyModelParameters))
	var other jsonText
	switch {
	case m.scopeName == vercelScope:
		m.vercelParameters(explicit)
		return m.writeParameters()
	case isExplicit:
		p.setMembers(explicit)
		return m.writeParameters()
	case m.scopeName == genkitScope:
		other = genkitParameters(a)
	}
	for _, k := range [...]key{keyLLMParameters, keyModelConfig} {
		if other == "" {
			other, _ = objectOf(a.at(k))
		}
	}
	if other != "" {
		p.setMembers(other)
		return m.writeParameters()
	}
	if !a.has(requestParameters) {
		return ""
	}
	for i := range a.list {
		if x := &a.list[i]; x.family == requestParameters && x.rest != "model" {
			p.set(parameter{x.rest, m.parameterText(x.value), parameterForm(x.value)})
		}
	}
	if len(p.list) == 0 {
		return ""
	}
	return m.writeParameters()
}

func (m *Mapper) parameterText(v *otlp.Value) string {
	if !notNull(v) {
		return "null"
	}
	return m.text(v)
}

func parameterForm(v *otlp.Value) form {
	if v.Kind == otlp.KindInt || v.Kind == otlp.KindFloat && isFinite(v.Float) {
		return formNumber
	}
	return formText
}

func (m *Mapper) writeParameters() string {
	b := append(m.arena.open(), '{')
	for i := range m.parameters.list {
		p := &m.parameters.list[i]
		b = appendName(b, p.name)
		switch p.form {
		case formText:
			b = jsontext.AppendString(b, p.text)
		case formNumber:
			b = appendNumber(b, p.text)
		default:
			b = append(b, "null"...)
		}
	}
	return m.arena.close(append(b, '}'))
}
