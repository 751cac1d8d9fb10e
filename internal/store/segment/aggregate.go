package segment

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Aggregate implements store.Table.
func (t *table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	v, err := t.view()
	if err == nil {
		err = checkAggregate(&q)
	}
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(v)
	if q.MaxGroups == 0 {
		q.MaxGroups = store.DefaultMaxGroups
	}
	project := scope.ProjectID()
	p := newPredicate(t.schema, project, q.From, q.To, q.Where)
	// Workers take row groups one after the other and add them up for themselves; at the end the sums are put together.
	workers := runtime.GOMAXPROCS(0)
	partial := make([]*aggregator[R], workers)
	errs := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		partial[w] = newAggregator(t.schema, &q)
		wg.Go(func() {
			defer t.onFault(&errs[w])()
			for errs[w] == nil {
				n := int(next.Add(1)) - 1
				if n >= len(v.groups) {
					return
				}
				if errs[w] = ctx.Err(); errs[w] == nil {
					errs[w] = partial[w].addGroup(v.groups[n], p)
				}
			}
		})
	}
	hotRows := newAggregator(t.schema, &q)
	var hotErr error
	for _, hot := range v.hot {
		for _, run := range hot.snapshot(project) {
			for n, h := range run {
				if n%1024 == 0 && hotErr == nil {
					hotErr = ctx.Err()
				}
				if hotErr == nil && h.visible(v.seq) && p.matches(&h.row) {
					hotErr = hotRows.addRow(&h.row)
				}
			}
		}
	}
	wg.Wait()
	for _, err := range append(errs, hotErr) {
		if err != nil {
			return nil, err
		}
	}
	defer func() {
		for _, a := range append(partial, hotRows) {
			a.release()
		}
	}()
	for _, other := range append(partial[1:len(partial):len(partial)], hotRows) {
		if err := partial[0].merge(other); err != nil {
			return nil, err
		}
	}
	return partial[0].result(), nil
}

// checkAggregate refuses a query that makes no sense.
func checkAggregate[R any](q *store.AggregateQuery[R]) error {
	if q.Bucket < 0 || q.MaxGroups < 0 {
		return fmt.Errorf("%w: buckets of %d ms, at most %d groups", store.ErrInvalid, q.Bucket, q.MaxGroups)
	}
	for _, c := range q.GroupBy {
		if k := c.Kind(); k != filter.Text && k != filter.Bool && k != filter.List {
			return fmt.Errorf("%w: cannot group by %s, a column of kind %s", store.ErrInvalid, c.ID(), k)
		}
	}
	for _, m := range q.Measures {
		if m.Function == store.Count {
			continue
		}
		want := filter.Number
		if m.Function == store.Distinct {
			want = filter.Text
		}
		if m.Function > store.Distinct || m.Column == nil || m.Column.Kind() != want {
			return fmt.Errorf("%w: function %d does not fit its column", store.ErrInvalid, m.Function)
		}
		if m.Function == store.Quantile && !(m.Quantile >= 0 && m.Quantile <= 1) {
			return fmt.Errorf("%w: quantile %v is not between 0 and 1", store.ErrInvalid, m.Quantile)
		}
	}
	return nil
}

// aggregator adds rows up.
type aggregator[R any] struct {
	schema *schema[R]
	query  *store.AggregateQuery[R]
	index  map[string]int
	groups []*sums
	key    []byte
	// measures is memory that row groups use one after the other.
	measures []localMeasure
	memory   *pageMemory
	// lists are the values of each measure that is a quantile.
	lists []*valueList
}

// valueList is values with the numbers of the groups that they belong to, in the order in which they came: cheaper to
// fill than a list for each group.
type valueList struct {
	values []float64
	owners []int32
}

var valueLists = sync.Pool{New: func() any { return new(valueList) }}

func (l *valueList) add(owner int32, value float64) {
	l.values, l.owners = append(l.values, value), append(l.owners, owner)
}

// byOwner returns the values of each of so many groups.
func (l *valueList) byOwner(groups int) [][]float64 {
	ends := make([]int, groups)
	for _, owner := range l.owners {
		ends[owner]++
	}
	sum := 0
	for n, count := range ends {
		ends[n] = sum
		sum += count
	}
	sorted := make([]float64, len(l.values))
	for n, owner := range l.owners {
		sorted[ends[owner]] = l.values[n]
		ends[owner]++
	}
	all := make([][]float64, groups)
	start := 0
	for n, end := range ends {
		all[n] = sorted[start:end:end]
		start = end
	}
	return all
}

// sums is one group.
type sums struct {
	number   int32 // its place in the aggregator
	bucket   int64
	keys     []string
	rows     int64
	measures []sum
}

// sum is one measure of a group.
type sum struct {
	count    int64
	sum      float64
	min, max float64
	distinct hashSet
}

func newAggregator[R any](s *schema[R], q *store.AggregateQuery[R]) *aggregator[R] {
	a := &aggregator[R]{schema: s, query: q, index: make(map[string]int), memory: new(pageMemory), lists: make([]*valueList, len(q.Measures))}
	for n := range q.Measures {
		if q.Measures[n].Function == store.Quantile {
			a.lists[n] = valueLists.Get().(*valueList) //nolint:forcetypeassert // the pool holds nothing else
		}
	}
	return a
}

// release gives memory back for others to use.
func (a *aggregator[R]) release() {
	for n, l := range a.lists {
		if l != nil {
			l.values, l.owners = l.values[:0], l.owners[:0]
			valueLists.Put(l)
			a.lists[n] = nil
		}
	}
}

// group finds or makes a group.
func (a *aggregator[R]) group(bucket int64, keys []string) (*sums, error) {
	a.key = a.key[:0]
	for shift := range 8 {
		a.key = append(a.key, byte(bucket>>(8*shift)))
	}
	for _, k := range keys {
		a.key = append(append(a.key, k...), 0xff) // no text holds this byte
	}
	if n, ok := a.index[string(a.key)]; ok {
		return a.groups[n], nil
	}
	if len(a.groups) >= a.query.MaxGroups {
		return nil, fmt.Errorf("%w: there are more than %d groups; group by less, or choose a shorter time", store.ErrTooLarge, a.query.MaxGroups)
	}
	g := &sums{number: int32(len(a.groups)), bucket: bucket, keys: slices.Clone(keys), measures: make([]sum, len(a.query.Measures))}
	for n, k := range g.keys {
		g.keys[n] = strings.Clone(k)
	}
	a.index[string(a.key)] = len(a.groups)
	a.groups = append(a.groups, g)
	return g, nil
}

func (a *aggregator[R]) bucketOf(ms int64) int64 {
	if a.query.Bucket == 0 {
		return 0
	}
	b := ms / a.query.Bucket
	if ms%a.query.Bucket < 0 {
		b--
	}
	return b * a.query.Bucket
}

// addRow adds a row in memory.
func (a *aggregator[R]) addRow(r *R) error {
	return a.eachKey(r, func(keys []string) error {
		g, err := a.group(a.bucketOf(a.schema.timeOf(r).Millis()), keys)
		if err != nil {
			return err
		}
		g.rows++
		for n := range a.query.Measures {
			m := &a.query.Measures[n]
			switch m.Function {
			case store.Count:
			case store.Distinct:
				if text, null := m.Column.Text(r); !null && text != "" {
					g.measures[n].distinct.add(xxhash.Sum64String(text))
				}
			default:
				if value, null := m.Column.Number(r); !null {
					a.addValue(g, n, value)
				}
			}
		}
		return nil
	})
}

// eachKey calls f with the keys of each group that a row belongs to.
func (a *aggregator[R]) eachKey(r *R, f func(keys []string) error) error {
	keys := make([]string, len(a.query.GroupBy))
	var each func(n int) error
	each = func(n int) error {
		if n == len(keys) {
			return f(keys)
		}
		c := a.query.GroupBy[n]
		switch c.Kind() {
		case filter.Bool:
			keys[n] = boolText(c.Bool(r))
		case filter.List:
			list := c.List(r)
			if len(list) == 0 {
				keys[n] = ""
				break
			}
			for i, item := range list {
				if slices.Contains(list[:i], item) {
					continue
				}
				keys[n] = item
				if err := each(n + 1); err != nil {
					return err
				}
			}
			return nil
		default:
			keys[n], _ = c.Text(r)
		}
		return each(n + 1)
	}
	return each(0)
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// addValue adds a value to a measure of a group.
func (a *aggregator[R]) addValue(g *sums, measure int, value float64) {
	f := a.query.Measures[measure].Function
	if f == store.Quantile {
		a.lists[measure].add(g.number, value)
		return
	}
	s := &g.measures[measure]
	s.count++
	switch f {
	case store.Min, store.Max:
		if s.count == 1 {
			s.min, s.max = value, value
		}
		s.min, s.max = min(s.min, value), max(s.max, value)
	default:
		s.sum += value
	}
}

// merge adds what another aggregator added up.
func (a *aggregator[R]) merge(other *aggregator[R]) error {
	numbers := make([]int32, len(other.groups))
	for i, o := range other.groups {
		g, err := a.group(o.bucket, o.keys)
		if err != nil {
			return err
		}
		numbers[i] = g.number
		g.rows += o.rows
		for n := range o.measures {
			to, from := &g.measures[n], &o.measures[n]
			if from.count > 0 {
				if to.count == 0 {
					to.min, to.max = from.min, from.max
				}
				to.count += from.count
				to.sum += from.sum
				to.min, to.max = min(to.min, from.min), max(to.max, from.max)
			}
			from.distinct.each(to.distinct.add)
		}
	}
	for n, from := range other.lists {
		if from != nil {
			for i, value := range from.values {
				a.lists[n].add(numbers[from.owners[i]], value)
			}
		}
	}
	return nil
}

// result computes the measures.
func (a *aggregator[R]) result() *store.Groups {
	out := &store.Groups{Rows: make([]store.Group, len(a.groups))}
	values := make([][][]float64, len(a.lists))
	for n, l := range a.lists {
		if l != nil {
			values[n] = l.byOwner(len(a.groups))
		}
	}
	for n, g := range a.groups {
		row := store.Group{Bucket: g.bucket, Keys: g.keys, Values: make([]domain.OptFloat, len(g.measures))}
		for i := range g.measures {
			m := &a.query.Measures[i]
			if m.Function != store.Quantile {
				row.Values[i] = g.measures[i].result(m.Function, g.rows)
			} else if list := values[i][n]; len(list) > 0 {
				row.Values[i] = domain.FloatOf(quantile(list, m.Quantile))
			}
		}
		out.Rows[n] = row
	}
	return out
}

func (s *sum) result(f store.Function, rows int64) domain.OptFloat {
	switch {
	case f == store.Count:
		return domain.FloatOf(float64(rows))
	case f == store.Distinct:
		return domain.FloatOf(float64(s.distinct.len()))
	case f == store.Sum:
		return domain.FloatOf(s.sum)
	case s.count == 0:
		return domain.OptFloat{}
	}
	switch f {
	case store.Average:
		return domain.FloatOf(s.sum / float64(s.count))
	case store.Min:
		return domain.FloatOf(s.min)
	}
	return domain.FloatOf(s.max)
}

// quantile returns the value at position q*(n-1) of the sorted values, interpolated between neighbours.
func quantile(values []float64, q float64) float64 {
	position := q * float64(len(values)-1)
	low := int(math.Floor(position))
	a := selectNth(values, low)
	if fraction := position - float64(low); fraction > 0 && low+1 < len(values) {
		b := slices.Min(values[low+1:]) // selectNth leaves everything larger behind it
		return a + (b-a)*fraction
	}
	return a
}

// selectNth brings the value that belongs at position n there, smaller ones before it and larger ones behind.
func selectNth(values []float64, n int) float64 {
	low, high := 0, len(values)-1
	for low < high {
		pivot := values[(low+high)/2]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return values[n]
		}
	}
	return values[n]
}

// hashSet is a set of 64-bit hashes: open addressing, 0 kept apart.
type hashSet struct {
	slots []uint64
	count int
	zero  bool
}

func (s *hashSet) len() int {
	if s.zero {
		return s.count + 1
	}
	return s.count
}

func (s *hashSet) add(hash uint64) {
	if hash == 0 {
		s.zero = true
		return
	}
	if s.count*2 >= len(s.slots) {
		old := s.slots
		s.slots, s.count = make([]uint64, max(16, 2*len(old))), 0
		for _, h := range old {
			if h != 0 {
				s.add(h)
			}
		}
	}
	mask := uint64(len(s.slots) - 1)
	for slot := hash & mask; ; slot = (slot + 1) & mask {
		switch s.slots[slot] {
		case hash:
			return
		case 0:
			s.slots[slot] = hash
			s.count++
			return
		}
	}
}

func (s *hashSet) each(f func(uint64)) {
	if s.zero {
		f(0)
	}
	for _, h := range s.slots {
		if h != 0 {
			f(h)
		}
	}
}
