package filter

import "almanac/internal/domain"

// Search returns a condition that finds text in a row: as its id or that of its trace, session or user, or as words in
// its name, its trace name, its input or its output. Words are matched whole and regardless of ASCII case.
func Search(text string) (Condition[domain.Observation], error) {
	p := newPhrase(text, true)
	if len(p.words) == 0 {
		return Condition[domain.Observation]{}, ErrNoWords
	}
	var from []*Column[domain.Observation]
	var alternatives []Condition[domain.Observation]
	for _, name := range []string{"id", "traceId", "sessionId", "userId"} {
		column := ObservationColumn(name)
		from = append(from, column)
		alternatives = append(alternatives, Condition[domain.Observation]{column: column, operator: Equal, value: Text, text: text})
	}
	for _, name := range []string{"name", "traceName", "input", "output"} {
		column := ObservationColumn(name)
		from = append(from, column)
		alternatives = append(alternatives, Condition[domain.Observation]{
			column: column, operator: Matches, value: Text, text: text, phrase: p,
		})
	}
	found := func(o *domain.Observation) bool {
		for n := range alternatives {
			if alternatives[n].Match(o) {
				return true
			}
		}
		return false
	}
	c, err := NewBool(DerivedBool("search", found, from...), Equal, true)
	c.alternatives = alternatives
	return c, err
}
