package pricing

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing/tokens"
)

// List is a compiled set of model definitions. It is safe for concurrent use.
type List struct {
	// Tokenize enables counting the tokens of rows without usage, which costs far more than everything else here. It is on
	// in new lists and must not be changed once the list is in use.
	Tokenize bool

	models   []*model // in matching order
	defaults *List    // tried after them; may be nil
	known    recent
	counter  *tokens.Counter
}

// New returns the list of a project: its own definitions, latest start date first, followed by the defaults, which must
// not be nil. A project without definitions shares the defaults. A definition with an invalid pattern matches nothing;
// use CheckPattern to detect that beforehand.
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

// latestFirst orders by descending start date. A missing start date is the zero time and thus the earliest.
func latestFirst(a, b domain.Model) int { return b.StartDate.Compare(a.StartDate) }

// Models returns the definitions in matching order.
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

// Match returns the definition for a model name sent by a client.
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

// Of returns the list itself, so that a List can be used like Lists in which all projects have the same list.
func (l *List) Of(context.Context, domain.ProjectScope) (*List, error) { return l, nil }
