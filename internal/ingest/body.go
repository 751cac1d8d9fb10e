package ingest

import (
	"context"
	"errors"
	"io"
	"math/bits"
	"sync"
)

// Body holds the body of an export in reusable buffers. Every byte is reserved in a budget before it is allocated, and
// the buffer grows as data arrives: a client holds about as much memory as it has sent, whatever length it announces.
type Body struct {
	buffers     *buffers
	reservation *Reservation
	bytes       []byte
	// work is set if processing of the export has already begun; the body's memory is then reserved by it.
	work *work
}

// Bytes returns the bytes read so far. They are valid until Release.
func (b *Body) Bytes() []byte { return b.bytes }

// Release returns the memory. It is safe to call it more than once.
func (b *Body) Release() {
	b.buffers.put(b.bytes)
	b.bytes = nil
	b.reservation.Release()
	if b.work != nil {
		b.work.endTurn()
	}
}

// Read reads r until EOF, up to limit bytes. Announced is the expected length of the body, 0 or less if unknown. Errors
// of this package are of type *Error; others come from ctx or r.
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

// Oversized returns the error for an export larger than limit bytes.
func Oversized(limit int64) *Error {
	return tooLarge("The export is larger than the limit of %d bytes. Send fewer spans at once.", limit)
}

// trustedAfter is the number of bytes a client must send before its announced length is trusted. From then on it waits
// for memory only once, instead of repeatedly while others wait for the memory it holds.
const trustedAfter = 64 << 10

// grow moves the data to a larger buffer.
func (b *Body) grow(ctx context.Context, announced, limit int64) error {
	old := b.bytes
	wanted := 2 * int64(cap(old))
	if cap(old) >= trustedAfter && announced > int64(cap(old)) {
		wanted = announced + 1 // reading EOF requires spare capacity
	}
	if wanted >= limit {
		wanted = limit + 1 // one extra byte to detect that the limit is exceeded
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

// Buffer sizes are powers of two. Larger buffers have any size and are not pooled, so that one giant export does not
// cost memory forever.
const (
	smallestBuffer = 4 << 10
	largestKept    = 4 << 20
	keptSizes      = 11
)

// bufferSize returns the size of the buffer to use for the given number of bytes.
func bufferSize(bytes int) int {
	if bytes > largestKept {
		return bytes
	}
	return max(smallestBuffer, 1<<bits.Len(uint(max(0, bytes-1))))
}

// buffers pools buffers by size.
type buffers struct{ kept [keptSizes]sync.Pool }

// class returns the index of the pool for a buffer size, -1 if such buffers are not pooled.
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
