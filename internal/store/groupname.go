package store

import (
	"encoding/binary"
	"math"
	"strconv"

	"almanac/internal/filter"
)

// The name of a group is its bucket and its keys in bytes, so that no two groups have the same: the bucket as eight bytes,
// then each key behind its length and 1, or 0 if it is null.

// bucketBytes is how many bytes of a name are its bucket.
const bucketBytes = 8

// beginName begins the name of a group with its bucket.
func (g *Grouper[R]) beginName(bucket int64) {
	g.name = binary.LittleEndian.AppendUint64(g.name[:0], uint64(bucket)) //nolint:gosec // read back as it is
}

// extendName adds a key. The memory of long ones is taken first.
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

// readName gives a group the bucket and the keys that are in its name. Keys are parts of it.
func readName(name string, to *Group, keys int) {
	to.Keys, to.Nulls = make([]string, keys), make([]bool, keys)
	to.Bucket = int64(binary.LittleEndian.Uint64([]byte(name[:bucketBytes]))) //nolint:gosec // as it was written
	name = name[bucketBytes:]
	for n := range keys {
		to.Keys[n], to.Nulls[n], name = readKey(name)
	}
}

// readKey returns the key at the beginning of a part of a name, and what follows it.
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

// KeyOf returns the key of a row in a column that is no list, as Group has it.
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

// NumberKey is a number as the key of a group.
func NumberKey(value float64) string {
	return strconv.FormatFloat(value+0, 'g', -1, 64) // adding 0 makes one number of 0 and -0
}
