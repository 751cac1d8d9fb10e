package ingest

import (
	"context"
	"errors"
	"io"
	"math/bits"
	"sync"
)

// Body is the body of an export in memory that is reused. All of that memory is reserved in a budget before it is taken,
// and it grows as bytes arrive: a client holds about as much as it has sent, whatever it announces.
type Body struct {
	buffers     *buffers
	reservation *Reservation
	bytes       []byte
	// work is what the export holds while it is worked on, if that began already. Its memory is that of the body.
	work *work
}

// Bytes returns what was read. It is valid until Release.
func (b *Body) Bytes() []byte { return b.bytes }

// Release gives the memory back. It may be called again.
func (b *Body) Release() {
	b.buffers.put(b.bytes)
	b.bytes = nil
	b.reservation.Release()
	if b.work != nil {
		b.work.endTurn()
	}
}

// Read reads everything that there is, at most limit bytes. Announced is how long the body should be, 0 or less if that
// is unknown. Errors of ours are of type *Error; others are the reader's.
func (b *Body) Read(ctx context.Context, r io.Reader, announced, limit int64) error {
	for {
		if len(b.bytes) == cap(b.bytes) {
			if err := b.grow(ctx, announced, limit); err != nil {
				return err
			}
		}
		n, err := r.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if int64(len(b.bytes)) > limit {
			return Oversized(limit)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Oversized is the error of an export that is larger than the limit.
func Oversized(limit int64) *Error {
	return tooLarge("The export is larger than the limit of %d bytes. Send fewer spans at once.", limit)
}

// trustedAfter is how much a client must have sent until it is trusted to send what it announced. From then on it
// waits for memory once and not again and again, with others who wait for what it holds.
const trustedAfter = 64 << 10

// grow moves what was read to a larger buffer.
func (b *Body) grow(ctx context.Context, announced, limit int64) error {
	old := b.bytes
	wanted := 2 * int64(cap(old))
	if cap(old) >= trustedAfter && announced > int64(cap(old)) {
		wanted = announced + 1 // the end shows only if there is room behind it
	}
	if wanted >= limit {
		wanted = limit + 1 // one more byte shows that the limit is passed
	}
	size := bufferSize(int(wanted))
	if err := b.reservation.Grow(ctx, int64(size)); err != nil {
		return err
	}
	b.bytes = append(b.buffers.get(size), old...)
	b.reservation.Shrink(int64(cap(old)))
	b.buffers.put(old)
	return nil
}

// Buffers come in sizes that are powers of 2. Larger ones than those are of any size and not kept: one giant export should
// not cost memory for ever.
const (
	smallestBuffer = 4 << 10
	largestKept    = 4 << 20
	keptSizes      = 11
)

// bufferSize returns the size of the buffer for so many bytes.
func bufferSize(bytes int) int {
	if bytes > largestKept {
		return bytes
	}
	return max(smallestBuffer, 1<<bits.Len(uint(max(0, bytes-1))))
}

// buffers keeps buffers for reuse, by size.
type buffers struct{ kept [keptSizes]sync.Pool }

// class returns the place of a size among those that are kept, -1 for none.
func class(size int) int {
	if size < smallestBuffer || size > largestKept || size&(size-1) != 0 {
		return -1
	}
	return bits.TrailingZeros(uint(size)) - bits.TrailingZeros(uint(smallestBuffer))
}

// get returns an empty buffer of exactly this capacity.
func (p *buffers) get(size int) []byte {
	if n := class(size); n >= 0 {
		if kept, ok := p.kept[n].Get().(*[]byte); ok {
			return (*kept)[:0]
		}
	}
	return make([]byte, 0, size)
}

func (p *buffers) put(b []byte) {
	if n := class(cap(b)); n >= 0 {
		p.kept[n].Put(&b)
	}
}
