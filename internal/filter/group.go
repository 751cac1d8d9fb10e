package filter

import (
	"slices"

	"almanac/internal/decode"
)

// Group is a condition as a client wrote it, or several that are combined.
type Group struct {
	Op    GroupOp // empty for a condition
	Of    []Group
	Draft Draft
}

// GroupOp says how conditions are combined.
type GroupOp string

// The ways to combine conditions.
const (
	All GroupOp = "all" // all of them hold
	Any GroupOp = "any" // one of them holds
	Not GroupOp = "not" // not all of them hold
	Has GroupOp = "has" // one observation meets all of them
)

// GroupOps returns the ways to combine conditions, as clients write them.
func GroupOps() []GroupOp { return []GroupOp{All, Any, Not, Has} }

// ParseGroups is like ParseDrafts, for filters in which conditions may be combined: a member of the array may also be an
// object whose type is a GroupOp and whose member conditions is another such array.
func ParseGroups(text string, limits Limits, place ...any) ([]Group, error) {
	p := &parser{limits: limits}
	whole, err := p.whole(text, place)
	if err != nil || text == "" {
		return nil, err
	}
	left := limits.Conditions
	groups := p.readGroups(whole, &left)
	if err := whole.Err(); err != nil {
		return nil, err
	}
	return groups, nil
}

// readGroups reads an array of conditions and groups, of which there may be as many as are left.
func (p *parser) readGroups(v decode.Value, left *int) []Group {
	var groups []Group
	for _, item := range v.Array() {
		if *left--; *left < 0 {
			v.Reject(decode.TooLong(v.Path(), "array", p.limits.Conditions))
			break
		}
		if op := groupOpOf(item); op != "" {
			inner := item.Object().Field("conditions")
			of := p.readGroups(inner, left)
			if len(of) == 0 && inner.Kind() == "array" && *left >= 0 {
				inner.Reject(decode.Violation(inner.Path(), "Invalid input: the list of conditions must not be empty"))
			}
			groups = append(groups, Group{Op: op, Of: of})
			continue
		}
		if d := p.readCondition(item); d.typ == nil || !d.typ.ignored {
			groups = append(groups, Group{Draft: d})
		}
	}
	return groups
}

// groupOpOf returns how an item combines conditions, or "" if it is a condition.
func groupOpOf(item decode.Value) GroupOp {
	if item.Kind() != "object" {
		return ""
	}
	typ := item.Object().Field("type")
	if typ.Kind() != "string" || !slices.Contains(GroupOps(), GroupOp(typ.Text())) {
		return ""
	}
	return GroupOp(typ.Text())
}
