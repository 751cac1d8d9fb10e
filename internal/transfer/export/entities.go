package export

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/store"
)

// entity is a session or user, aggregated from the rows that name it.
type entity struct {
	id                             string
	traces, sessions               int64
	users, tags                    map[string]bool // of a session
	observations, errors           int64
	first, last, end               domain.Micros
	createdAt                      domain.Micros
	tokens                         int64
	inputCost, outputCost, allCost domain.Sum
	bookmarked, public             bool
	held                           *memory.Tally
}

func (w *entity) add(o *domain.Observation) error {
	var err error
	note := func(set map[string]bool, text string) {
		if text != "" && set != nil && !set[text] && err == nil {
			set[strings.Clone(text)] = true
			const entry = 64
			err = w.held.Add(int64(entry + len(text)))
		}
	}
	note(w.users, o.UserID)
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
		return err
	}
	w.observations++
	if o.Level == "ERROR" {
		w.errors++
	}
	w.tokens += o.TotalTokens.Value
	w.inputCost.Add(o.InputCost)
	w.outputCost.Add(o.OutputCost)
	w.allCost.Add(o.TotalCost.Value)
	return err
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

func sessionFields() []field[entity] {
	return []field[entity]{
		text("id", func(w *entity) string { return w.id }),
		list("userIds", func(w *entity) []string { return sorted(w.users) }),
		integer("countTraces", func(w *entity) int64 { return w.traces }),
		number("sessionDuration", func(w *entity) float64 { return float64(w.end.Millis()-w.first.Millis()) / 1000 }),
		number("inputCost", func(w *entity) float64 { return w.inputCost.Dollars() }),
		number("outputCost", func(w *entity) float64 { return w.outputCost.Dollars() }),
		number("totalCost", func(w *entity) float64 { return w.allCost.Dollars() }),
		integer("totalTokens", func(w *entity) int64 { return w.tokens }),
		list("traceTags", func(w *entity) []string { return sorted(w.tags) }),
		moment("createdAt", func(w *entity) domain.Micros { return w.createdAt }),
		boolean("bookmarked", func(w *entity) bool { return w.bookmarked }),
		boolean("public", func(w *entity) bool { return w.public }),
		integer("totalCount", func(w *entity) int64 { return w.observations }),
		moment("firstSeen", func(w *entity) domain.Micros { return w.first }),
		moment("lastSeen", func(w *entity) domain.Micros { return w.last }),
		integer("errorCount", func(w *entity) int64 { return w.errors }),
	}
}

func userFields() []field[entity] {
	return []field[entity]{
		text("id", func(w *entity) string { return w.id }),
		moment("firstSeen", func(w *entity) domain.Micros { return w.first }),
		moment("lastSeen", func(w *entity) domain.Micros { return w.last }),
		integer("countTraces", func(w *entity) int64 { return w.traces }),
		integer("countSessions", func(w *entity) int64 { return w.sessions }),
		integer("countObservations", func(w *entity) int64 { return w.observations }),
		integer("errorCount", func(w *entity) int64 { return w.errors }),
		integer("totalTokens", func(w *entity) int64 { return w.tokens }),
		number("inputCost", func(w *entity) float64 { return w.inputCost.Dollars() }),
		number("outputCost", func(w *entity) float64 { return w.outputCost.Dollars() }),
		number("totalCost", func(w *entity) float64 { return w.allCost.Dollars() }),
	}
}

// entitiesAtOnce is the number of sessions or users aggregated at a time.
const entitiesAtOnce = 1000

// entityKind holds what differs between sessions and users.
type entityKind struct {
	explore.EntityKind
	fields []field[entity]
	column *filter.Column[domain.Observation]
}

func (k *entityKind) make(id string, held *memory.Tally) *entity {
	if k.EntityKind == explore.Users {
		return &entity{id: id, held: held}
	}
	return &entity{id: id, held: held, users: map[string]bool{}, tags: map[string]bool{}}
}

// where returns the conditions for rows that name one of the entities.
func (k *entityKind) where(s *explore.Selection, ids []string) ([]filter.Condition[domain.Observation], error) {
	these, err := filter.NewTexts(k.column, filter.AnyOf, ids)
	return append(slices.Clone(s.Within), these), err
}

// entities returns the table of sessions or users that selected observations name, last seen first. Their metrics cover
// all of their rows in the time range and environments of the request.
func (r *Reader) entities(ctx context.Context, q *Request) (*Table, error) {
	selected, err := r.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	kind := &entityKind{explore.Sessions, sessionFields(), filter.ObservationColumn("sessionId")}
	if q.Table == Users {
		kind = &entityKind{explore.Users, userFields(), filter.ObservationColumn("userId")}
	}
	besides := &extraColumns{columns: columnsOf(kind.fields)}
	if q.Table == Sessions {
		if besides, err = r.extraColumns(ctx, q, ofSessions, columnsOf(kind.fields)); err != nil {
			return nil, err
		}
	}
	return &Table{Columns: besides.columns, rows: func(ctx context.Context, emit func([]Value) error) error {
		held := memory.NewTally(ctx)
		defer held.Release()
		for ids, err := range r.explorer().EntityIDs(ctx, selected, kind.EntityKind) {
			if err != nil {
				return err
			}
			for some := range slices.Chunk(ids, entitiesAtOnce) {
				if err := r.emitEntities(ctx, selected, kind, some, besides, held, emit); err != nil {
					return err
				}
			}
		}
		return nil
	}}, nil
}

// emitEntities emits the rows of some entities.
func (r *Reader) emitEntities(
	ctx context.Context, s *explore.Selection, kind *entityKind, ids []string, besides *extraColumns, held *memory.Tally,
	emit func([]Value) error,
) error {
	defer held.Release()
	entities, err := r.readEntities(ctx, s, kind, ids, held)
	if err != nil {
		return err
	}
	return emitAll(ctx, besides, ids, func(id string) subject { return subject{sessionID: id} },
		func(id string, row []Value) { fill(kind.fields, entities[id], row) }, emit)
}

func (r *Reader) readEntities(
	ctx context.Context, s *explore.Selection, kind *entityKind, ids []string, held *memory.Tally,
) (map[string]*entity, error) {
	where, err := kind.where(s, ids)
	if err != nil {
		return nil, err
	}
	entities := make(map[string]*entity, len(ids))
	for _, id := range ids {
		entities[id] = kind.make(id, held)
		const perEntity = 700
		if err := held.Add(int64(perEntity + len(id))); err != nil {
			return nil, err
		}
	}
	met := &ownedSet{seed: maphash.MakeSeed(), entries: make(map[owned]struct{}), held: held, most: cmp.Or(r.maxOwned, maxOwned)}
	for o, err := range r.Store.Observations().Scan(ctx, r.Scope, store.Query[domain.Observation]{From: s.From, To: s.To, Where: where}) {
		if err != nil {
			return nil, err
		}
		id, _ := kind.column.Text(o)
		if w := entities[id]; w != nil {
			if err := errors.Join(w.add(o), met.add(w, o)); err != nil {
				return nil, err
			}
		}
	}
	if met.full {
		return entities, r.countOwned(ctx, s, kind, ids, entities)
	}
	return entities, nil
}

// maxOwned is the number of traces and sessions of some entities up to which they are counted while their rows are read.
const maxOwned = 100_000

// owned is a trace or session of an entity.
type owned struct {
	entity  *entity
	session bool
	hash    uint64
}

// ownedSet counts the traces and sessions of entities, as long as there are not too many.
type ownedSet struct {
	seed    maphash.Seed
	entries map[owned]struct{}
	held    *memory.Tally
	most    int
	full    bool
}

func (s *ownedSet) add(w *entity, o *domain.Observation) error {
	const perEntry = 64
	for n, id := range [2]string{o.TraceID, o.SessionID} {
		session := n == 1
		entry := owned{w, session, maphash.String(s.seed, id)}
		if _, known := s.entries[entry]; known || s.full || id == "" {
			continue
		}
		if s.full = len(s.entries) == s.most; s.full {
			clear(s.entries)
			return nil
		}
		s.entries[entry] = struct{}{}
		if session {
			w.sessions++
		} else {
			w.traces++
		}
		if err := s.held.Add(perEntry); err != nil {
			return err
		}
	}
	return nil
}

// countOwned counts the traces and sessions of entities. There can be millions, so the store counts them with bounded
// memory; if that is exceeded, the entities are counted in halves.
func (r *Reader) countOwned(ctx context.Context, s *explore.Selection, kind *entityKind, ids []string, entities map[string]*entity) error {
	type row = domain.Observation
	where, err := kind.where(s, ids)
	if err != nil {
		return err
	}
	groups, err := r.Store.Observations().Aggregate(ctx, r.Scope, store.AggregateQuery[row]{
		From: s.From, To: s.To, Where: where, GroupBy: []*filter.Column[row]{kind.column},
		Measures: []store.Measure[row]{
			{Function: store.Distinct, Column: filter.ObservationColumn("traceId")},
			{Function: store.Distinct, Column: filter.ObservationColumn("sessionId")},
		},
	})
	if half := len(ids) / 2; half > 0 && errors.Is(err, store.ErrTooLarge) {
		if err := r.countOwned(ctx, s, kind, ids[:half], entities); err != nil {
			return err
		}
		return r.countOwned(ctx, s, kind, ids[half:], entities)
	}
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		if w, values := entities[groups.Rows[n].Keys[0]], groups.Rows[n].Values; w != nil {
			w.traces, w.sessions = int64(values[0].Value), int64(values[1].Value)
		}
	}
	return nil
}
