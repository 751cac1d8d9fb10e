package segment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Rank works with the hashes of keys, never with the keys themselves: there may be millions. Each row group becomes a
// list of the keys in it, ordered by hash, with the flags and values of their rows. Such lists are cached like sums. All
// lists are then merged one small range of hashes after the other, so that the groups of a range stay in the processor's
// cache. Keys are read from the row group for the few groups that are returned.

// Rank implements store.Table.
func (t *table[R]) Rank(ctx context.Context, scope domain.ProjectScope, q store.RankQuery[R]) (found *store.Ranking, err error) {
	defer t.onFault(&err)()
	v, err := t.view()
	if err == nil {
		err = q.Check()
	}
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(v)
	r := &ranking[R]{table: t, version: v, ctx: ctx, query: &q, project: scope.ProjectID()}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	// If the lists of all row groups do not fit in memory, one part of the hashes is ranked after the other.
	const most = 256
	for passes := 1; ; passes *= 4 {
		found, err := r.inPasses(passes)
		if err != nil {
			memory.Of(ctx).Shrink(r.tallied.Swap(0))
		}
		if !errors.Is(err, memory.ErrTooLarge) {
			return found, err
		}
		// More passes do not help if it is the result that takes the memory.
		if passes == most || r.kept > memory.Of(ctx).Max()/2 {
			return nil, fmt.Errorf("%w: ranking takes too much memory: %w", store.ErrTooLarge, err)
		}
	}
}

// ranking is the state of one call.
type ranking[R any] struct {
	table   *table[R]
	version *version[R]
	ctx     context.Context //nolint:containedctx // of the one call
	query   *store.RankQuery[R]
	project string
	where   *predicate[R]
	key     int // the column
	flags   []rankFlag[R]
	values  []rankMeasure[R]
	tallies []rankTally[R]
	keys    rankPart // the cached keys of lists
	passes  int
	tallied atomic.Int64 // bytes of what was counted
	kept    int64        // bytes of the result so far, if it failed
	low     uint64       // the hashes of the current pass
	high    uint64       // inclusive
}

type rankFlag[R any] struct {
	where, without *predicate[R]
	part           rankPart
}

type rankMeasure[R any] struct {
	function store.Function
	source   int // -1 for the count of rows
	timed    bool
	where    *predicate[R] // nil for all rows
	part     rankPart
}

// rankPart identifies a cached part of the lists of row groups.
type rankPart struct {
	signature string // empty if it cannot be cached
	hash      uint64
	keep      bool
}

func (r *ranking[R]) prepare() error {
	q, s := r.query, r.table.schema
	predicateOf := func(from, to domain.Micros, where []filter.Condition[R]) *predicate[R] {
		p := newPredicate(s, r.project, from, to, where)
		p.ctx = r.ctx
		return p
	}
	r.where = newPredicate(s, r.project, q.From, q.To, q.Where)
	r.where.ctx = r.ctx
	r.key = s.sourcesOf(q.Key)[0]
	base, cacheable := filter.Signature(q.Where)
	base = fmt.Sprintf("rank %d %s|", q.Key.Index(), base)
	part := func(cacheable bool, what string) (p rankPart) {
		if cacheable {
			p.signature = base + what
			p.hash = xxhash.Sum64String(p.signature)
			p.keep = r.table.cache.worthSums(p.hash)
		}
		return p
	}
	r.keys = part(cacheable, "")
	for n := range q.Flags {
		asked := &q.Flags[n]
		f := rankFlag[R]{where: predicateOf(asked.From, asked.To, asked.Where)}
		if len(asked.Not) > 0 {
			f.without = predicateOf(asked.From, asked.To, slices.Concat(asked.Where, asked.Not))
		}
		with, ok := filter.Signature(asked.Where)
		without, okWithout := filter.Signature(asked.Not)
		timeless := asked.From == 0 && asked.To == 0 // time ranges move
		f.part = part(cacheable && ok && okWithout && timeless, "flag "+with+"~"+without)
		r.flags = append(r.flags, f)
	}
	for n := range q.Measures {
		m := &q.Measures[n]
		one := rankMeasure[R]{function: m.Function, source: -1}
		column := -1
		if m.Column != nil {
			sources := s.sourcesOf(m.Column)
			if len(sources) != 1 {
				return fmt.Errorf("ranking by %s, which is computed: %w", m.Column.ID(), store.ErrInvalid)
			}
			one.source, one.timed, column = sources[0], m.Column.Kind() == filter.Time, sources[0]
		}
		if len(m.If) > 0 {
			one.where = predicateOf(0, 0, m.If)
		}
		condition, ok := filter.Signature(m.If)
		one.part = part(cacheable && ok, fmt.Sprintf("value %d %d %s", m.Function, column, condition))
		r.values = append(r.values, one)
	}
	for n := range q.Tallies {
		asked := &q.Tallies[n]
		condition, ok := filter.Signature(asked.If)
		r.tallies = append(r.tallies, rankTally[R]{
			query: asked, where: predicateOf(asked.From, asked.To, asked.If),
			part: part(cacheable && ok && !asked.Column.Derived(), fmt.Sprintf("tally %d %s", asked.Column.Index(), condition)),
		})
	}
	return nil
}

// rankList is what a row group, or the rows in memory, say about each key.
type rankList struct {
	*rankKeys
	flags  []rankBits
	values []rankColumn
	// tallied has the values that are counted, for each tally; nil if there are none.
	tallied []*rankValues
	// texts calls visit with keys, which are given by ascending places as in at.
	texts func(places []uint32, visit func(n int, key string) error) error
}

// rankBits has a bit for each key of a list; nil if none is set.
type rankBits []uint64

func (b rankBits) has(n int) bool { return b != nil && b[n>>6]>>(n&63)&1 != 0 }

func (b rankBits) set(n int) { b[n>>6] |= 1 << (n & 63) }

// rankKeys are the keys of a list.
type rankKeys struct {
	hashes []uint64 // ascending
	at     []uint32 // for each, its code in the dictionary, or a row that has it if there is none
}

// rankColumn holds the values of a measure by key. Sums have their own form, since they are exact.
type rankColumn struct {
	sums    []domain.Sum
	numbers []float64
}

func (r *ranking[R]) inPasses(passes int) (ranked *store.Ranking, err error) {
	var all *store.Ranker[R]
	defer func() {
		if err != nil {
			r.kept += all.Release()
		}
	}()
	r.passes, r.kept = passes, 0
	r.query.Start()
	r.startTallies()
	for pass := range passes {
		width := math.MaxUint64/uint64(passes) + 1 // overflows to 0 for a single pass
		r.low = width * uint64(pass)
		if r.high = r.low + width - 1; pass == passes-1 {
			r.high = math.MaxUint64
		}
		if err := r.pass(func(found *store.Ranker[R]) error {
			if all != nil {
				return all.Merge(found)
			}
			if all = found; passes > 1 {
				return all.Finish()
			}
			ranked, err = all.Ranking()
			return err
		}); err != nil {
			return nil, err
		}
	}
	if passes > 1 {
		if ranked, err = all.Ranking(); err != nil {
			return nil, err
		}
	}
	ranked.Tallies = r.results()
	return ranked, nil
}

// pass ranks the groups with the hashes of the current pass. The lists that their keys are read with are there until use
// returns.
func (r *ranking[R]) pass(use func(*store.Ranker[R]) error) error {
	v := r.version
	lists := make([]*rankList, len(v.groups)+1)
	var taken atomic.Int64
	lease := memory.Of(r.ctx)
	defer func() { lease.Shrink(taken.Load()) }()
	take := func(bytes int64) error {
		if err := lease.Grow(r.ctx, bytes); err != nil {
			return err
		}
		taken.Add(bytes)
		return nil
	}
	var err error
	if lists[len(v.groups)], err = r.hotList(take); err != nil {
		return err
	}
	var needed *store.HashSet // nil for all keys
	if r.query.Required {
		if err := r.eachGroup(take, func(b *rankBuilder[R], n int) (err error) {
			lists[n], err = b.required(v.groups[n])
			return err
		}); err != nil {
			return err
		}
		if needed, err = r.requiredKeys(lists, take); err != nil {
			return err
		}
	}
	if err := r.eachGroup(take, func(b *rankBuilder[R], n int) (err error) {
		if needed == nil || lists[n] != nil && lists[n].meets(needed) {
			lists[n], err = b.list(v.groups[n])
		} else {
			lists[n] = nil
		}
		return err
	}); err != nil {
		return err
	}
	lists = slices.DeleteFunc(lists, func(l *rankList) bool { return l == nil || len(l.hashes) == 0 })
	numbers, err := r.number(lists, take)
	if err != nil {
		return err
	}
	found, err := r.merge(lists, needed, numbers)
	if err != nil {
		return err
	}
	return use(found)
}

// eachGroup calls do with every row group, in several goroutines.
func (r *ranking[R]) eachGroup(take func(bytes int64) error, do func(b *rankBuilder[R], n int) error) error {
	errs := make([]error, runtime.GOMAXPROCS(0))
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			defer r.table.onFault(&errs[w])()
			b := &rankBuilder[R]{ranking: r, take: take}
			for errs[w] == nil {
				n := int(next.Add(1)) - 1
				if n >= len(r.version.groups) {
					return
				}
				if errs[w] = r.ctx.Err(); errs[w] == nil {
					errs[w] = do(b, n)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// requiredKeys returns the keys that have the first flag in one of the lists, or nil if those are many of all keys: then
// leaving out the others is not worth it.
func (r *ranking[R]) requiredKeys(lists []*rankList, take func(bytes int64) error) (*store.HashSet, error) {
	const worth = 4
	all, flagged := 0, 0
	for _, l := range lists {
		if l != nil {
			all += len(l.hashes)
			for _, word := range l.flags[0] {
				flagged += bits.OnesCount64(word)
			}
		}
	}
	if flagged > all/worth {
		return nil, nil //nolint:nilnil // all of them
	}
	needed, pending := new(store.HashSet), 0
	for _, l := range lists {
		if l == nil || l.flags[0] == nil {
			continue
		}
		for n, hash := range l.hashes {
			if l.flags[0].has(n) {
				pending += needed.Add(hash)
			}
		}
		if err := take(int64(pending)); err != nil {
			return nil, err
		}
		pending = 0
	}
	return needed, nil
}

// meets reports whether one of the keys is in a set.
func (l *rankList) meets(set *store.HashSet) bool { return slices.ContainsFunc(l.hashes, set.Has) }

// merge merges lists, each worker a range of the hashes. Needed, unless it is nil, are the only keys that count. Numbers are
// those of the values of each tally and list.
func (r *ranking[R]) merge(lists []*rankList, needed *store.HashSet, numbers [][][]uint32) (*store.Ranker[R], error) {
	entries := 0
	for _, l := range lists {
		entries += len(l.hashes)
	}
	const together = 2048 // groups that are merged at a time
	parts := 1 << bits.Len(uint(entries/together))
	workers := min(runtime.GOMAXPROCS(0), parts)
	rankers := make([]*store.Ranker[R], workers)
	counted := make([][][]int, workers)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer r.table.onFault(&errs[w])()
			m := &rankMerger[R]{ranking: r, lists: lists, needed: needed, numbers: numbers}
			for n := range r.tallies {
				m.counts = append(m.counts, make([]int, len(r.tallies[n].counts)))
			}
			counted[w] = m.counts
			rankers[w] = store.NewRanker(r.ctx, r.query, r.keyReader(lists))
			errs[w] = m.run(rankers[w], w*parts/workers, (w+1)*parts/workers, parts)
		})
	}
	wg.Wait()
	for w := 1; w < workers && errors.Join(errs...) == nil; w++ {
		errs[w] = rankers[0].Merge(rankers[w])
	}
	if err := errors.Join(errs...); err != nil {
		for _, ranker := range rankers {
			r.kept += ranker.Release()
		}
		return nil, err
	}
	for _, counts := range counted {
		for n := range r.tallies {
			for number, count := range counts[n] {
				r.tallies[n].counts[number] += count
			}
		}
	}
	return rankers[0], nil
}
