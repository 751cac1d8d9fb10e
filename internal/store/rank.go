package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
)

// RankQuery describes what Rank computes. Rows are grouped by a column with any number of different strings, such as the
// trace; each group is judged by a few numbers, and only the first ones in an order are returned.
type RankQuery[R any] struct {
	From, To domain.Micros // as in Query
	Where    []filter.Condition[R]
	// Key is the column of text that rows are grouped by. Rows without a value are left out.
	Key *filter.Column[R]
	// Flags are what is to be known about the rows of a group, at most MaxRankFlags.
	Flags []RankFlag[R]
	// Measures are computed for each group.
	Measures []RankMeasure[R]
	// Tallies count values of columns in the wanted groups, whether they are returned or not.
	Tallies []RankTally[R]
	// Required leaves out groups without the first flag.
	Required bool
	// Judge says whether a group is wanted, and where it belongs. It is called by several goroutines, and must not
	// retain its argument. If it is nil, all groups are wanted, in the order of their keys.
	Judge func(*RankTotals) (RankOrder, Verdict)
	// Begin, if set, is called before groups are judged, and again if all of them are judged anew.
	Begin func()
	// Ascending returns the smallest values first, KeysAscending the smallest keys first among equal ones.
	Ascending, KeysAscending bool
	// After, if set, leaves out everything up to and including this place.
	After *RankPlace
	// Skip is the number of groups to leave out before the first one returned, Limit the maximum number to return.
	Skip, Limit int
}

// MaxRankFlags is the maximum number of flags.
const MaxRankFlags = 64

// RankFlag is set for a group if one of its rows is in the time range and meets all conditions of Where, and not all of
// Not, unless that is empty.
type RankFlag[R any] struct {
	From, To   domain.Micros // as in Query
	Where, Not []filter.Condition[R]
}

// RankMeasure is a number that is computed for each group: the Count of rows, the Sum of a column of numbers that rows
// store, or the Min or Max of a time. If, unless it is empty, restricts it to the rows that meet these conditions.
type RankMeasure[R any] struct {
	Function Function
	Column   *filter.Column[R]
	If       []filter.Condition[R]
}

// RankTotals are what is known about a group.
type RankTotals struct {
	// Hash is the TextHash of the key of the group.
	Hash uint64
	// Flags has bit n set for the n-th flag.
	Flags uint64
	// Values are the results of the measures. Min and Max of no values are NaN.
	Values []float64
}

// Has reports whether the n-th flag is set.
func (t *RankTotals) Has(n int) bool { return t.Flags&(1<<n) != 0 }

// Verdict is the decision about a group.
type Verdict uint8

// The verdicts.
const (
	Wanted   Verdict = iota
	Unwanted         // it is neither counted nor returned
	Unclear          // the caller has to decide: its key is returned in Ranking.Unclear
)

// RankOrder is what the place of a group depends on: its value and, among equal ones, another number, the largest first.
type RankOrder struct {
	Value float64
	Then  int64
}

// RankPlace is the place of a group in an order. Groups that are equal otherwise are ordered by their keys.
type RankPlace struct {
	RankOrder
	Key string
}

// Ranking is the result of Rank.
type Ranking struct {
	Places  []RankPlace
	Total   int      // number of wanted groups, whether they are returned or not
	Unclear []string // keys of unclear groups, in no particular order
	Tallies []Tallied
}

// Check returns ErrInvalid if a query is invalid.
func (q *RankQuery[R]) Check() error {
	invalid := func(why string) error { return fmt.Errorf("ranking %s: %w", why, ErrInvalid) }
	switch {
	case q.Key == nil || q.Key.Derived() || q.Key.Kind() != filter.Text || q.Key.Nullable():
		return invalid("by a column that is no text")
	case len(q.Flags) > MaxRankFlags:
		return invalid("with too many flags")
	case q.Skip < 0 || q.Limit < 0:
		return invalid("less than nothing")
	case q.Required && len(q.Flags) == 0:
		return invalid("with a flag that is required but missing")
	}
	for n := range q.Measures {
		m := &q.Measures[n]
		switch {
		case m.Function == Count && m.Column == nil:
		case m.Column == nil || m.Column.Derived():
			return invalid("by a column that is not stored")
		case m.Function == Sum && m.Column.Kind() == filter.Number:
		case (m.Function == Min || m.Function == Max) && m.Column.Kind() == filter.Time:
		default:
			return invalid("by " + m.Column.ID())
		}
	}
	for n := range q.Tallies {
		if c := q.Tallies[n].Column; c == nil || c.Kind() == filter.Time {
			return invalid("with values that cannot be counted")
		}
	}
	return nil
}

// Compare orders places.
func (q *RankQuery[R]) Compare(a, b *RankPlace) int {
	if c := q.compareOrder(a.RankOrder, b.RankOrder); c != 0 {
		return c
	}
	if q.KeysAscending {
		return strings.Compare(a.Key, b.Key)
	}
	return strings.Compare(b.Key, a.Key)
}

func (q *RankQuery[R]) compareOrder(a, b RankOrder) int {
	c := cmp.Compare(b.Value, a.Value)
	if q.Ascending {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(b.Then, a.Then))
}

// Ranker judges groups and keeps the first of them. It must be used by a single goroutine.
//
// Keys are not at hand: to read one costs as much as to read all that lie beside it. So they are read only where the order
// depends on them or they are returned, and many at a time.
type Ranker[R any] struct {
	query   *RankQuery[R]
	keysOf  KeyReader
	wanted  int // how many groups are kept
	total   int
	list    []rankCandidate
	unclear []rankCandidate
	// limit is the last of the groups that are kept, once there are as many as wanted; its key may not be known.
	limit *rankCandidate
	// ahead is how many groups were added to the list since then that come before it, and tied how many of the list are
	// there only until their keys are read. At most maxTied are.
	ahead, tied, maxTied int
	held                 *memory.Tally
}

// KeyReader calls visit with the keys of some groups, each with its index, in any order. A key is valid only during the call.
type KeyReader func(refs []uint64, visit func(n int, key string) error) error

// rankCandidate is a group that may be among the first.
type rankCandidate struct {
	RankPlace
	ref     uint64 // what the key is read by
	known   bool   // Key is set
	dropped bool
}

// NewRanker returns a ranker for groups whose keys are read by keysOf. The memory of what it keeps is taken from the lease
// of the context, until Release is called.
func NewRanker[R any](ctx context.Context, q *RankQuery[R], keysOf KeyReader) *Ranker[R] {
	const share, fewest, most = 8, 1 << 12, 1 << 18 // several rankers share a lease
	tied := memory.Of(ctx).Max() / share / rankedBytes
	return &Ranker[R]{
		query: q, keysOf: keysOf, wanted: q.Skip + q.Limit, maxTied: int(min(max(fewest, tied), most)), held: memory.NewTally(ctx),
	}
}

// rankedBytes is roughly the memory of a group that is kept, without its key, and placeBytes that of one that is returned.
const (
	rankedBytes = 96
	placeBytes  = 32
)

// Add judges a group, and reports whether it is wanted. Ref is what its key is read by.
func (r *Ranker[R]) Add(totals *RankTotals, ref uint64) (wanted bool, err error) {
	return r.add(totals, rankCandidate{ref: ref})
}

// AddKeyed judges a group whose key is known, and reports whether it is wanted. It keeps no reference to the key.
func (r *Ranker[R]) AddKeyed(totals *RankTotals, key string) (wanted bool, err error) {
	totals.Hash = TextHash(key)
	return r.add(totals, rankCandidate{RankPlace: RankPlace{Key: key}, known: true})
}

func (r *Ranker[R]) add(totals *RankTotals, c rankCandidate) (wanted bool, err error) {
	q, verdict := r.query, Wanted
	if q.Required && !totals.Has(0) {
		return false, nil
	}
	if q.Judge != nil {
		c.RankOrder, verdict = q.Judge(totals)
	}
	switch verdict {
	case Unwanted:
		return false, nil
	case Unclear:
		return false, r.keep(&r.unclear, c)
	}
	r.total++
	return true, r.offer(c)
}

// keep adds a group to a list.
func (r *Ranker[R]) keep(list *[]rankCandidate, c rankCandidate) error {
	c.Key = strings.Clone(c.Key)
	*list = append(*list, c)
	return r.held.Add(int64(rankedBytes + len(c.Key)))
}

// Release gives back the memory of what the ranker keeps, and returns how much that was. The ranker must not be used
// afterwards. A nil ranker keeps nothing.
func (r *Ranker[R]) Release() (bytes int64) {
	if r == nil {
		return 0
	}
	defer r.held.Release()
	return r.held.Taken()
}

// offer keeps a candidate if it may be among the first.
func (r *Ranker[R]) offer(c rankCandidate) error {
	q, tied := r.query, false
	if q.Limit == 0 {
		return nil
	}
	if r.limit != nil {
		switch order := q.compareOrder(c.RankOrder, r.limit.RankOrder); {
		case order > 0, order == 0 && c.known && r.limit.known && q.Compare(&c.RankPlace, &r.limit.RankPlace) >= 0:
			return nil
		case order == 0:
			tied = true
		}
	}
	if q.After != nil {
		switch order := q.compareOrder(c.RankOrder, q.After.RankOrder); {
		case order < 0, order == 0 && c.known && q.Compare(&c.RankPlace, q.After) <= 0:
			return nil
		case order == 0 && !c.known:
			tied = true
		}
	}
	if tied {
		r.tied++
	} else {
		r.ahead++
	}
	if err := r.keep(&r.list, c); err != nil {
		return err
	}
	const fewest = 256
	if r.tied < r.maxTied && r.ahead < r.wanted/2+fewest {
		return nil
	}
	return r.settle()
}

// settle sorts the list by everything but the keys, and drops what is not among the first. Keys are read where that depends
// on them.
func (r *Ranker[R]) settle() error {
	q := r.query
	r.ahead, r.tied = 0, 0
	slices.SortFunc(r.list, func(a, b rankCandidate) int { return q.compareOrder(a.RankOrder, b.RankOrder) })
	if q.After != nil {
		first, end := r.equal(q.After.RankOrder)
		if err := r.read(r.list[first:end], func(p *RankPlace) bool { return q.Compare(p, q.After) > 0 }); err != nil {
			return err
		}
		r.drop(first)
	}
	if len(r.list) < r.wanted || r.wanted == 0 {
		return nil
	}
	last := r.list[r.wanted-1].RankOrder
	if first, end := r.equal(last); end > r.wanted {
		before := r.limit
		err := r.sort(first, end, func(p *RankPlace) bool {
			return before == nil || !before.known || before.RankOrder != last || q.Compare(p, &before.RankPlace) <= 0
		})
		if err != nil {
			return err
		}
	}
	for n := r.wanted; n < len(r.list); n++ {
		r.list[n].dropped = true
	}
	r.drop(min(r.wanted, len(r.list)))
	if len(r.list) == r.wanted {
		limit := r.list[r.wanted-1]
		r.limit = &limit
	}
	return nil
}

// equal returns where the candidates with an order begin and end in the list, which is sorted.
func (r *Ranker[R]) equal(order RankOrder) (first, end int) {
	q := r.query
	first, _ = slices.BinarySearchFunc(r.list, order, func(c rankCandidate, order RankOrder) int {
		return q.compareOrder(c.RankOrder, order)
	})
	for end = first; end < len(r.list) && q.compareOrder(r.list[end].RankOrder, order) == 0; end++ {
	}
	return first, end
}

// sort reads the keys of a part of the list, drops those that are not wanted, and sorts the part.
func (r *Ranker[R]) sort(first, end int, wanted func(*RankPlace) bool) error {
	before := len(r.list)
	if err := r.read(r.list[first:end], wanted); err != nil {
		return err
	}
	r.drop(first)
	slices.SortFunc(r.list[first:end-(before-len(r.list))], func(a, b rankCandidate) int {
		return r.query.Compare(&a.RankPlace, &b.RankPlace)
	})
	return nil
}

// read reads the keys of some candidates. It drops those that are not wanted; nil means that all are.
func (r *Ranker[R]) read(some []rankCandidate, wanted func(*RankPlace) bool) error {
	var refs []uint64
	var at []int
	for n := range some {
		if !some[n].known {
			refs, at = append(refs, some[n].ref), append(at, n)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	return r.keysOf(refs, func(n int, key string) error {
		c := &some[at[n]]
		if wanted != nil && !wanted(&RankPlace{c.RankOrder, key}) {
			c.dropped = true
			return nil
		}
		c.Key, c.known = strings.Clone(key), true
		return r.held.Add(int64(len(key)))
	})
}

// drop removes the candidates from a place on that are dropped.
func (r *Ranker[R]) drop(first int) {
	bytes := 0
	kept := slices.DeleteFunc(r.list[first:], func(c rankCandidate) bool {
		if c.dropped {
			bytes += rankedBytes + len(c.Key)
		}
		return c.dropped
	})
	r.list = r.list[:first+len(kept)]
	_ = r.held.Add(-int64(bytes)) // cannot fail
}

// Merge adds what another ranker of the same query has, which is released. No group may be in both.
func (r *Ranker[R]) Merge(other *Ranker[R]) error {
	defer other.Release()
	if err := other.settle(); err != nil {
		return err
	}
	if err := errors.Join(other.read(other.list, nil), other.read(other.unclear, nil)); err != nil {
		return err
	}
	r.total += other.total
	for _, c := range other.unclear {
		if err := r.keep(&r.unclear, c); err != nil {
			return err
		}
	}
	for _, c := range other.list {
		if err := r.offer(c); err != nil {
			return err
		}
	}
	return nil
}

// Finish reads all keys that the result depends on, so that they need not be read any more.
func (r *Ranker[R]) Finish() error {
	if err := r.settle(); err != nil {
		return err
	}
	return errors.Join(r.read(r.list, nil), r.read(r.unclear, nil))
}

// Ranking returns the result. The ranker must only be released afterwards.
func (r *Ranker[R]) Ranking() (*Ranking, error) {
	q, out := r.query, &Ranking{Total: r.total}
	if err := r.settle(); err != nil {
		return nil, err
	}
	skip := min(q.Skip, len(r.list))
	for first := 0; first < len(r.list); {
		_, end := r.equal(r.list[first].RankOrder)
		if end > skip && end > first+1 {
			if err := r.sort(first, end, nil); err != nil {
				return nil, err
			}
		}
		first = end
	}
	if err := errors.Join(r.read(r.list[skip:], nil), r.read(r.unclear, nil)); err != nil {
		return nil, err
	}
	if err := r.held.Add(int64(placeBytes * (len(r.list) - skip + len(r.unclear)))); err != nil {
		return nil, err
	}
	for n := range r.list[skip:] {
		out.Places = append(out.Places, r.list[skip+n].RankPlace)
	}
	for n := range r.unclear {
		out.Unclear = append(out.Unclear, r.unclear[n].Key)
	}
	given := rankedBytes * (len(r.list) + len(r.unclear))
	for n := range r.list[:skip] {
		given += len(r.list[n].Key)
	}
	r.list, r.unclear = nil, nil
	return out, r.held.Add(-int64(given))
}
