package domain

import "slices"

// TraceMark holds values that users set on a trace. They override the values of the trace's spans, whenever those
// arrive. Nil members override nothing.
type TraceMark struct {
	TraceID    string
	Public     *bool
	Bookmarked *bool
	Tags       []string // sorted and distinct
}

// TagsOf returns the tags of those marks that set them, possibly to none.
func TagsOf(marks map[string]TraceMark) map[string][]string {
	tags := make(map[string][]string)
	for id, m := range marks {
		if m.Tags != nil {
			tags[id] = m.Tags
		}
	}
	return tags
}

// IsEmpty reports whether the mark sets nothing.
func (m *TraceMark) IsEmpty() bool { return m.Public == nil && m.Bookmarked == nil && m.Tags == nil }

// Equal reports whether both marks set the same values.
func (m *TraceMark) Equal(other *TraceMark) bool {
	return sameFlag(m.Public, other.Public) && sameFlag(m.Bookmarked, other.Bookmarked) &&
		(m.Tags == nil) == (other.Tags == nil) && slices.Equal(m.Tags, other.Tags)
}

func sameFlag(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }

// ApplyTo overrides the values derived from the rows of a trace.
func (m *TraceMark) ApplyTo(t *TraceSummary) {
	outweigh(&t.Public, m.Public)
	outweigh(&t.Bookmarked, m.Bookmarked)
	if m.Tags != nil {
		t.Tags = m.Tags
	}
}

// OutweighRow overrides the values of one row. Only roots are bookmarked.
func (m *TraceMark) OutweighRow(o *Observation) {
	outweigh(&o.Public, m.Public)
	if o.IsRoot() {
		outweigh(&o.Bookmarked, m.Bookmarked)
	}
	if m.Tags != nil {
		o.Tags, o.Inherited = m.Tags, inheritedNames[o.Inherits()&^InheritsTags]
	}
}

func outweigh(flag, said *bool) {
	if said != nil {
		*flag = *said
	}
}
