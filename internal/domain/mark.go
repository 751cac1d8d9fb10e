package domain

import "slices"

// TraceMark is what people say of a trace. It outweighs what the spans of the trace say, whenever they arrive. Members that are nil
// say nothing.
type TraceMark struct {
	TraceID    string
	Public     *bool
	Bookmarked *bool
	Tags       []string // sorted and distinct
}

// TagsOf returns the tags of those marks that have some, or say that there are none.
func TagsOf(marks map[string]TraceMark) map[string][]string {
	tags := make(map[string][]string)
	for id, m := range marks {
		if m.Tags != nil {
			tags[id] = m.Tags
		}
	}
	return tags
}

// IsEmpty reports whether the mark says nothing.
func (m *TraceMark) IsEmpty() bool { return m.Public == nil && m.Bookmarked == nil && m.Tags == nil }

// Equal reports whether both say the same.
func (m *TraceMark) Equal(other *TraceMark) bool {
	return sameFlag(m.Public, other.Public) && sameFlag(m.Bookmarked, other.Bookmarked) &&
		(m.Tags == nil) == (other.Tags == nil) && slices.Equal(m.Tags, other.Tags)
}

func sameFlag(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }

// Outweigh puts what people say in the place of what the rows of a trace say.
func (m *TraceMark) Outweigh(t *TraceSummary) {
	outweigh(&t.Public, m.Public)
	outweigh(&t.Bookmarked, m.Bookmarked)
	if m.Tags != nil {
		t.Tags = m.Tags
	}
}

// OutweighRow does so for one of the rows. Only roots are bookmarked.
func (m *TraceMark) OutweighRow(o *Observation) {
	outweigh(&o.Public, m.Public)
	if o.IsRoot() {
		outweigh(&o.Bookmarked, m.Bookmarked)
	}
	if m.Tags != nil {
		o.Tags = m.Tags
	}
}

func outweigh(flag, said *bool) {
	if said != nil {
		*flag = *said
	}
}
