package explore

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Entity is a session or user with the metrics of its rows.
type Entity struct {
	ID string
	// FirstSeen and LastSeen are the start of its first and last row, LastEnd is the last end.
	FirstSeen, LastSeen, LastEnd   domain.Micros
	Traces, Sessions, Observations int
	Errors                         int
	TotalCost                      float64
	TotalTokens                    int64
	Users                          []string // for a session, at most MaxUsersShown
	Environment                    string   // for a session, that of most of its rows
}

// MaxUsersShown is the maximum number of users listed for a session.
const MaxUsersShown = 5

// EntityKind is a kind of entity: sessions or users.
type EntityKind struct {
	column string
	things string
}

// The kinds of entities.
var (
	Sessions = EntityKind{"sessionId", "sessions"}
	Users    = EntityKind{"userId", "users"}
)

// EntityOrders are the columns that sessions and users can be ordered by.
var EntityOrders = []string{"lastSeen", "totalCost", "traces", "totalTokens"}

// EntityCursor is the position of an entity in an order.
type EntityCursor struct {
	Value float64
	ID    string
}

// compareEntities orders entities. Ties are ordered by descending id.
func (o Order) compareEntities(a, b *EntityCursor) int {
	c := cmp.Compare(b.Value, a.Value)
	if o.Ascending {
		c = -c
	}
	return cmp.Or(c, strings.Compare(b.ID, a.ID))
}

// EntityQuery selects a page of sessions or users.
type EntityQuery struct {
	Kind  EntityKind
	Order Order
	// Part, if set, must be a substring of the id.
	Part  string
	After *EntityCursor
	Limit int
}

// Entities returns a page of the sessions or users that selected observations name, and the place of the last one if
// there are more. The search conditions select the entities, but their metrics cover all of their rows in the time range
// and environments.
func (e *Explorer) Entities(ctx context.Context, s *Selection, q *EntityQuery) ([]*Entity, *EntityCursor, error) {
	s, err := e.Resolve(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	chosen := *s
	key := columnOf(q.Kind.column)
	chosen.Within = append(slices.Clone(s.Within), filter.Must(filter.NewNull(key, false)))
	if q.Part != "" {
		part, err := filter.NewText(key, filter.Contains, q.Part)
		if err != nil {
			return nil, nil, err
		}
		chosen.Within = append(chosen.Within, part)
	}
	page, next, err := e.entitiesOnPage(ctx, &chosen, key, q)
	if err != nil || len(page) == 0 {
		return nil, nil, err
	}
	entities, err := e.describeEntities(ctx, s, key, page)
	return entities, next, err
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
func (e *Explorer) entitiesOnPage(ctx context.Context, s *Selection, key *column, q *EntityQuery) ([]string, *EntityCursor, error) {
	if len(s.Where) == 0 && q.After == nil && q.Order.Column == "lastSeen" && !q.Order.Ascending {
		ids, next, ok, err := e.lastSeen(ctx, s, key, q.Limit)
		if ok || err != nil {
			return ids, next, err
		}
	}
	if q.Order.Column != "traces" {
		return e.rankEntities(ctx, s, key, q)
	}
	places, err := e.entityPlaces(ctx, s, key, q)
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

// rankEntities returns the entities on a page in an order by a figure of their rows, of any number of entities.
func (e *Explorer) rankEntities(
	ctx context.Context, s *Selection, key *column, q *EntityQuery,
) (ids []string, next *EntityCursor, err error) {
	rq := store.RankQuery[row]{
		From: s.From, To: s.To, Where: s.Within, Key: key, Ascending: q.Order.Ascending, Limit: q.Limit + 1,
		Measures: []store.RankMeasure[row]{{Function: store.Max, Column: columnOf("startTime")}},
	}
	if q.Order.Column != "lastSeen" {
		rq.Measures[0] = store.RankMeasure[row]{Function: store.Sum, Column: columnOf(q.Order.Column)}
	}
	if len(s.Where) > 0 {
		rq.Flags = []store.RankFlag[row]{{Where: s.Where}}
	}
	if q.After != nil {
		rq.After = &store.RankPlace{RankOrder: store.RankOrder{Value: q.After.Value}, Key: q.After.ID}
	}
	rq.Judge = func(t *store.RankTotals) (order store.RankOrder, verdict store.Verdict) {
		if len(rq.Flags) > 0 && !t.Has(0) {
			return order, store.Unwanted
		}
		switch order.Value = t.Values[0]; {
		case math.IsNaN(order.Value):
			order.Value = 0
		case q.Order.Column == "totalCost":
			order.Value = domain.Dollars(order.Value)
		}
		return order, store.Wanted
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

// entityPlaces returns the places of all selected entities by the number of their traces.
func (e *Explorer) entityPlaces(ctx context.Context, s *Selection, key *column, q *EntityQuery) ([]EntityCursor, error) {
	group := func(of *Selection, m ...measure) (*store.Groups, error) {
		groups, err := e.aggregate(ctx, of, store.AggregateQuery[row]{GroupBy: []*column{key}, Measures: m, MaxGroups: traces.MaxTraces})
		if errors.Is(err, store.ErrTooLarge) {
			return nil, &traces.TooMany{Things: q.Kind.things, Limit: traces.MaxTraces}
		}
		return groups, err
	}
	counted := *s
	var wanted map[string]struct{} // nil for all
	if len(s.Where) > 0 {
		chosen, err := group(s)
		if err != nil {
			return nil, err
		}
		wanted = make(map[string]struct{}, len(chosen.Rows))
		for n := range chosen.Rows {
			wanted[chosen.Rows[n].Keys[0]] = struct{}{}
		}
		memory.Of(ctx).Shrink(chosen.Held)
		counted.Where = nil
	}
	by := measure{Function: store.Distinct, Column: columnOf("traceId")}
	groups, err := group(&counted, by)
	if err != nil {
		return nil, err
	}
	places := make([]EntityCursor, 0, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if _, ok := wanted[g.Keys[0]]; ok || wanted == nil {
			places = append(places, EntityCursor{Value: numberOf(g.Values[0]), ID: g.Keys[0]})
		}
	}
	return places, nil
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
		{Function: store.Sum, Column: columnOf("totalCost")},
		{Function: store.Sum, Column: columnOf("totalTokens")},
		{Function: store.Distinct, Column: columnOf("traceId")},
	}
	if key != columnOf("sessionId") {
		measures = append(measures, measure{Function: store.Distinct, Column: columnOf("sessionId")})
	}
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: []*column{key}, Measures: measures})
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		values := groups.Rows[n].Values
		o := entities[groups.Rows[n].Keys[0]]
		if o == nil {
			continue
		}
		o.FirstSeen, o.LastSeen, o.LastEnd = domain.Micros(numberOf(values[0])), domain.Micros(numberOf(values[1])),
			domain.Micros(numberOf(values[2]))
		o.TotalCost, o.TotalTokens = domain.Dollars(numberOf(values[3])), int64(numberOf(values[4]))
		o.Traces = int(numberOf(values[5]))
		if len(values) > 6 {
			o.Sessions = int(numberOf(values[6]))
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
