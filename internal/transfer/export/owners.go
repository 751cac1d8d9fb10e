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

// owner is a session or user, aggregated from the rows that name it.
type owner struct {
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

func (w *owner) add(o *domain.Observation) error {
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

func sessionFields() []field[owner] {
	return []field[owner]{
		text("id", func(w *owner) string { return w.id }),
		list("userIds", func(w *owner) []string { return sorted(w.users) }),
		integer("countTraces", func(w *owner) int64 { return w.traces }),
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
		integer("countTraces", func(w *owner) int64 { return w.traces }),
		integer("countSessions", func(w *owner) int64 { return w.sessions }),
		integer("countObservations", func(w *owner) int64 { return w.observations }),
		integer("errorCount", func(w *owner) int64 { return w.errors }),
		integer("totalTokens", func(w *owner) int64 { return w.tokens }),
		number("inputCost", func(w *owner) float64 { return w.inputCost.Dollars() }),
		number("outputCost", func(w *owner) float64 { return w.outputCost.Dollars() }),
		number("totalCost", func(w *owner) float64 { return w.allCost.Dollars() }),
	}
}

// ownersAtOnce is the number of sessions or users aggregated at a time.
const ownersAtOnce = 1000

// ownerKind holds what differs between sessions and users.
type ownerKind struct {
	explore.OwnerKind
	fields []field[owner]
	column *filter.Column[domain.Observation]
}

func (k *ownerKind) make(id string, held *memory.Tally) *owner {
	if k.OwnerKind == explore.Users {
		return &owner{id: id, held: held}
	}
	return &owner{id: id, held: held, users: map[string]bool{}, tags: map[string]bool{}}
}

// where returns the conditions for rows that name one of the owners.
func (k *ownerKind) where(s *explore.Selection, ids []string) ([]filter.Condition[domain.Observation], error) {
	these, err := filter.NewTexts(k.column, filter.AnyOf, ids)
	return append(slices.Clone(s.Within), these), err
}

// owners returns the table of sessions or users that selected observations name, last seen first. Their metrics cover
// all of their rows in the time range and environments of the request.
func (r *Reader) owners(ctx context.Context, q *Request) (*Table, error) {
	selected, err := r.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	kind := &ownerKind{explore.Sessions, sessionFields(), filter.ObservationColumn("sessionId")}
	if q.Table == Users {
		kind = &ownerKind{explore.Users, userFields(), filter.ObservationColumn("userId")}
	}
	besides := &beside{columns: columnsOf(kind.fields)}
	if q.Table == Sessions {
		if besides, err = r.beside(ctx, q, ofSessions, columnsOf(kind.fields)); err != nil {
			return nil, err
		}
	}
	return &Table{Columns: besides.columns, rows: func(ctx context.Context, emit func([]Value) error) error {
		row, held := make([]Value, len(besides.columns)), memory.NewTally(ctx)
		defer held.Release()
		for ids, err := range r.explorer().OwnerIDs(ctx, selected, kind.OwnerKind) {
			if err != nil {
				return err
			}
			for some := range slices.Chunk(ids, ownersAtOnce) {
				if err := r.emitOwners(ctx, selected, kind, some, besides, held, row, emit); err != nil {
					return err
				}
			}
		}
		return nil
	}}, nil
}

// emitOwners emits the rows of some owners.
func (r *Reader) emitOwners(
	ctx context.Context, s *explore.Selection, kind *ownerKind, ids []string, besides *beside, held *memory.Tally, row []Value, emit func([]Value) error,
) error {
	defer held.Release()
	owners, err := r.readOwners(ctx, s, kind, ids, held)
	if err != nil {
		return err
	}
	var more *found
	if !besides.empty() {
		subjects := make([]subject, len(ids))
		for n, id := range ids {
			subjects[n].sessionID = id
		}
		if more, err = besides.lookUp(ctx, subjects); err != nil {
			return err
		}
	}
	for n, id := range ids {
		fill(kind.fields, owners[id], row)
		if more != nil {
			more.fill(n, row[len(kind.fields):])
		}
		if err := emit(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) readOwners(
	ctx context.Context, s *explore.Selection, kind *ownerKind, ids []string, held *memory.Tally,
) (map[string]*owner, error) {
	where, err := kind.where(s, ids)
	if err != nil {
		return nil, err
	}
	owners := make(map[string]*owner, len(ids))
	for _, id := range ids {
		owners[id] = kind.make(id, held)
		const perOwner = 700
		if err := held.Add(int64(perOwner + len(id))); err != nil {
			return nil, err
		}
	}
	met := &ownedSet{seed: maphash.MakeSeed(), entries: make(map[owned]struct{}), held: held, most: cmp.Or(r.maxOwned, maxOwned)}
	for o, err := range r.Store.Observations().Scan(ctx, r.Scope, store.Query[domain.Observation]{From: s.From, To: s.To, Where: where}) {
		if err != nil {
			return nil, err
		}
		id, _ := kind.column.Text(o)
		if w := owners[id]; w != nil {
			if err := errors.Join(w.add(o), met.add(w, o)); err != nil {
				return nil, err
			}
		}
	}
	if met.full {
		return owners, r.countOwned(ctx, s, kind, ids, owners)
	}
	return owners, nil
}

// maxOwned is the number of traces and sessions of some owners up to which they are counted while their rows are read.
const maxOwned = 100_000

// owned is a trace or session of an owner.
type owned struct {
	owner   *owner
	session bool
	hash    uint64
}

// ownedSet counts the traces and sessions of owners, as long as there are not too many.
type ownedSet struct {
	seed    maphash.Seed
	entries map[owned]struct{}
	held    *memory.Tally
	most    int
	full    bool
}

func (s *ownedSet) add(w *owner, o *domain.Observation) error {
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

// countOwned counts the traces and sessions of owners. There can be millions, so the store counts them with bounded
// memory; if that is exceeded, the owners are counted in halves.
func (r *Reader) countOwned(ctx context.Context, s *explore.Selection, kind *ownerKind, ids []string, owners map[string]*owner) error {
	type row = domain.Observation
	where, err := kind.where(s, ids)
	if err != nil {
		return err
	}
	groups, err := r.Store.Observations().Aggregate(ctx, r.Scope, store.AggregateQuery[row]{
		From: s.From, To: s.To, Where: where, GroupBy: []*filter.Column[row]{kind.column},
		Measures: []store.Measure[row]{
			{Function: store.Distinct, Column: filter.ObservationColumn("traceId")}, {Function: store.Distinct, Column: filter.ObservationColumn("sessionId")},
		},
	})
	if half := len(ids) / 2; half > 0 && errors.Is(err, store.ErrTooLarge) {
		if err := r.countOwned(ctx, s, kind, ids[:half], owners); err != nil {
			return err
		}
		return r.countOwned(ctx, s, kind, ids[half:], owners)
	}
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		if w, values := owners[groups.Rows[n].Keys[0]], groups.Rows[n].Values; w != nil {
			w.traces, w.sessions = int64(values[0].Value), int64(values[1].Value)
		}
	}
	return nil
}
