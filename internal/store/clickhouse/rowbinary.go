package clickhouse

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"

	"almanac/internal/domain"
)

// RowBinary is ClickHouse's format of rows without names or types: numbers in little endian, texts and lists behind their
// length, and a byte before what may be null.

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

// Bounds of what is read, so that an answer that is damaged does not take all memory.
const (
	maxText = 1 << 30
	maxList = 1 << 27
)

// errDamaged means that an answer of ClickHouse cannot be what was asked for.
var errDamaged = errors.New("the answer of ClickHouse is damaged")

// decoder reads rows of RowBinary. Every row begins with a byte 1, which queries select first: ClickHouse appends the
// message of a late failure to the rows that it has sent already, and it begins with another byte.
type decoder struct {
	r   *bufio.Reader
	err error // the first; everything read after it is zero
	// arena holds the texts of the row. It is used again for the next one.
	arena   []byte
	scratch [8]byte
}

func newDecoder(r io.Reader) *decoder { return &decoder{r: bufio.NewReaderSize(r, 64<<10)} }

// next says whether there is another row. Texts of the row before are gone then.
func (d *decoder) next() bool {
	d.arena = d.arena[:0]
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

// fail notes an error. An answer that ends within a row is cut off.
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

// length reads how long a text or a list is.
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
		d.fail(fmt.Errorf("%w: something in it is %d long", errDamaged, n))
		return 0
	}
	return int(n) //nolint:gosec // at most a gigabyte
}

// text reads a text, which is valid until the next row.
func (d *decoder) text() string {
	n := d.length(maxText)
	if n == 0 {
		return ""
	}
	start := len(d.arena)
	// Piece by piece, so that a length alone takes no memory.
	for n > 0 {
		piece := min(n, 64<<10)
		at := len(d.arena)
		d.arena = append(d.arena, make([]byte, piece)...)
		if _, err := io.ReadFull(d.r, d.arena[at:]); err != nil {
			d.fail(err)
			return ""
		}
		n -= piece
	}
	// If the arena grows, the texts stay in the memory that they were read into.
	text := d.arena[start:]
	return unsafe.String(&text[0], len(text)) //nolint:gosec // nobody changes it before the next row
}

func (d *decoder) texts() []string {
	n := d.length(maxList)
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
