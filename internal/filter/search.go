package filter

import "almanac/internal/domain"

// Search returns the condition that a row meets in which a text is found: as its id or that of its trace, session or user,
// or as words of its name, of that of its trace, of its input or its output. Letters are compared without their case there, and words
// are whole.
func Search(text string) (Condition[domain.Observation], error) {
	p := newPhrase(text, true)
	if len(p.words) == 0 {
		return Condition[domain.Observation]{}, ErrNoWords
	}
	from := make([]*Column[domain.Observation], 0, len(searchedIDs)+len(searchedTexts))
	for _, name := range append(append([]string(nil), searchedIDs...), searchedTexts...) {
		from = append(from, ObservationColumn(name))
	}
	ids, texts := from[:len(searchedIDs)], from[len(searchedIDs):]
	found := func(o *domain.Observation) bool {
		for _, column := range ids {
			if value, _ := column.text(o); value == text {
				return true
			}
		}
		for _, column := range texts {
			if value, _ := column.text(o); p.in(value) {
				return true
			}
		}
		return false
	}
	return NewBool(DerivedBool("search", found, from...), Equal, true)
}

// The columns that Search looks at, the cheapest to read first.
var (
	searchedIDs   = []string{"id", "traceId", "sessionId", "userId"}
	searchedTexts = []string{"name", "traceName", "input", "output"}
)
