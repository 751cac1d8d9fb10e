package filter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/decode"
)

// Limits bound what a filter may ask for.
type Limits struct {
	Bytes      int // of the whole text
	Depth      int // of nested arrays and objects
	Conditions int // in one filter
	Values     int // in the list of one condition
	Characters int // of one value, or of a metadata key
	// NoMatches disables the operator "matches".
	NoMatches bool
}

// DefaultLimits returns limits far above what people write and programs send.
func DefaultLimits() Limits {
	return Limits{Bytes: 64 << 10, Depth: 16, Conditions: 100, Values: 1000, Characters: 16 << 10}
}

// Parse reads a filter as the query parameter "filter" has it: a JSON array of conditions, all of which must be met. An
// empty string is no filter.
//
// The error is decode.ErrNotJSON, a *decode.Invalid with everything that is wrong with the form of the conditions, or a
// *Refused for the first condition that makes no sense. Any other error is not the client's fault.
func Parse[R any](catalogue *Catalogue[R], text string, limits Limits) ([]Condition[R], error) {
	p := &parser{limits: limits, columns: catalogue.chosen}
	drafts, err := p.read(text, "filter")
	if err != nil || text == "" {
		return nil, err
	}
	return Build(catalogue, drafts)
}

// ParseDrafts is like Parse, for callers that find the columns themselves, or whose filter is elsewhere in a request,
// such as in a member of a larger JSON value; the paths of issues begin with place. It only reads the form of the
// conditions, which Build and Make turn into conditions. Conditions of ignored types are left out.
func ParseDrafts(text string, limits Limits, place ...any) ([]Draft, error) {
	p := &parser{limits: limits}
	return p.read(text, place...)
}

// Addresses reports whether any of the conditions is on the column. A filter on a column overrides the request
// parameter for that column.
func Addresses[R any](conditions []Condition[R], column *Column[R]) bool {
	return slices.ContainsFunc(conditions, func(c Condition[R]) bool { return c.column == column })
}

// Refused is returned for a filter that is well-formed but makes no sense, or asks for too much. The message is meant
// for the client.
type Refused struct{ Message string }

func (e *Refused) Error() string { return e.Message }

func refuse(format string, args ...any) *Refused { return &Refused{fmt.Sprintf(format, args...)} }

// parser reads the form of a filter. It knows types and operators but no columns, unless it is limited to a choice of
// them.
type parser struct {
	limits  Limits
	columns []string // allowed column names; nil for any
}

// whole returns a filter that is within the limits and valid JSON.
func (p *parser) whole(text string, place []any) (decode.Value, error) {
	switch {
	case text == "":
		return decode.Value{}, nil
	case len(text) > p.limits.Bytes:
		return decode.Value{}, refuse("The filter is longer than %d bytes.", p.limits.Bytes)
	case deeperThan(text, p.limits.Depth):
		return decode.Value{}, refuse("The filter is nested more than %d levels deep.", p.limits.Depth)
	case !json.Valid([]byte(text)):
		return decode.Value{}, decode.ErrNotJSON
	}
	// Ingested texts are made valid in the same way, so that a value equals what was stored for it.
	return decode.NewPart([]byte(strings.ToValidUTF8(text, "\uFFFD")), place...), nil
}

// read returns the conditions of a filter, each in the form of its type, without those of ignored types.
func (p *parser) read(text string, place ...any) ([]Draft, error) {
	whole, err := p.whole(text, place)
	if err != nil || text == "" {
		return nil, err
	}
	var drafts []Draft
	for n, item := range whole.Array() {
		if n == p.limits.Conditions {
			whole.Reject(decode.TooLong(whole.Path(), "array", p.limits.Conditions))
			break
		}
		if d := p.readCondition(item); d.typ == nil || !d.typ.ignored {
			drafts = append(drafts, d)
		}
	}
	if err := whole.Err(); err != nil {
		return nil, err
	}
	return drafts, nil
}

// deeperThan reports whether arrays and objects in a JSON text are nested more than levels deep.
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
