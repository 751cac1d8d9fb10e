package store

import (
	"encoding/binary"
	"math"
	"strconv"

	"almanac/internal/filter"
)

// The name of a group is its bucket and its keys encoded as bytes, unique for each group: the bucket as eight bytes,
// then each key preceded by its length plus 1, or 0 if it is null.

// bucketBytes is the size of the bucket in a name.
const bucketBytes = 8

// beginName begins the name of a group with its bucket.
func (g *Grouper[R]) beginName(bucket int64) {
	g.name = binary.LittleEndian.AppendUint64(g.name[:0], uint64(bucket)) //nolint:gosec // read back as it is
}

// extendName appends a key. The memory for long names is reserved first.
func (g *Grouper[R]) extendName(key string, null bool) error {
	if null {
		g.name = append(g.name, 0)
		return nil
	}
	if size := len(g.name) + binary.MaxVarintLen64 + len(key); size > cap(g.name) {
		if err := g.Take(size - cap(g.name)); err != nil {
			return err
		}
		g.name = append(make([]byte, 0, size), g.name...)
	}
	g.name = append(binary.AppendUvarint(g.name, uint64(len(key)+1)), key...)
	return nil
}

// readName decodes a name into the bucket and keys of a group. The keys share the memory of the name.
func readName(name string, to *Group, keys int) {
	to.Keys, to.Nulls = make([]string, keys), make([]bool, keys)
	to.Bucket = int64(binary.LittleEndian.Uint64([]byte(name[:bucketBytes]))) //nolint:gosec // as it was written
	name = name[bucketBytes:]
	for n := range keys {
		to.Keys[n], to.Nulls[n], name = readKey(name)
	}
}

// readKey decodes the key at the start of name and returns the rest.
func readKey(name string) (key string, null bool, rest string) {
	size, digits := uint64(0), 0
	for shift := 0; ; shift += 7 {
		digit := name[digits]
		size |= uint64(digit&0x7f) << shift
		if digits++; digit < 0x80 {
			break
		}
	}
	if name = name[digits:]; size == 0 {
		return "", true, name
	}
	return name[:size-1], false, name[size-1:]
}

// KeyOf returns the key of a row in a column that is not a list, in the form of Group.Keys.
func KeyOf[R any](column *filter.Column[R], row *R) (key string, null bool) {
	switch column.Kind() {
	case filter.Bool:
		return strconv.FormatBool(column.Bool(row)), false
	case filter.Number:
		value, null := column.Number(row)
		if null || math.IsNaN(value) {
			return "", true
		}
		return NumberKey(value), false
	}
	if key, null = column.Text(row); null {
		key = ""
	}
	return key, null
}

// NumberKey formats a number as a group key.
func NumberKey(value float64) string {
	return strconv.FormatFloat(value+0, 'g', -1, 64) // adding 0 turns -0 into 0
}
