package segment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
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
	r := &ranking[R]{table: t, version: v, ctx: ctx, query: &q, project: scope.ProjectID(), unsure: q.UnsureSet()}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	// If the lists of all row groups do not fit in memory, one part of the hashes is ranked after the other.
	const most = 256
	for passes := 1; ; passes *= 4 {
		found, err := r.inPasses(passes)
		if !errors.Is(err, memory.ErrTooLarge) {
			return found, err
		}
		// More passes do not help if it is the result that takes the memory.
		if passes == most || r.kept > memory.Of(ctx).Most()/2 {
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
	unsure  store.UnsureKeys
	where   *predicate[R]
	key     int // the column
	flags   []rankFlag[R]
	values  []rankMeasure[R]
	// The cached parts of lists.
	keys   rankPart
	marks  rankPart
	passes int
	kept   int64  // bytes of the result so far, if it failed
	low    uint64 // the hashes of the current pass
	high   uint64 // inclusive
}

type rankFlag[R any] struct{ where, without *predicate[R] }

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
	predicateOf := func(where []filter.Condition[R]) *predicate[R] {
		p := newPredicate(s, r.project, 0, 0, where)
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
	what, known := []string{"flags "}, cacheable
	for n := range q.Flags {
		f := rankFlag[R]{where: predicateOf(q.Flags[n].Where)}
		if len(q.Flags[n].Not) > 0 {
			f.without = predicateOf(slices.Concat(q.Flags[n].Where, q.Flags[n].Not))
		}
		r.flags = append(r.flags, f)
		with, ok := filter.Signature(q.Flags[n].Where)
		without, okWithout := filter.Signature(q.Flags[n].Not)
		known = known && ok && okWithout
		what = append(what, with, "~", without, "|")
	}
	if len(q.Flags) > 0 {
		r.marks = part(known, strings.Join(what, ""))
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
			one.where = predicateOf(m.If)
		}
		condition, ok := filter.Signature(m.If)
		one.part = part(cacheable && ok, fmt.Sprintf("value %d %d %s", m.Function, column, condition))
		r.values = append(r.values, one)
	}
	return nil
}

// rankList is what a row group, or the rows in memory, say about each key.
type rankList struct {
	*rankKeys
	flags  []uint8
	values []rankColumn
	// textOf returns a key by its index.
	textOf func(n int) (string, error)
}

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

func (r *ranking[R]) inPasses(passes int) (_ *store.Ranking, err error) {
	var all *store.Ranker[R]
	defer func() {
		if err != nil {
			r.kept += all.Release()
		}
	}()
	r.passes, r.kept = passes, 0
	for pass := range passes {
		width := math.MaxUint64/uint64(passes) + 1 // overflows to 0 for a single pass
		r.low = width * uint64(pass)
		if r.high = r.low + width - 1; pass == passes-1 {
			r.high = math.MaxUint64
		}
		found, err := r.pass()
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = found
		} else if err := all.Merge(found); err != nil {
			return nil, err
		}
	}
	return all.Ranking()
}

// pass ranks the groups with the hashes of the current pass.
func (r *ranking[R]) pass() (*store.Ranker[R], error) {
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
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers+1)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer r.table.onFault(&errs[w])()
			b := &rankBuilder[R]{ranking: r, take: take}
			for errs[w] == nil {
				n := int(next.Add(1)) - 1
				if n >= len(v.groups) {
					return
				}
				if errs[w] = r.ctx.Err(); errs[w] == nil {
					lists[n], errs[w] = b.list(v.groups[n])
				}
			}
		})
	}
	lists[len(v.groups)], errs[workers] = r.hotList(take)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return r.merge(slices.DeleteFunc(lists, func(l *rankList) bool { return l == nil || len(l.hashes) == 0 }), workers)
}

// merge merges lists, each worker a range of the hashes.
func (r *ranking[R]) merge(lists []*rankList, workers int) (*store.Ranker[R], error) {
	entries := 0
	for _, l := range lists {
		entries += len(l.hashes)
	}
	const together = 2048 // groups that are merged at a time
	parts := 1 << bits.Len(uint(entries/together))
	workers = min(workers, parts)
	rankers := make([]*store.Ranker[R], workers)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer r.table.onFault(&errs[w])()
			m := &rankMerger[R]{ranking: r, lists: lists}
			rankers[w] = store.NewRanker(r.ctx, r.query, func(ref uint64) (string, error) {
				return lists[ref>>32].textOf(int(uint32(ref)))
			})
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
	return rankers[0], nil
}
