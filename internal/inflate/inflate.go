// Package inflate unpacks DEFLATE data (RFC 1951), alone and within gzip (RFC 1952) and zlib (RFC 1950), that is in memory
// as a whole.
//
// A reader of streams must be ready to stop after every byte, keeps a window of what it wrote, and copies everything out
// of it. Here all input is there and output is one buffer, which is its own window. That, a buffer of 64 bits that is
// filled by one load, and tables that give a symbol together with its extra bits make it several times faster.
package inflate

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt is returned for data that no compressor writes. Data that ends too early is io.ErrUnexpectedEOF.
var ErrCorrupt = errors.New("compressed data is corrupt")

// What may be wrong with a symbol.
var (
	errNoSymbol   = corrupt("no symbol has this code")
	errNoDistance = corrupt("no distance has this code")
	errTooFar     = corrupt("a reference to before the beginning")
)

// Grow is called when a buffer is full and there is more to write. It returns a buffer that begins with the same bytes and
// has a larger capacity, all of which is written to. What it returned last, or the buffer that was handed in, stays the
// caller's whatever becomes of the call; an error of its own is returned as it is.
type Grow func(full []byte) ([]byte, error)

// Decoder has the tables that unpacking needs, 16 KB. It is used again and again, by one goroutine at a time; the zero
// value is ready.
type Decoder struct {
	codes   codes // of the block
	lengths codeLengths

	in  input
	out output
}

// Raw unpacks DEFLATE data without a frame and appends it to dst, whose capacity it uses up before it asks for more. What
// follows the end of the data is ignored. It gives up when the context ends.
func (d *Decoder) Raw(ctx context.Context, dst, packed []byte, grow Grow) ([]byte, error) {
	d.begin(ctx, dst, packed, grow)
	defer d.release()
	err := d.blocks()
	return d.result(err)
}

func (d *Decoder) begin(ctx context.Context, dst, packed []byte, grow Grow) {
	d.in = input{bytes: packed}
	d.out = output{ctx: ctx, grow: grow, bytes: dst[:cap(dst)], n: len(dst), start: len(dst)}
}

// release lets go of what belongs to the caller.
func (d *Decoder) release() { d.in, d.out = input{}, output{} }

func (d *Decoder) result(err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return d.out.bytes[:d.out.n], nil
}

// corrupt is ErrCorrupt with what was found.
func corrupt(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, values...))
}

// truncated is io.ErrUnexpectedEOF with what was read.
func truncated(what string) error {
	return fmt.Errorf("compressed data ends within %s: %w", what, io.ErrUnexpectedEOF)
}
