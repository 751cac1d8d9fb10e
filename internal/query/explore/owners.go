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

// Owner is a session or user with the metrics of its rows.
type Owner struct {
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

// OwnerKind is a kind of owner: sessions or users.
type OwnerKind struct {
	column string
	things string
}

// The kinds of owners.
var (
	Sessions = OwnerKind{"sessionId", "sessions"}
	Users    = OwnerKind{"userId", "users"}
)

// OwnerOrders are the columns that sessions and users can be ordered by.
var OwnerOrders = []string{"lastSeen", "totalCost", "traces", "totalTokens"}

// OwnerPlace is the position of an owner in an order.
type OwnerPlace struct {
	Value float64
	ID    string
}

// compareOwners orders owners. Ties are ordered by descending id.
func (o Order) compareOwners(a, b *OwnerPlace) int {
	c := cmp.Compare(b.Value, a.Value)
	if o.Ascending {
		c = -c
	}
	return cmp.Or(c, strings.Compare(b.ID, a.ID))
}

// OwnerQuery selects a page of sessions or users.
type OwnerQuery struct {
	Kind  OwnerKind
	Order Order
	// Part, if set, must be a substring of the id.
	Part  string
	After *OwnerPlace
	Limit int
}

// Owners returns a page of the sessions or users that selected observations name, and the place of the last one if
// there are more. The search conditions select the owners, but their metrics cover all of their rows in the time range
// and environments.
func (e *Explorer) Owners(ctx context.Context, s *Selection, q *OwnerQuery) ([]*Owner, *OwnerPlace, error) {
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
	page, next, err := e.ownersOnPage(ctx, &chosen, key, q)
	if err != nil || len(page) == 0 {
		return nil, nil, err
	}
	owners, err := e.describeOwners(ctx, s, key, page)
	return owners, next, err
}

// ownerBytes is roughly how much memory it takes to remember an owner that was met, and pageOfOwners how many bytes of
// ids are yielded at a time.
const (
	ownerBytes   = 48
	pageOfOwners = 1 << 20
)

// OwnerIDs yields the ids of all sessions or users that selected observations name, last seen first, in pages. Only a
// hash of each owner stays in memory, and no read is in progress while a page is used.
func (e *Explorer) OwnerIDs(ctx context.Context, s *Selection, kind OwnerKind) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		w := &ownerWalk{Explorer: e, key: columnOf(kind.column), seed: maphash.MakeSeed(), hashes: make(map[uint64]struct{}), held: memory.NewTally(ctx), paged: memory.NewTally(ctx)}
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

// ownerWalk finds owners, page by page.
type ownerWalk struct {
	*Explorer
	key  *column
	seed maphash.Seed
	// hashes are those of the owners that were met or, if there are search conditions, of those that are still to come.
	hashes map[uint64]struct{}
	chosen bool
	held   *memory.Tally // for hashes
	paged  *memory.Tally // for the ids of the current page
}

// note adds an owner, and reports whether it is new.
func (w *ownerWalk) note(id string) (added bool, err error) {
	hash := maphash.String(w.seed, id)
	if _, known := w.hashes[hash]; known {
		return false, nil
	}
	w.hashes[hash] = struct{}{}
	return true, w.held.Add(ownerBytes)
}

// choose finds the owners of rows that meet the search conditions, if there are any. Their order is that of all of their
// rows.
func (w *ownerWalk) choose(ctx context.Context, s *Selection) error {
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

// page returns the next owners, and reports whether there may be more. It moves the end of the selection.
func (w *ownerWalk) page(ctx context.Context, s *Selection) (ids []string, more bool, err error) {
	w.paged.Release()
	var places []OwnerPlace // the new owners in the current millisecond
	at := make(map[string]int)
	current, bytes := int64(0), 0
	order := Order{Column: "lastSeen"}
	flush := func() {
		slices.SortFunc(places, func(a, b OwnerPlace) int { return order.compareOwners(&a, &b) })
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
			if bytes > pageOfOwners || w.chosen && len(w.hashes) == 0 {
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
			places = append(places, OwnerPlace{Value: float64(o.StartTime), ID: id})
			bytes += len(id) + ownerBytes
			if err := w.paged.Add(int64(len(id) + 3*ownerBytes)); err != nil {
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

// meet reports whether an owner is wanted, once.
func (w *ownerWalk) meet(id string) (bool, error) {
	if !w.chosen {
		return w.note(id)
	}
	hash := maphash.String(w.seed, id)
	_, wanted := w.hashes[hash]
	delete(w.hashes, hash)
	return wanted, nil
}

// ownersOnPage returns the owners on a page.
func (e *Explorer) ownersOnPage(ctx context.Context, s *Selection, key *column, q *OwnerQuery) ([]string, *OwnerPlace, error) {
	if len(s.Where) == 0 && q.After == nil && q.Order.Column == "lastSeen" && !q.Order.Ascending {
		ids, next, ok, err := e.lastSeen(ctx, s, key, q.Limit)
		if ok || err != nil {
			return ids, next, err
		}
	}
	if q.Order.Column != "traces" {
		return e.rankOwners(ctx, s, key, q)
	}
	places, err := e.ownerPlaces(ctx, s, key, q)
	if err != nil {
		return nil, nil, err
	}
	first, next := pageOf(places, q.After, q.Limit, q.Order.compareOwners)
	ids := make([]string, len(first))
	for n, p := range first {
		ids[n] = p.ID
	}
	return ids, next, nil
}

// rankOwners returns the owners on a page in an order by a figure of their rows, of any number of owners.
func (e *Explorer) rankOwners(ctx context.Context, s *Selection, key *column, q *OwnerQuery) (ids []string, next *OwnerPlace, err error) {
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
		next = &OwnerPlace{Value: last.Value, ID: last.Key}
	}
	for _, p := range places {
		ids = append(ids, p.Key)
	}
	return ids, next, nil
}

// lastSeen returns the owners seen last by reading the newest rows. It gives up and returns false for ok if too many
// rows belong to too few owners.
func (e *Explorer) lastSeen(ctx context.Context, s *Selection, key *column, limit int) (ids []string, next *OwnerPlace, ok bool, err error) {
	const rowsForOwner = 100
	met := make(map[string]int, limit) // their places
	var places []OwnerPlace
	left := rowsForOwner * (limit + 1)
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}) {
		if err != nil {
			return nil, nil, false, err
		}
		// Rows are ordered by millisecond: further rows in the millisecond of the last wanted owner may be newer.
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
		places = append(places, OwnerPlace{Value: float64(o.StartTime), ID: id})
	}
	order := Order{Column: "lastSeen"}
	slices.SortStableFunc(places, func(a, b OwnerPlace) int { return order.compareOwners(&a, &b) })
	if len(places) > limit {
		places = places[:limit]
		next = &places[limit-1]
	}
	for n := range places {
		ids = append(ids, places[n].ID)
	}
	return ids, next, true, nil
}

// ownerPlaces returns the places of all selected owners by the number of their traces.
func (e *Explorer) ownerPlaces(ctx context.Context, s *Selection, key *column, q *OwnerQuery) ([]OwnerPlace, error) {
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
	places := make([]OwnerPlace, 0, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if _, ok := wanted[g.Keys[0]]; ok || wanted == nil {
			places = append(places, OwnerPlace{Value: numberOf(g.Values[0]), ID: g.Keys[0]})
		}
	}
	return places, nil
}

// describeOwners returns owners with their metrics, in the order of ids.
func (e *Explorer) describeOwners(ctx context.Context, s *Selection, key *column, ids []string) ([]*Owner, error) {
	these, err := named(key, ids)
	if err != nil {
		return nil, err
	}
	counted := &Selection{From: s.From, To: s.To, Within: append(slices.Clone(s.Within), these)}
	owners := make(map[string]*Owner, len(ids))
	list := make([]*Owner, len(ids))
	for n, id := range ids {
		list[n] = &Owner{ID: id}
		owners[id] = list[n]
	}
	if err := e.addFigures(ctx, counted, key, owners); err != nil {
		return nil, err
	}
	return list, e.addKinds(ctx, counted, key, owners)
}

// addFigures adds the metrics of owners, in one pass.
func (e *Explorer) addFigures(ctx context.Context, s *Selection, key *column, owners map[string]*Owner) error {
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
		o := owners[groups.Rows[n].Keys[0]]
		if o == nil {
			continue
		}
		o.FirstSeen, o.LastSeen, o.LastEnd = domain.Micros(numberOf(values[0])), domain.Micros(numberOf(values[1])), domain.Micros(numberOf(values[2]))
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
func (e *Explorer) addKinds(ctx context.Context, s *Selection, key *column, owners map[string]*Owner) error {
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
	environments := make(map[*Owner]map[string]int)
	for n := range groups.Rows {
		g := &groups.Rows[n]
		o := owners[g.Keys[0]]
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
	for _, o := range owners {
		slices.Sort(o.Users)
		for name, count := range environments[o] {
			if most := environments[o][o.Environment]; count > most || count == most && name < o.Environment {
				o.Environment = name
			}
		}
	}
	return nil
}
