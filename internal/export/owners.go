package export

import (
	"context"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/explore"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// owner is a session or a user, put together from the rows that name it.
type owner struct {
	id                             string
	traces, users, sessions, tags  map[string]bool
	observations, errors           int64
	first, last, end               domain.Micros
	createdAt                      domain.Micros
	tokens                         int64
	inputCost, outputCost, allCost domain.Sum
	bookmarked, public             bool
	comments                       string
}

func newOwner(id string) *owner {
	return &owner{id: id, traces: map[string]bool{}, users: map[string]bool{}, sessions: map[string]bool{}, tags: map[string]bool{}}
}

func (w *owner) add(o *domain.Observation) {
	note := func(set map[string]bool, text string) {
		if text != "" && !set[text] {
			set[strings.Clone(text)] = true
		}
	}
	note(w.traces, o.TraceID)
	note(w.users, o.UserID)
	note(w.sessions, o.SessionID)
	for _, tag := range o.Tags {
		note(w.tags, tag)
	}
	w.bookmarked, w.public = w.bookmarked || o.Bookmarked, w.public || o.Public
	if w.first == 0 || o.StartTime < w.first {
		w.first = o.StartTime
	}
	if w.createdAt == 0 || o.CreatedAt != 0 && o.CreatedAt < w.createdAt {
		w.createdAt = o.CreatedAt
	}
	w.last, w.end = max(w.last, o.StartTime), max(w.end, o.EndTime, o.StartTime)
	if o.IsTraceRecord() {
		return
	}
	w.observations++
	if o.Level == "ERROR" {
		w.errors++
	}
	w.tokens += o.TotalTokens.Value
	w.inputCost.Add(o.InputCost)
	w.outputCost.Add(o.OutputCost)
	w.allCost.Add(o.TotalCost.Value)
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

func sessionFields() []field[owner] {
	return []field[owner]{
		text("id", func(w *owner) string { return w.id }),
		list("userIds", func(w *owner) []string { return sorted(w.users) }),
		integer("countTraces", func(w *owner) int64 { return int64(len(w.traces)) }),
		number("sessionDuration", func(w *owner) float64 { return float64(w.end.Millis()-w.first.Millis()) / 1000 }),
		number("inputCost", func(w *owner) float64 { return w.inputCost.Dollars() }),
		number("outputCost", func(w *owner) float64 { return w.outputCost.Dollars() }),
		number("totalCost", func(w *owner) float64 { return w.allCost.Dollars() }),
		integer("totalTokens", func(w *owner) int64 { return w.tokens }),
		list("traceTags", func(w *owner) []string { return sorted(w.tags) }),
		moment("createdAt", func(w *owner) domain.Micros { return w.createdAt }),
		boolean("bookmarked", func(w *owner) bool { return w.bookmarked }),
		boolean("public", func(w *owner) bool { return w.public }),
		integer("totalCount", func(w *owner) int64 { return w.observations }),
		{Column{"comments", JSON}, func(w *owner, v *Value) { v.made(w.comments) }},
		moment("firstSeen", func(w *owner) domain.Micros { return w.first }),
		moment("lastSeen", func(w *owner) domain.Micros { return w.last }),
		integer("errorCount", func(w *owner) int64 { return w.errors }),
	}
}

func userFields() []field[owner] {
	return []field[owner]{
		text("id", func(w *owner) string { return w.id }),
		moment("firstSeen", func(w *owner) domain.Micros { return w.first }),
		moment("lastSeen", func(w *owner) domain.Micros { return w.last }),
		integer("countTraces", func(w *owner) int64 { return int64(len(w.traces)) }),
		integer("countSessions", func(w *owner) int64 { return int64(len(w.sessions)) }),
		integer("countObservations", func(w *owner) int64 { return w.observations }),
		integer("errorCount", func(w *owner) int64 { return w.errors }),
		integer("totalTokens", func(w *owner) int64 { return w.tokens }),
		number("inputCost", func(w *owner) float64 { return w.inputCost.Dollars() }),
		number("outputCost", func(w *owner) float64 { return w.outputCost.Dollars() }),
		number("totalCost", func(w *owner) float64 { return w.allCost.Dollars() }),
	}
}

// ownersAtOnce is how many sessions or users are put together at a time.
const ownersAtOnce = 100

// owners are the sessions or users that selected observations name, the last seen first. What is counted is everything of theirs
// in the time range and the environments of the request.
func (r *Reader) owners(ctx context.Context, q *Request) (*Table, error) {
	selected, err := r.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	fields, kind, column := sessionFields(), explore.Sessions, filter.ObservationColumn("sessionId")
	keyOf := func(o *domain.Observation) string { return o.SessionID }
	if q.Table == Users {
		fields, kind, column = userFields(), explore.Users, filter.ObservationColumn("userId")
		keyOf = func(o *domain.Observation) string { return o.UserID }
	}
	return &Table{Columns: columnsOf(fields), rows: func(ctx context.Context, emit func([]Value) error) error {
		ids, err := r.explorer().OwnerIDs(ctx, selected, kind)
		if err != nil {
			return err
		}
		row := make([]Value, len(fields))
		for some := range slices.Chunk(ids, ownersAtOnce) {
			owners, err := r.readOwners(ctx, selected, column, keyOf, some)
			if err != nil {
				return err
			}
			if q.WithComments {
				if err := r.addSessionComments(ctx, owners, some); err != nil {
					return err
				}
			}
			for _, id := range some {
				fill(fields, owners[id], row)
				if err := emit(row); err != nil {
					return err
				}
			}
		}
		return nil
	}}, nil
}

func (r *Reader) readOwners(
	ctx context.Context, s *explore.Selection, column *filter.Column[domain.Observation], keyOf func(*domain.Observation) string, ids []string,
) (map[string]*owner, error) {
	these, err := filter.NewTexts(column, filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	owners := make(map[string]*owner, len(ids))
	for _, id := range ids {
		owners[id] = newOwner(id)
	}
	query := store.Query[domain.Observation]{From: s.From, To: s.To, Where: append(slices.Clone(s.Within), these)}
	for o, err := range r.Store.Observations().Scan(ctx, r.Scope, query) {
		if err != nil {
			return nil, err
		}
		if w := owners[keyOf(o)]; w != nil {
			w.add(o)
		}
	}
	return owners, nil
}

func (r *Reader) addSessionComments(ctx context.Context, owners map[string]*owner, ids []string) error {
	comments, err := r.Catalog.CommentsOn(ctx, r.Scope, "SESSION", ids)
	for id, on := range comments {
		owners[id].comments = commentsText(on)
	}
	return err
}
