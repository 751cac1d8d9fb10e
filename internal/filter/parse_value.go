package filter

import (
	"slices"
	"unicode/utf8"

	"almanac/internal/decode"
)

// readOperator reads an operator of the given type.
func (p *parser) readOperator(v decode.Value, typ *Type) Operator {
	usual := func(v decode.Value) Operator { return Operator(v.Enum(typ.Operators...)) }
	if !typ.searches || p.limits.NoMatches {
		return usual(v)
	}
	return decode.Union(v, usual, func(v decode.Value) Operator { return Operator(v.Enum(string(Matches))) })
}

// readValue reads the value as the type of the condition requires.
func (p *parser) readValue(v decode.Value, d *Draft) {
	switch kind := v.Kind(); {
	case d.typ.Unused:
		if kind != "undefined" && kind != "null" {
			v.Enum("")
		}
		return
	case d.typ.optional && kind == "undefined":
		return
	}
	switch d.typ.Value {
	case List:
		d.Texts = p.readTexts(v)
		// An unknown operator was already reported.
		if v.Kind() == "array" && len(d.Texts) == 0 && d.Operator != "" && !slices.Contains(d.typ.emptyFor, d.Operator) {
			v.Reject(decode.Violation(v.Path(), "Invalid input: the list of values must not be empty"))
		}
	case Number:
		d.Number = v.Number()
	case Time:
		d.Time = readTime(v)
	case Bool:
		d.Bool = v.Bool()
	default:
		d.Text = readText(v, p.limits.Characters)
	}
}

func readText(v decode.Value, maximum int) string {
	text := v.Text()
	if len(text) > maximum && utf8.RuneCountInString(text) > maximum {
		v.Reject(decode.TooLong(v.Path(), "string", maximum))
		return ""
	}
	return text
}

func (p *parser) readTexts(v decode.Value) []string {
	texts := []string{}
	for n, item := range v.Array() {
		if n == p.limits.Values {
			v.Reject(decode.TooLong(v.Path(), "array", p.limits.Values))
			break
		}
		texts = append(texts, readText(item, p.limits.Characters))
	}
	return texts
}
