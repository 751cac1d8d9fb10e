package otlp

import "unsafe"

// firstBytes is the size of the first chunk of a slab.
const firstBytes = 8 << 10

// keepBytes returns how much memory for items of one type an Export keeps for the next request. Typical requests need
// less, most of it for strings.
func keepBytes[T any]() int {
	if sizeOf[T]() == 1 {
		return 4 << 20
	}
	return 1 << 20
}

// slab is an arena whose memory is valid until reset. It allocates growing chunks and keeps the last one, so that after
// a few requests of similar size nothing is allocated any more.
type slab[T any] struct {
	chunk []T
}

// take returns memory for n items.
func (s *slab[T]) take(n int) []T {
	used := len(s.chunk)
	if cap(s.chunk)-used < n {
		size, keep := sizeOf[T](), keepBytes[T]()
		if n*size > keep/4 {
			return make([]T, n) // it would leave little of a chunk for others
		}
		s.chunk = make([]T, 0, max(n, firstBytes/size, min(2*cap(s.chunk), keep/size)))
		used = 0
	}
	s.chunk = s.chunk[:used+n]
	return s.chunk[used : used+n : used+n]
}

// reset frees everything. It clears the memory, which would otherwise keep alive the bodies that strings refer to.
func (s *slab[T]) reset() {
	clear(s.chunk)
	s.chunk = s.chunk[:0]
}

// list collects the items of nested lists, such as the attributes of an event between those of its span. Items are
// pushed onto a stack; a finished list moves from the top of the stack to a slab.
type list[T any] struct {
	stack []T
	slab  slab[T]
}

// start begins a list and returns its position.
func (l *list[T]) start() int { return len(l.stack) }

func (l *list[T]) push(item T) { l.stack = append(l.stack, item) }

// finish ends the list that began at start, and returns it.
func (l *list[T]) finish(start int) []T {
	items := l.stack[start:]
	if len(items) == 0 {
		return nil
	}
	finished := l.slab.take(len(items))
	copy(finished, items)
	l.abandon(start)
	return finished
}

// abandon discards the list that began at start.
func (l *list[T]) abandon(start int) {
	clear(l.stack[start:])
	l.stack = l.stack[:start]
}

func (l *list[T]) reset() {
	l.abandon(0)
	if cap(l.stack)*sizeOf[T]() > keepBytes[T]() {
		l.stack = nil
	}
	l.slab.reset()
}

func sizeOf[T any]() int {
	var item T
	return int(unsafe.Sizeof(item))
}
