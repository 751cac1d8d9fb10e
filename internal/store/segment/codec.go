package segment

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"

	"almanac/internal/domain"
)

// Rows in the log are encoded as a bitmap of the columns that are set, followed by those columns in order: strings with
// a length prefix, integers as zigzag varints, floats as 8 bytes, lists as a count and strings. Booleans take no bytes:
// they are true if their bit is set.

var errRow = errors.New("a row in the log is damaged")

// appendRow encodes a row.
func (s *schema[R]) appendRow(dst []byte, r *R) []byte {
	bitmap := len(dst)
	for range (len(s.columns) + 7) / 8 {
		dst = append(dst, 0)
	}
	for n := range s.columns {
		c := &s.columns[n]
		before := len(dst)
		set := false
		switch c.class {
		case classShort, classID, classLong:
			if text := *c.Text(r); text != "" {
				dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
			}
		case classTime:
			if t := *c.Time(r); t != 0 {
				dst = binary.AppendVarint(dst, int64(t))
			}
		case classInt:
			if v := *c.Int(r); v != 0 {
				dst = binary.AppendVarint(dst, v)
			}
		case classOptInt:
			if v := *c.OptInt(r); v.Set {
				dst = binary.AppendVarint(dst, v.Value)
			}
		case classFloat:
			if v := *c.Float(r); v != 0 {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
			}
		case classOptFloat:
			if v := *c.OptFloat(r); v.Set {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Value))
			}
		case classBool:
			set = *c.Bool(r)
		case classList:
			if list := *c.List(r); len(list) > 0 {
				dst = binary.AppendUvarint(dst, uint64(len(list)))
				for _, item := range list {
					dst = append(binary.AppendUvarint(dst, uint64(len(item))), item...)
				}
			}
		}
		if set || len(dst) > before {
			dst[bitmap+n/8] |= 1 << (n % 8)
		}
	}
	return dst
}

// readRow decodes a row that was written with the first `columns` columns of the schema. Its strings share the memory
// of src, which must not change afterwards.
func (s *schema[R]) readRow(src []byte, columns int, r *R) (rest []byte, err error) {
	if columns > len(s.columns) || len(src) < (columns+7)/8 {
		return nil, errRow
	}
	bitmap := src[:(columns+7)/8]
	d := decoder{src: src[len(bitmap):]}
	for n := range columns {
		if bitmap[n/8]&(1<<(n%8)) == 0 {
			continue
		}
		c := &s.columns[n]
		switch c.class {
		case classShort, classID, classLong:
			*c.Text(r) = d.text()
		case classTime:
			*c.Time(r) = domain.Micros(d.varint())
		case classInt:
			*c.Int(r) = d.varint()
		case classOptInt:
			*c.OptInt(r) = domain.IntOf(d.varint())
		case classFloat:
			*c.Float(r) = d.float()
		case classOptFloat:
			*c.OptFloat(r) = domain.FloatOf(d.float())
		case classBool:
			*c.Bool(r) = true
		case classList:
			count := d.uvarint()
			if count > uint64(len(d.src)) {
				return nil, errRow
			}
			list := make([]string, count)
			for i := range list {
				list[i] = d.text()
			}
			*c.List(r) = list
		}
	}
	if d.failed {
		return nil, errRow
	}
	return d.src, nil
}

// decoder reads values in sequence. After a failure it returns zero values.
type decoder struct {
	src    []byte
	failed bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.src)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.src)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[n:]
	return v
}

func (d *decoder) float() float64 {
	if len(d.src) < 8 {
		d.fail()
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.src))
	d.src = d.src[8:]
	return v
}

func (d *decoder) text() string { return viewString(d.bytes()) }

func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if n > uint64(len(d.src)) {
		d.fail()
		return nil
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

func (d *decoder) fail() { d.failed, d.src = true, nil }

// viewString returns a string that shares the memory of b, which must not change afterwards.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// viewBytes returns the bytes of s without copying. They must not be modified.
func viewBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
