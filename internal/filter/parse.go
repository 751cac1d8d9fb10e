package filter

import (
	"encoding/json"
	"slices"
	"strings"
)

// Limits bound what a filter may ask for.
type Limits struct {
	Bytes      int // of the whole text
	Depth      int // of arrays and objects within one another
	Conditions int // in one filter
	Values     int // in the list of one condition
	Characters int // of one value, or of a metadata key
}

// DefaultLimits are far above what people write and programs send.
func DefaultLimits() Limits {
	return Limits{Bytes: 64 << 10, Depth: 16, Conditions: 100, Values: 1000, Characters: 16 << 10}
}

// Parse reads a filter as the parameter "filter" brings it: a JSON array of conditions, all of which are to be met. An
// empty text is no filter.
//
// The error is ErrNotJSON, an *Invalid with everything that is wrong with the form of the conditions, or a *Refused with
// the first condition that makes no sense. Errors that are none of these cannot be the client's fault.
func Parse[R any](catalogue *Catalogue[R], text string, limits Limits) ([]Condition[R], error) {
	return ParseAt(catalogue, text, limits, "filter")
}

// ParseAt is Parse for a filter that is found at another place of a request, such as a member of a larger JSON value.
// Issues begin with the place.
func ParseAt[R any](catalogue *Catalogue[R], text string, limits Limits, place ...any) ([]Condition[R], error) {
	if text == "" {
		return nil, nil
	}
	p := &parser{limits: limits, place: place, columns: catalogue.chosen}
	drafts, err := p.read(text)
	if err != nil {
		return nil, err
	}
	conditions := make([]Condition[R], 0, len(drafts))
	for _, d := range drafts {
		if d.typ.ignored {
			continue
		}
		condition, err := build(catalogue, d)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, condition)
	}
	return conditions, nil
}

// Addresses says whether one of the conditions is about the column. A fixed parameter of a request gives way to a filter
// that addresses its column.
func Addresses[R any](conditions []Condition[R], column *Column[R]) bool {
	return slices.ContainsFunc(conditions, func(c Condition[R]) bool { return c.column == column })
}

// parser reads the form of a filter. It knows types and operators but no columns, unless there is a choice of them.
type parser struct {
	limits  Limits
	place   []any
	columns []string // the names that a column may have; any if there are none
	issues  []Issue
}

// read returns the conditions of a filter, each of which has the form of its type.
func (p *parser) read(text string) ([]draft, error) {
	if len(text) > p.limits.Bytes {
		return nil, refuse("The filter is longer than %d bytes.", p.limits.Bytes)
	}
	if deeperThan(text, p.limits.Depth) {
		return nil, refuse("The filter is nested more than %d levels deep.", p.limits.Depth)
	}
	if !json.Valid([]byte(text)) {
		return nil, ErrNotJSON
	}
	// Texts that arrive are made valid the same way, so that a value equals what was stored of it.
	whole := jsonValue{raw: strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), path: p.place}
	var drafts []draft
	if p.is(whole, "array") {
		for item := range whole.items() {
			if len(drafts) == p.limits.Conditions {
				p.tooLong(whole, "array", p.limits.Conditions)
				break
			}
			drafts = append(drafts, p.readCondition(item))
		}
	}
	if len(p.issues) > 0 {
		return nil, &Invalid{Issues: p.issues}
	}
	return drafts, nil
}

// deeperThan says whether arrays and objects in a JSON text are nested deeper than so many levels.
func deeperThan(text string, levels int) bool {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			if depth++; depth > levels {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}
