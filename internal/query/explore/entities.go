package explore

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// EntityQuery selects a page of sessions or users.
type EntityQuery struct {
	Kind  EntityKind
	Order Order
	// Part, if set, must be a substring of the id.
	Part  string
	After *EntityCursor
	Limit int
	// Scores adds the scores of the entities.
	Scores bool
}

// Entities returns a page of the sessions or users that a selection names, and the place of the last one if there are
// more. The search conditions select the entities, but their metrics cover all of their rows in the time range and
// environments.
func (e *Explorer) Entities(ctx context.Context, s *Selection, q *EntityQuery) ([]*Entity, *EntityCursor, error) {
	p, err := e.planEntities(ctx, s, &q.Kind)
	if err != nil {
		return nil, nil, err
	}
	scope := *p.scope // without the part of the id
	if q.Part != "" {
		part, err := filter.NewText(columnOf(q.Kind.column), filter.Contains, q.Part)
		if err != nil {
			return nil, nil, err
		}
		p.scope.Within = append(slices.Clone(s.Within), part)
	}
	page, next, err := e.entitiesOnPage(ctx, p, q)
	if err != nil || len(page) == 0 {
		return nil, nil, err
	}
	entities, err := e.describeEntities(ctx, &scope, columnOf(q.Kind.column), page)
	if err == nil && q.Scores {
		err = e.addEntityScores(ctx, &scope, &q.Kind, entities)
	}
	return entities, next, err
}

// CountEntities returns how many sessions or users a selection names.
func (e *Explorer) CountEntities(ctx context.Context, s *Selection, kind EntityKind) (int, error) {
	p, err := e.planEntities(ctx, s, &kind)
	if err != nil {
		return 0, err
	}
	ranking, err := e.Store.Observations().Rank(ctx, e.Scope, p.query(nil))
	if err != nil {
		return 0, err
	}
	return ranking.Total, nil
}

// ofEntities returns the selection of the rows of the sessions or users that a selection names.
func (e *Explorer) ofEntities(ctx context.Context, s *Selection) (*Selection, error) {
	p, err := e.planEntities(ctx, s, s.By)
	if err != nil {
		return nil, err
	}
	key := columnOf(s.By.column)
	rows := *p.scope
	rows.OfTraces, rows.counted = s.OfTraces, key
	rows.Where = []condition{s.By.named()}
	if p.isEverything() {
		return &rows, nil
	}
	q := p.query(nil)
	q.Limit = fewTraces + 1
	found, first, err := e.collect(ctx, &q)
	if err != nil {
		return nil, err
	}
	these, err := rowsOf(key, found, first)
	if err != nil {
		return nil, err
	}
	rows.Where = []condition{these}
	return &rows, nil
}

// collect returns the hashes of all entities that a query wants, and the ids of the first of them.
func (e *Explorer) collect(ctx context.Context, q *store.RankQuery[row]) (*store.HashSet, []string, error) {
	var mu sync.Mutex
	found, held, taken := new(store.HashSet), memory.NewTally(ctx), 0
	judge := q.Judge
	q.Begin = func() { found, taken = new(store.HashSet), 0 }
	q.Judge = func(t *store.RankTotals) (store.RankOrder, store.Verdict) {
		order, verdict := store.RankOrder{}, store.Wanted
		if judge != nil {
			order, verdict = judge(t)
		}
		if verdict == store.Wanted {
			mu.Lock()
			taken += found.Add(t.Hash)
			mu.Unlock()
		}
		return order, verdict
	}
	ranking, err := e.Store.Observations().Rank(ctx, e.Scope, *q)
	if err == nil {
		err = held.Add(int64(taken))
	}
	if err != nil {
		return nil, nil, err
	}
	ids := make([]string, len(ranking.Places))
	for n := range ranking.Places {
		ids[n] = ranking.Places[n].Key
	}
	return found, ids, nil
}

// entityBytes is roughly how much memory it takes to remember an entity that was met, and pageOfEntities how many bytes of
// ids are yielded at a time.
const (
	entityBytes    = 48
	pageOfEntities = 1 << 20
)

// EntityIDs yields the ids of all sessions or users that selected observations name, last seen first, in pages. Only a
// hash of each entity stays in memory, and no read is in progress while a page is used.
func (e *Explorer) EntityIDs(ctx context.Context, s *Selection, kind EntityKind) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		w := &entityWalk{
			Explorer: e, key: columnOf(kind.column), seed: maphash.MakeSeed(), hashes: make(map[uint64]struct{}),
			held: memory.NewTally(ctx), paged: memory.NewTally(ctx),
		}
		defer w.held.Release()
		defer w.paged.Release()
		named := *s
		named.Within = append(slices.Clone(s.Within), filter.Must(filter.NewNull(w.key, false)))
		err := w.choose(ctx, &named)
		for more := true; more && err == nil; {
			var page []string
			if page, more, err = w.page(ctx, &named); err == nil && len(page) > 0 && !yield(page, nil) {
				return
			}
		}
		if errors.Is(err, memory.ErrTooLarge) {
			err = &traces.TooMany{Things: kind.things, Limit: len(w.hashes)}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// entityWalk finds entities, page by page.
type entityWalk struct {
	*Explorer
	key  *column
	seed maphash.Seed
	// hashes are those of the entities that were met or, if there are search conditions, of those that are still to come.
	hashes map[uint64]struct{}
	chosen bool
	held   *memory.Tally // for hashes
	paged  *memory.Tally // for the ids of the current page
}

// note adds an entity, and reports whether it is new.
func (w *entityWalk) note(id string) (added bool, err error) {
	hash := maphash.String(w.seed, id)
	if _, known := w.hashes[hash]; known {
		return false, nil
	}
	w.hashes[hash] = struct{}{}
	return true, w.held.Add(entityBytes)
}

// choose finds the entities of rows that meet the search conditions, if there are any. Their order is that of all of their
// rows.
func (w *entityWalk) choose(ctx context.Context, s *Selection) error {
	if w.chosen = len(s.Where) > 0; !w.chosen {
		return nil
	}
	for o, err := range w.Store.Observations().Scan(ctx, w.Scope, store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}) {
		if err != nil {
			return err
		}
		id, _ := w.key.Text(o)
		if _, err := w.note(id); err != nil {
			return err
		}
	}
	s.Where = nil
	return nil
}

// page returns the next entities, and reports whether there may be more. It moves the end of the selection.
func (w *entityWalk) page(ctx context.Context, s *Selection) (ids []string, more bool, err error) {
	w.paged.Release()
	var places []EntityCursor // the new entities in the current millisecond
	at := make(map[string]int)
	current, bytes := int64(0), 0
	order := Order{Column: "lastSeen"}
	flush := func() {
		slices.SortFunc(places, func(a, b EntityCursor) int { return order.compareEntities(&a, &b) })
		for n := range places {
			ids = append(ids, places[n].ID)
		}
		places = places[:0]
		clear(at)
	}
	for o, err := range w.Store.Observations().Scan(ctx, w.Scope, store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}) {
		if err != nil {
			return nil, false, err
		}
		if millis := o.StartTime.Millis(); millis != current {
			flush()
			if bytes > pageOfEntities || w.chosen && len(w.hashes) == 0 {
				return ids, len(w.hashes) > 0, nil
			}
			current, s.To = millis, domain.Micros(millis*1000) // where the next page begins
		}
		id, _ := w.key.Text(o)
		switch wanted, err := w.meet(id); {
		case err != nil:
			return nil, false, err
		case wanted:
			id = strings.Clone(id)
			at[id] = len(places)
			places = append(places, EntityCursor{Value: float64(o.StartTime), ID: id})
			bytes += len(id) + entityBytes
			if err := w.paged.Add(int64(len(id) + 3*entityBytes)); err != nil {
				return nil, false, err
			}
		default:
			if n, here := at[id]; here { // rows of a millisecond are in no particular order
				places[n].Value = max(places[n].Value, float64(o.StartTime))
			}
		}
	}
	flush()
	return ids, false, nil
}

// meet reports whether an entity is wanted, once.
func (w *entityWalk) meet(id string) (bool, error) {
	if !w.chosen {
		return w.note(id)
	}
	hash := maphash.String(w.seed, id)
	_, wanted := w.hashes[hash]
	delete(w.hashes, hash)
	return wanted, nil
}

// entitiesOnPage returns the entities on a page.
func (e *Explorer) entitiesOnPage(ctx context.Context, p *entityPlan, q *EntityQuery) ([]string, *EntityCursor, error) {
	if p.isEverything() && q.After == nil && q.Order.Column == "lastSeen" && !q.Order.Ascending {
		scope := *p.scope
		scope.Where = []condition{p.kind.named()}
		ids, next, ok, err := e.lastSeen(ctx, &scope, columnOf(p.kind.column), q.Limit)
		if ok || err != nil {
			return ids, next, err
		}
	}
	f := p.kind.figureNamed(q.Order.Column)
	if f == nil || f.distinct == "" {
		return e.rankEntities(ctx, p, f, q)
	}
	places, err := e.entityPlaces(ctx, p, f)
	if err != nil {
		return nil, nil, err
	}
	first, next := pageOf(places, q.After, q.Limit, q.Order.compareEntities)
	ids := make([]string, len(first))
	for n, p := range first {
		ids[n] = p.ID
	}
	return ids, next, nil
}

// rankEntities returns the entities on a page in an order by a figure of their rows, or by their ids, of any number of
// entities.
func (e *Explorer) rankEntities(
	ctx context.Context, p *entityPlan, f *figure, q *EntityQuery,
) (ids []string, next *EntityCursor, err error) {
	order := func(*judged) float64 { return 0 }
	if f != nil {
		p.measures.add(f.name)
		order = func(o *judged) float64 { return f.value(&o.Entity) }
	}
	rq := p.query(order)
	rq.Ascending, rq.KeysAscending, rq.Limit = q.Order.Ascending, q.Order.byID() && q.Order.Ascending, q.Limit+1
	if q.After != nil {
		rq.After = &store.RankPlace{RankOrder: store.RankOrder{Value: q.After.Value}, Key: q.After.ID}
	}
	ranking, err := e.Store.Observations().Rank(ctx, e.Scope, rq)
	if err != nil {
		return nil, nil, err
	}
	places := ranking.Places
	if len(places) > q.Limit {
		places = places[:q.Limit]
		last := places[q.Limit-1]
		next = &EntityCursor{Value: last.Value, ID: last.Key}
	}
	for _, p := range places {
		ids = append(ids, p.Key)
	}
	return ids, next, nil
}

// lastSeen returns the entities seen last by reading the newest rows. It gives up and returns false for ok if too many
// rows belong to too few entities.
func (e *Explorer) lastSeen(
	ctx context.Context, s *Selection, key *column, limit int,
) (ids []string, next *EntityCursor, ok bool, err error) {
	const rowsForEntity = 100
	met := make(map[string]int, limit) // their places
	var places []EntityCursor
	left := rowsForEntity * (limit + 1)
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}) {
		if err != nil {
			return nil, nil, false, err
		}
		// Rows are ordered by millisecond: further rows in the millisecond of the last wanted entity may be newer.
		if len(places) > limit && domain.Micros(places[limit].Value).Millis() > o.StartTime.Millis() {
			break
		}
		if left--; left == 0 {
			return nil, nil, false, nil
		}
		id, _ := key.Text(o)
		if n, known := met[id]; known {
			// Rows of a millisecond are in no particular order.
			places[n].Value = max(places[n].Value, float64(o.StartTime))
			continue
		}
		id = strings.Clone(id)
		met[id] = len(places)
		places = append(places, EntityCursor{Value: float64(o.StartTime), ID: id})
	}
	order := Order{Column: "lastSeen"}
	slices.SortStableFunc(places, func(a, b EntityCursor) int { return order.compareEntities(&a, &b) })
	if len(places) > limit {
		places = places[:limit]
		next = &places[limit-1]
	}
	for n := range places {
		ids = append(ids, places[n].ID)
	}
	return ids, next, true, nil
}

// entityPlaces returns the places of all selected entities by the number of their traces or sessions.
func (e *Explorer) entityPlaces(ctx context.Context, p *entityPlan, f *figure) ([]EntityCursor, error) {
	var wanted *store.HashSet // nil for all
	if !p.isEverything() {
		q := p.query(nil)
		var err error
		if wanted, _, err = e.collect(ctx, &q); err != nil {
			return nil, err
		}
	}
	var places []EntityCursor
	err := e.countDistinct(ctx, p, f, func(id string, count float64) {
		if wanted == nil || wanted.Has(store.TextHash(id)) {
			places = append(places, EntityCursor{Value: count, ID: id})
		}
	})
	return places, err
}

// describeEntities returns entities with their metrics, in the order of ids.
func (e *Explorer) describeEntities(ctx context.Context, s *Selection, key *column, ids []string) ([]*Entity, error) {
	these, err := named(key, ids)
	if err != nil {
		return nil, err
	}
	counted := &Selection{From: s.From, To: s.To, Within: append(slices.Clone(s.Within), these)}
	entities := make(map[string]*Entity, len(ids))
	list := make([]*Entity, len(ids))
	for n, id := range ids {
		list[n] = &Entity{ID: id}
		entities[id] = list[n]
	}
	if err := e.addFigures(ctx, counted, key, entities); err != nil {
		return nil, err
	}
	return list, e.addKinds(ctx, counted, key, entities)
}

// addFigures adds the metrics of entities, in one pass.
func (e *Explorer) addFigures(ctx context.Context, s *Selection, key *column, entities map[string]*Entity) error {
	measures := []measure{
		{Function: store.Min, Column: columnOf("startTime")},
		{Function: store.Max, Column: columnOf("startTime")},
		{Function: store.Max, Column: columnOf("endTime")},
		{Function: store.Distinct, Column: columnOf("traceId")},
	}
	names := []string{"firstSeen", "lastSeen", "lastEnd", "traces"}
	for _, name := range []string{"totalCost", "inputCost", "outputCost", "totalTokens", "inputTokens", "outputTokens"} {
		names, measures = append(names, name), append(measures, measure{Function: store.Sum, Column: columnOf(name)})
	}
	if key != columnOf("sessionId") {
		names, measures = append(names, "sessions"), append(measures, measure{Function: store.Distinct, Column: columnOf("sessionId")})
	}
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: []*column{key}, Measures: measures})
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		if o := entities[groups.Rows[n].Keys[0]]; o != nil {
			for m, name := range names {
				o.set(name, numberOf(groups.Rows[n].Values[m]))
			}
		}
	}
	return nil
}

// addKinds counts observations and those with errors, and adds the users and environment of a session. Rows that stand
// for a whole trace are not observations.
func (e *Explorer) addKinds(ctx context.Context, s *Selection, key *column, entities map[string]*Entity) error {
	by := []*column{key, columnOf("level"), columnOf("ingestionSource")}
	ofSessions := key == columnOf("sessionId")
	if ofSessions {
		by = append(by, columnOf("userId"), columnOf("environment"))
	}
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: by, Measures: []measure{{Function: store.Count}}})
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	environments := make(map[*Entity]map[string]int)
	for n := range groups.Rows {
		g := &groups.Rows[n]
		o := entities[g.Keys[0]]
		if o == nil {
			continue
		}
		count := int(numberOf(g.Values[0]))
		if g.Keys[2] != domain.SourceIngestionTrace {
			o.Observations += count
			if g.Keys[1] == "ERROR" {
				o.Errors += count
			}
		}
		if !ofSessions {
			continue
		}
		if user := g.Keys[3]; user != "" && len(o.Users) < MaxUsersShown && !slices.Contains(o.Users, user) {
			o.Users = append(o.Users, user)
		}
		if environments[o] == nil {
			environments[o] = make(map[string]int)
		}
		environments[o][cmp.Or(g.Keys[4], "default")] += count
	}
	for _, o := range entities {
		slices.Sort(o.Users)
		for name, count := range environments[o] {
			if most := environments[o][o.Environment]; count > most || count == most && name < o.Environment {
				o.Environment = name
			}
		}
	}
	return nil
}
