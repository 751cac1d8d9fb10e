package pricing

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/pricing/tokens"
)

// List is a set of model definitions, ready for matching. It is safe for concurrent use.
type List struct {
	// Tokenize reports whether the texts of rows without usage are counted, which costs far more than everything else here.
	// It is on in new lists, and must not be changed once the list is in use.
	Tokenize bool

	models   []*model // in the order in which they are tried
	defaults *List    // tried after them; may be nil
	known    recent
	counter  *tokens.Counter
}

// New returns the list of a project: its own definitions, those with the latest start date first, before the defaults,
// which must be given. A project without definitions shares the defaults. A definition whose pattern is no regular
// expression matches nothing; CheckPattern finds out before.
func New(project []domain.Model, defaults *List) *List {
	if len(project) == 0 {
		return defaults
	}
	l := &List{Tokenize: defaults.Tokenize, defaults: defaults, counter: defaults.counter}
	for _, definition := range slices.SortedStableFunc(slices.Values(project), latestFirst) {
		if m, err := compile(definition); err == nil {
			l.models = append(l.models, m)
		}
	}
	return l
}

// latestFirst orders by descending start date. No start date is the zero time, which is the earliest.
func latestFirst(a, b domain.Model) int { return b.StartDate.Compare(a.StartDate) }

// Models returns the definitions in the order in which they are tried.
func (l *List) Models() []domain.Model {
	models := make([]domain.Model, 0, len(l.models))
	for _, m := range l.models {
		models = append(models, m.definition)
	}
	if l.defaults != nil {
		models = append(models, l.defaults.Models()...)
	}
	return models
}

// Match returns the definition of the model that a client calls by that name.
func (l *List) Match(name string) (domain.Model, bool) {
	m := l.match(name)
	if m == nil {
		return domain.Model{}, false
	}
	return m.definition, true
}

// Model returns the definition with this id.
func (l *List) Model(id string) (domain.Model, bool) {
	for _, m := range l.models {
		if m.definition.ID == id {
			return m.definition, true
		}
	}
	if l.defaults == nil {
		return domain.Model{}, false
	}
	return l.defaults.Model(id)
}

// Of returns the list itself: it is a Book in which all projects have the same list.
func (l *List) Of(context.Context, domain.ProjectScope) (*List, error) { return l, nil }
