package explore

import (
	"container/heap"
	"slices"
)

// ranking keeps the first few of many items in an order.
type ranking[T any] struct {
	limit   int
	compare func(a, b T) int
	kept    []T // a heap with the last item in the order on top
}

func newRanking[T any](limit int, compare func(a, b T) int) *ranking[T] {
	return &ranking[T]{limit: limit, compare: compare}
}

// add adds an item if it is among the first so far. The item that is stored is made by keep.
func (r *ranking[T]) add(thing T, keep func() T) {
	switch {
	case r.limit == 0:
	case len(r.kept) < r.limit:
		heap.Push(r, keep())
	case r.compare(thing, r.kept[0]) < 0:
		r.kept[0] = keep()
		heap.Fix(r, 0)
	}
}

// sorted returns the kept items, in order.
func (r *ranking[T]) sorted() []T {
	slices.SortFunc(r.kept, r.compare)
	return r.kept
}

// pageOf returns the first places after the given one, if any, in order, and the last of them if there are more.
func pageOf[P any](places []P, after *P, limit int, compare func(a, b *P) int) (page []*P, next *P) {
	best := newRanking(limit+1, compare)
	for n := range places {
		if p := &places[n]; after == nil || compare(p, after) > 0 {
			best.add(p, func() *P { return p })
		}
	}
	page = best.sorted()
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1]
	}
	return page, next
}

// Len is for package heap.
func (r *ranking[T]) Len() int { return len(r.kept) }

// Less is for package heap.
func (r *ranking[T]) Less(i, j int) bool { return r.compare(r.kept[i], r.kept[j]) > 0 }

// Swap is for package heap.
func (r *ranking[T]) Swap(i, j int) { r.kept[i], r.kept[j] = r.kept[j], r.kept[i] }

// Push is for package heap.
func (r *ranking[T]) Push(x any) { r.kept = append(r.kept, x.(T)) } //nolint:forcetypeassert // only such things are pushed

// Pop is for package heap.
func (r *ranking[T]) Pop() any {
	last := r.kept[len(r.kept)-1]
	r.kept = r.kept[:len(r.kept)-1]
	return last
}
