package clickhouse

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
)

// RowBinary is ClickHouse's row format without names or types: little-endian numbers, strings and lists prefixed with
// their length, and a null byte before nullable values.

func appendText(b []byte, text string) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

func appendTexts(b []byte, texts []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(texts)))
	for _, text := range texts {
		b = appendText(b, text)
	}
	return b
}

func appendInt(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) } //nolint:gosec // the same bits

func appendTime(b []byte, t domain.Micros) []byte { return appendInt(b, int64(t)) }

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func appendFloats(b []byte, values []float64) []byte {
	b = binary.AppendUvarint(b, uint64(len(values)))
	for _, v := range values {
		b = appendFloat(b, v)
	}
	return b
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendOptInt(b []byte, v domain.OptInt) []byte {
	if b = appendBool(b, !v.Set); v.Set {
		b = appendInt(b, v.Value)
	}
	return b
}

func appendOptFloat(b []byte, v domain.OptFloat) []byte {
	if b = appendBool(b, !v.Set); v.Set {
		b = appendFloat(b, v.Value)
	}
	return b
}

// Limits for lengths, so that a corrupt response does not exhaust memory.
const (
	maxText = 1 << 30
	maxList = 1 << 27
)

// errDamaged means that a response of ClickHouse is corrupt.
var errDamaged = errors.New("the response of ClickHouse is corrupt")

// decoder reads rows in RowBinary. Every row begins with a byte 1, which queries select first: ClickHouse appends the
// message of a late failure to the rows it has already sent, and that begins with a different byte.
//
// Memory for strings and lists is taken from the lease of the context before they are read, and released with the next
// row.
type decoder struct {
	r   *bufio.Reader
	err error // the first error; everything read after it is zero
	// arena holds the strings of the row. It is reused for the next one.
	arena   []byte
	scratch [8]byte

	ctx   context.Context //nolint:containedctx // of the one call
	lease *memory.Lease
	used  int64 // by the arena and the rest of the row
	held  int64 // taken from the lease: what is used beyond uncounted
}

const (
	// The blocks of an arena have at least firstBlock bytes, and each is twice as long as the one before, up to
	// fullBlock. A longer string has its own block.
	firstBlock, fullBlock = 4 << 10, 64 << 10
	// uncounted is how much a decoder may use without accounting, besides its buffer: most need no more, and never have
	// to wait.
	uncounted = fullBlock
	// keptArena is the largest arena that is kept for the next row.
	keptArena = 1 << 20
	// believed is the maximum memory allocated on the strength of a length prefix alone where there is no lease.
	believed = 1 << 20
)

// newDecoder returns a decoder of a response. The caller must call release when done.
func newDecoder(ctx context.Context, r io.Reader) *decoder {
	return &decoder{r: bufio.NewReaderSize(r, 64<<10), ctx: ctx, lease: memory.Of(ctx)}
}

// take reserves memory that is about to be used, and reports whether there is enough.
func (d *decoder) take(bytes int) bool {
	if d.err != nil {
		return false
	}
	used := d.used + int64(bytes)
	if more := used - uncounted - d.held; more > 0 {
		if err := d.lease.Grow(d.ctx, more); err != nil {
			d.fail(err)
			return false
		}
		d.held += more
	}
	d.used = used
	return true
}

// forget releases what the row used, except for the arena if it is kept.
func (d *decoder) forget() {
	if d.arena = d.arena[:0]; cap(d.arena) > keptArena {
		d.arena = nil
	}
	d.used = int64(cap(d.arena))
	if spare := d.held - max(0, d.used-uncounted); spare > 0 {
		d.lease.Shrink(spare)
		d.held -= spare
	}
}

// release releases everything. It invalidates the strings of the last row.
func (d *decoder) release() {
	d.arena = nil
	d.forget()
}

// next reports whether there is another row. It invalidates the strings of the previous row.
func (d *decoder) next() bool {
	d.forget()
	if d.err != nil {
		return false
	}
	mark, err := d.r.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		return false
	case err != nil:
		d.err = err
		return false
	case mark == 1:
		return true
	}
	_ = d.r.UnreadByte()
	d.err = lateException(d.r)
	return false
}

// fail records an error. EOF within a row means that the response is truncated.
func (d *decoder) fail(err error) {
	if d.err != nil {
		return
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	d.err = err
}

func (d *decoder) uint64() uint64 {
	if d.err != nil {
		return 0
	}
	if _, err := io.ReadFull(d.r, d.scratch[:]); err != nil {
		d.fail(err)
		return 0
	}
	return binary.LittleEndian.Uint64(d.scratch[:])
}

func (d *decoder) int() int64 { return int64(d.uint64()) } //nolint:gosec // the same bits

func (d *decoder) time() domain.Micros { return domain.Micros(d.int()) }

func (d *decoder) float() float64 { return math.Float64frombits(d.uint64()) }

func (d *decoder) bool() bool {
	if d.err != nil {
		return false
	}
	c, err := d.r.ReadByte()
	if err != nil {
		d.fail(err)
		return false
	}
	return c != 0
}

func (d *decoder) optInt() (v domain.OptInt) {
	if null := d.bool(); null || d.err != nil {
		return v
	}
	return domain.IntOf(d.int())
}

func (d *decoder) optFloat() (v domain.OptFloat) {
	if null := d.bool(); null || d.err != nil {
		return v
	}
	return domain.FloatOf(d.float())
}

// length reads the length of a string or list.
func (d *decoder) length(most uint64) int {
	if d.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(d.r)
	switch {
	case err != nil:
		d.fail(err)
		return 0
	case n > most:
		d.fail(fmt.Errorf("%w: a length of %d", errDamaged, n))
		return 0
	}
	return int(n) //nolint:gosec // at most a gigabyte
}

// text reads a string, which is valid until the next row.
func (d *decoder) text() string {
	n := d.length(maxText)
	if n == 0 || n > cap(d.arena)-len(d.arena) && !d.newBlock(n) {
		return ""
	}
	start := len(d.arena)
	for end := start + n; len(d.arena) < end; {
		if len(d.arena) == cap(d.arena) { // the string has its own block, smaller than its length prefix said
			d.arena = append(make([]byte, 0, min(n, 2*cap(d.arena))), d.arena...)
		}
		at := len(d.arena)
		d.arena = d.arena[:min(end, cap(d.arena))]
		if _, err := io.ReadFull(d.r, d.arena[at:]); err != nil {
			d.fail(err)
			return ""
		}
	}
	text := d.arena[start:]
	return unsafe.String(&text[0], len(text)) //nolint:gosec // nobody changes it before the next row
}

// newBlock gives the arena a new block with room for n bytes. Strings read before stay in their old block.
func (d *decoder) newBlock(n int) bool {
	size := max(n, min(max(2*cap(d.arena), firstBlock), fullBlock))
	if !d.take(size) {
		return false
	}
	if d.lease == nil {
		size = min(size, believed)
	}
	d.arena = make([]byte, 0, size)
	return true
}

func (d *decoder) texts() []string {
	n := d.length(maxList)
	const few, header = 1000, 16        // few need not be counted; header is the size of a string besides its bytes
	if n > few && !d.take(2*header*n) { // append doubles the list
		return nil
	}
	var texts []string
	for range n {
		texts = append(texts, d.text())
		if d.err != nil {
			return nil
		}
	}
	return texts
}

func (d *decoder) floats(most int64) []float64 {
	n := d.length(maxList)
	if int64(n) > most {
		d.fail(errTooMany)
		return nil
	}
	var values []float64
	for range n {
		values = append(values, d.float())
		if d.err != nil {
			return nil
		}
	}
	return values
}
