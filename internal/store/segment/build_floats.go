package segment

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// writeFloats writes a column of floats, as a dictionary and codes if values repeat often enough to save a quarter.
// Costs often do: the same prompt with the same model.
func (g *groupWriter[R]) writeFloats(c *column[R], k *chunk) error {
	codes, dictionary := c.floatCodes(g.rows)
	different := len(dictionary) / 8
	if size := len(dictionary) + len(codes)*bits.Len(uint(different))/8; different == 0 || 4*size > 3*8*len(codes) {
		return g.writePlain(c, k)
	}
	k.codes, k.dictionaryHeader = different, g.out.n
	var err error
	if k.dictionary, err = g.writePage(k, dictionary, len(dictionary), 0, dictionaryHeader(different)); err != nil {
		return err
	}
	var e rle.DictionaryEncoding
	for first := 0; first < len(g.rows); first += pageRows {
		rows := g.rows[first:min(first+pageRows, len(g.rows))]
		var nulls int64
		if g.buffer, nulls, err = c.appendLevels(g.buffer[:0], rows); err != nil {
			return err
		}
		part := codes[:len(rows)-int(nulls)]
		codes = codes[len(part):]
		encoded, err := e.EncodeInt32(nil, part)
		if err != nil {
			return err
		}
		g.buffer = append(g.buffer, encoded...)
		if err := g.addNullablePage(k, first, len(rows), nulls, format.RLEDictionary); err != nil {
			return err
		}
	}
	return nil
}

// maxFloats is the maximum number of distinct floats in a dictionary.
const maxFloats = 1 << 15

// floatCodes returns a dictionary of the floats of a column and the code of each that is set; nil if there are too many
// distinct values.
func (c *column[R]) floatCodes(rows []placedRow[R]) (codes []int32, dictionary []byte) {
	codes = make([]int32, 0, len(rows))
	known := make(map[uint64]int32)
	last, lastCode := uint64(0), int32(-1) // neighbours are often equal
	for _, r := range rows {
		value, set := c.floatValue(r.row)
		if !set {
			continue
		}
		if number := math.Float64bits(value); lastCode < 0 || number != last {
			code, ok := known[number]
			if !ok {
				if len(known) == maxFloats || 2*len(known) > len(rows) {
					return nil, nil
				}
				code = int32(len(known))
				known[number] = code
				dictionary = binary.LittleEndian.AppendUint64(dictionary, number)
			}
			last, lastCode = number, code
		}
		codes = append(codes, lastCode)
	}
	return codes, dictionary
}
