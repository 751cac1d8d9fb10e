// Package inflate decompresses DEFLATE data (RFC 1951), raw or within gzip (RFC 1952) or zlib (RFC 1950), that is
// entirely in memory.
//
// A streaming decoder must be able to stop after every byte, keeps a window of its output, and copies everything out of
// it. Here all input is available and output goes to a single buffer, which is its own window. That, a 64-bit bit
// buffer that is refilled with one load, and tables that resolve a symbol together with its extra bits make it several
// times faster.
package inflate

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt is returned for invalid data. For truncated data, the error is io.ErrUnexpectedEOF.
var ErrCorrupt = errors.New("compressed data is corrupt")

// Errors in symbols.
var (
	errNoSymbol   = corrupt("no symbol has this code")
	errNoDistance = corrupt("no distance has this code")
	errTooFar     = corrupt("a reference to before the beginning")
)

// Grow is called when the buffer is full and there is more to write. It returns a buffer that begins with the same
// bytes and has a larger capacity, all of which may be written to. The last buffer it returned, or else the initial
// one, stays with the caller whatever the outcome. An error of Grow is returned unchanged.
type Grow func(full []byte) ([]byte, error)

// Decoder has the tables for decompression, 16 KB. It can be reused, but is not safe for concurrent use. The zero value
// is ready to use.
type Decoder struct {
	codes   codes // of the current block
	lengths codeLengths

	in  input
	out output
}

// Raw decompresses raw DEFLATE data and appends it to dst, whose capacity it uses before it calls grow. Anything after
// the end of the data is ignored. It stops when the context is done.
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

// release drops references to memory of the caller.
func (d *Decoder) release() { d.in, d.out = input{}, output{} }

func (d *Decoder) result(err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return d.out.bytes[:d.out.n], nil
}

// corrupt returns ErrCorrupt with details.
func corrupt(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, values...))
}

// truncated returns io.ErrUnexpectedEOF with details.
func truncated(what string) error {
	return fmt.Errorf("compressed data ends within %s: %w", what, io.ErrUnexpectedEOF)
}
