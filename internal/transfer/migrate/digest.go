package migrate

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/cespare/xxhash/v2"
)

// digest summarizes rows regardless of their order: their number and the sum of their hashes.
type digest struct {
	rows int64
	sum  uint64
}

// hasher hashes all fields of a row, so that rows with the same hash can be taken as equal.
type hasher struct {
	hash   xxhash.Digest
	number [8]byte
}

func (d *digest) add(hash uint64) {
	d.rows++
	d.sum += hash
}

// of returns the hash of a row, a pointer to a struct of strings, numbers, booleans, lists and small structs.
func (h *hasher) of(row any) uint64 {
	h.hash.Reset()
	h.add(reflect.ValueOf(row).Elem())
	return h.hash.Sum64()
}

func (h *hasher) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		h.addNumber(int64(v.Len()))
		_, _ = h.hash.WriteString(v.String())
	case reflect.Bool:
		if v.Bool() {
			h.addNumber(1)
		} else {
			h.addNumber(0)
		}
	case reflect.Int, reflect.Int64:
		h.addNumber(v.Int())
	case reflect.Float64:
		h.addNumber(int64(math.Float64bits(v.Float()))) //nolint:gosec // the same bits
	case reflect.Slice:
		h.addNumber(int64(v.Len()))
		for n := range v.Len() {
			h.add(v.Index(n))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			h.add(field)
		}
	default:
		panic("BUG: rows have a field of kind " + v.Kind().String() + ", which is not hashed")
	}
}

func (h *hasher) addNumber(n int64) {
	binary.LittleEndian.PutUint64(h.number[:], uint64(n)) //nolint:gosec // the same bits
	_, _ = h.hash.Write(h.number[:])
}
