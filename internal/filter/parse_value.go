package filter

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// readOperator reads an operator of the type.
func (p *parser) readOperator(v jsonValue, typ *conditionType) Operator {
	searches := typ.searches && !p.limits.NoMatches
	if v.kind() == "string" {
		operator := v.text()
		if slices.Contains(typ.operators, operator) || searches && operator == string(Matches) {
			return Operator(operator)
		}
	}
	if searches {
		p.wrongValue(v, typ.operators, names(Matches))
	} else {
		p.wrongValue(v, typ.operators)
	}
	return ""
}

// readValue reads the value that the type of a condition asks for.
func (p *parser) readValue(v jsonValue, d *Draft) {
	switch absent := v.raw == ""; {
	case d.typ.unused:
		if !absent && v.raw != "null" && v.raw != `""` {
			p.wrongValue(v, []string{""})
		}
		return
	case d.typ.optional && absent:
		return
	}
	switch d.typ.value {
	case List:
		d.texts = p.readTexts(v)
		// An operator that is unknown is issue enough.
		if v.kind() == "array" && len(d.texts) == 0 && d.operator != "" && !slices.Contains(d.typ.emptyFor, d.operator) {
			p.violation(v, "Invalid input: the list of values must not be empty")
		}
	case Number:
		d.number = p.readNumber(v)
	case Time:
		d.time = p.readTime(v)
	case Bool:
		d.boolean = p.is(v, "boolean") && v.raw == "true"
	default:
		d.text = p.readText(v, p.limits.Characters)
	}
}

func (p *parser) readText(v jsonValue, maximum int) string {
	if !p.is(v, "string") {
		return ""
	}
	text := v.text()
	if len(text) > maximum && utf8.RuneCountInString(text) > maximum {
		p.tooLong(v, "string", maximum)
		return ""
	}
	return text
}

func (p *parser) readTexts(v jsonValue) []string {
	if !p.is(v, "array") {
		return nil
	}
	texts := []string{}
	for item := range v.items() {
		if len(texts) == p.limits.Values {
			p.tooLong(v, "array", p.limits.Values)
			break
		}
		texts = append(texts, p.readText(item, p.limits.Characters))
	}
	return texts
}

func (p *parser) readNumber(v jsonValue) float64 {
	if !p.is(v, "number") {
		return 0
	}
	number, err := strconv.ParseFloat(v.raw, 64)
	if err != nil { // only a number that is too large can be left in valid JSON
		p.wrongType(v, "number", "Infinity")
		return 0
	}
	return number
}
