package segment

import "sync"

// valueBlocks allocates memory for values from blocks that are reused across queries.
type valueBlocks struct {
	rest []float64
	used []*[]float64
}

const valueBlock = 1 << 15

var freeBlocks = sync.Pool{New: func() any { b := make([]float64, valueBlock); return &b }}

// take returns memory for count values, with undefined contents.
func (b *valueBlocks) take(count int) []float64 {
	if count > len(b.rest) {
		if count > valueBlock {
			return make([]float64, count)
		}
		block := freeBlocks.Get().(*[]float64) //nolint:forcetypeassert // the pool holds nothing else
		b.used, b.rest = append(b.used, block), *block
	}
	taken := b.rest[:count:count]
	b.rest = b.rest[count:]
	return taken
}

// release returns all blocks to the pool.
func (b *valueBlocks) release() {
	for _, block := range b.used {
		freeBlocks.Put(block)
	}
	b.used, b.rest = nil, nil
}
