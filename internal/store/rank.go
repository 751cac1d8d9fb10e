package store

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
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
	// Judge says whether a group is wanted, and where it belongs. It is called by several goroutines, and must not
	// retain its argument. If it is nil, all groups are wanted, in the order of their keys.
	Judge func(*RankTotals) (RankOrder, Verdict)
	// Unsure are keys of groups that count as Unclear without being judged.
	Unsure []string
	// Ascending returns the smallest values first, KeysAscending the smallest keys first among equal ones.
	Ascending, KeysAscending bool
	// After, if set, leaves out everything up to and including this place.
	After *RankPlace
	// Skip is the number of groups to leave out before the first one returned, Limit the maximum number to return.
	Skip, Limit int
}

// MaxRankFlags is the maximum number of flags.
const MaxRankFlags = 8

// RankFlag is set for a group if one of its rows meets all conditions of Where, and not all of Not, unless that is empty.
type RankFlag[R any] struct {
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
	// Flags has bit n set for the n-th flag.
	Flags uint8
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
type Ranker[R any] struct {
	query   *RankQuery[R]
	keyOf   func(ref uint64) (string, error)
	total   int
	unclear []string
	first   rankHeap[R]
	held    *memory.Tally
}

// rankCandidate is a group that may be among the first. Its key is read only if its place depends on it, or if it is
// returned.
type rankCandidate struct {
	RankPlace
	ref   uint64
	known bool // Key is set
}

// rankHeap has the last of the candidates on top.
type rankHeap[R any] struct {
	ranker *Ranker[R]
	list   []rankCandidate
	err    error // of reading a key
}

// NewRanker returns a ranker for groups whose keys are read by keyOf. The memory of what it keeps is taken from the
// lease of the context, until Release is called.
func NewRanker[R any](ctx context.Context, q *RankQuery[R], keyOf func(ref uint64) (string, error)) *Ranker[R] {
	r := &Ranker[R]{query: q, keyOf: keyOf, held: memory.NewTally(ctx)}
	r.first.ranker = r
	return r
}

// rankedBytes is roughly the memory of a group that is kept.
const rankedBytes = 64

// Add judges a group. Ref is what its key is read by.
func (r *Ranker[R]) Add(totals *RankTotals, ref uint64, unsure bool) error {
	return r.add(totals, rankCandidate{ref: ref}, unsure)
}

// AddKeyed judges a group whose key is known. It keeps no reference to the key.
func (r *Ranker[R]) AddKeyed(totals *RankTotals, key string, unsure bool) error {
	return r.add(totals, rankCandidate{RankPlace: RankPlace{Key: strings.Clone(key)}, known: true}, unsure)
}

func (r *Ranker[R]) add(totals *RankTotals, c rankCandidate, unsure bool) error {
	q, verdict := r.query, Wanted
	switch {
	case unsure:
		verdict = Unclear
	case q.Judge != nil:
		c.RankOrder, verdict = q.Judge(totals)
	}
	switch verdict {
	case Unwanted:
		return nil
	case Unclear:
		if err := r.read(&c); err != nil {
			return err
		}
		r.unclear = append(r.unclear, c.Key)
		return r.held.Add(int64(rankedBytes + len(c.Key)))
	}
	r.total++
	return r.offer(c)
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

// offer keeps a candidate if it is among the first so far.
func (r *Ranker[R]) offer(c rankCandidate) error {
	q, h := r.query, &r.first
	if q.Limit == 0 {
		return nil
	}
	full := len(h.list) == q.Skip+q.Limit
	if full && q.compareOrder(c.RankOrder, h.list[0].RankOrder) > 0 {
		return nil
	}
	if q.After != nil {
		behind := q.compareOrder(c.RankOrder, q.After.RankOrder)
		if behind == 0 {
			if err := r.read(&c); err != nil {
				return err
			}
			behind = q.Compare(&c.RankPlace, q.After)
		}
		if behind <= 0 {
			return nil
		}
	}
	if !full {
		heap.Push(h, c)
		if h.err != nil {
			return h.err
		}
		return r.held.Add(rankedBytes)
	}
	if h.before(&c, &h.list[0]) {
		h.list[0] = c
		heap.Fix(h, 0)
	}
	return h.err
}

// read reads the key of a candidate.
func (r *Ranker[R]) read(c *rankCandidate) error {
	if c.known {
		return nil
	}
	key, err := r.keyOf(c.ref)
	c.Key, c.known = key, err == nil
	return err
}

// before reports whether a comes before b.
func (h *rankHeap[R]) before(a, b *rankCandidate) bool {
	q := h.ranker.query
	if c := q.compareOrder(a.RankOrder, b.RankOrder); c != 0 {
		return c < 0
	}
	for _, c := range [2]*rankCandidate{a, b} {
		if err := h.ranker.read(c); err != nil {
			h.err = err
			return false
		}
	}
	return q.Compare(&a.RankPlace, &b.RankPlace) < 0
}

// Len is for package heap.
func (h *rankHeap[R]) Len() int { return len(h.list) }

// Less is for package heap.
func (h *rankHeap[R]) Less(i, j int) bool { return h.before(&h.list[j], &h.list[i]) }

// Swap is for package heap.
func (h *rankHeap[R]) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }

// Push is for package heap.
func (h *rankHeap[R]) Push(x any) { h.list = append(h.list, x.(rankCandidate)) } //nolint:forcetypeassert // only such are pushed

// Pop is for package heap.
func (h *rankHeap[R]) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}

// Merge adds what another ranker of the same query has, which is released. No group may be in both.
func (r *Ranker[R]) Merge(other *Ranker[R]) error {
	defer other.Release()
	r.total += other.total
	r.unclear = append(r.unclear, other.unclear...)
	for _, key := range other.unclear {
		if err := r.held.Add(int64(rankedBytes + len(key))); err != nil {
			return err
		}
	}
	for n := range other.first.list {
		if err := other.read(&other.first.list[n]); err != nil {
			return err
		}
		if err := r.offer(other.first.list[n]); err != nil {
			return err
		}
	}
	return nil
}

// Ranking returns the result.
func (r *Ranker[R]) Ranking() (*Ranking, error) {
	out := &Ranking{Total: r.total, Unclear: r.unclear}
	h := &r.first
	sorted := make([]*rankCandidate, len(h.list))
	for n := range h.list {
		sorted[n] = &h.list[n]
	}
	slices.SortFunc(sorted, func(a, b *rankCandidate) int {
		switch {
		case h.before(a, b):
			return -1
		case h.before(b, a):
			return 1
		}
		return 0
	})
	for _, c := range sorted[min(r.query.Skip, len(sorted)):] {
		if err := errors.Join(h.err, r.read(c)); err != nil {
			return nil, err
		}
		out.Places = append(out.Places, c.RankPlace)
	}
	return out, h.err
}

// RankRows ranks the given rows, holding all groups in memory. It applies neither the time range nor Where.
func RankRows[R any](ctx context.Context, rows iter.Seq2[*R, error], q RankQuery[R]) (*Ranking, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	const perGroup, perMeasure = 160, 40
	held := memory.NewTally(ctx)
	defer held.Release()
	groups := make(map[string]*rankSums)
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		key, null := q.Key.Text(row)
		if null || key == "" {
			continue
		}
		g := groups[key]
		if g == nil {
			g = newRankSums(len(q.Measures))
			groups[strings.Clone(key)] = g
			if err := held.Add(int64(perGroup + len(key) + perMeasure*len(q.Measures))); err != nil {
				return nil, err
			}
		}
		q.addRow(g, row)
	}
	unsure := q.UnsureSet()
	r := NewRanker(ctx, &q, nil)
	var totals RankTotals
	for key, g := range groups {
		q.totals(g, &totals)
		if err := r.AddKeyed(&totals, key, unsure.Has(TextHash(key))); err != nil {
			return nil, err
		}
	}
	return r.Ranking()
}

// UnsureKeys is the set of the keys that are unclear.
type UnsureKeys map[uint64]struct{}

// UnsureSet returns the hashes of the keys that are unclear.
func (q *RankQuery[R]) UnsureSet() UnsureKeys {
	set := make(UnsureKeys, len(q.Unsure))
	for _, key := range q.Unsure {
		set[TextHash(key)] = struct{}{}
	}
	return set
}

// Has reports whether the key with a hash is in the set.
func (s UnsureKeys) Has(hash uint64) bool {
	_, has := s[hash]
	return has
}

// rankSums are the flags and measures of a group while rows are added.
type rankSums struct {
	flags  uint8
	values []rankValue
}

type rankValue struct {
	sum      domain.Sum
	count    int64
	min, max float64
}

// newRankSums returns the sums of no rows.
func newRankSums(measures int) *rankSums {
	s := &rankSums{values: make([]rankValue, measures)}
	for n := range s.values {
		s.values[n].min, s.values[n].max = math.Inf(1), math.Inf(-1)
	}
	return s
}

// addRow adds a row to a group.
func (q *RankQuery[R]) addRow(s *rankSums, row *R) {
	s.flags |= q.FlagsOf(row)
	for n := range q.Measures {
		m, v := &q.Measures[n], &s.values[n]
		if !filter.MatchAll(m.If, row) {
			continue
		}
		if m.Column == nil {
			v.count++
			continue
		}
		if value, null := m.Column.Value(row); !null && !math.IsNaN(value) {
			v.sum.Add(value)
			v.count++
			v.min, v.max = min(v.min, value), max(v.max, value)
		}
	}
}

// FlagsOf returns the flags that a row sets.
func (q *RankQuery[R]) FlagsOf(row *R) (flags uint8) {
	for n := range q.Flags {
		f := &q.Flags[n]
		if filter.MatchAll(f.Where, row) && (len(f.Not) == 0 || !filter.MatchAll(f.Not, row)) {
			flags |= 1 << n
		}
	}
	return flags
}

// totals sets what is known about a group, reusing the memory of totals.
func (q *RankQuery[R]) totals(s *rankSums, totals *RankTotals) {
	totals.Flags, totals.Values = s.flags, totals.Values[:0]
	for n := range s.values {
		totals.Values = append(totals.Values, s.values[n].result(q.Measures[n].Function))
	}
}

func (v *rankValue) result(f Function) float64 {
	switch {
	case f == Count:
		return float64(v.count)
	case f == Sum:
		return v.sum.Value()
	case v.count == 0:
		return math.NaN()
	case f == Min:
		return v.min
	}
	return v.max
}
