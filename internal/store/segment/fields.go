package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/parquet-go/parquet-go/encoding/rle"

	"almanac/internal/filter"
)

// Metadata is JSON in a long column: comparing one of its entries requires decompressing and parsing a page of strings.
// Most keys, however, have few values, like a tenant, a region or a release. Those are fields: the index stores their
// values once and a code for each row, so that a condition is evaluated once per value and then on codes.
//
//	section = 1 byte: 1 if all keys of the row group are in the section, else 0
//	          field*
//	field   = length of what follows uvarint, key text, values uvarint,
//	          value text*, codes as a page of a dictionary has them, one for each row
//	text    = length uvarint, bytes
//
// Values of fields are not in the member postings; all other entries are.
//
// Code 0 means that a row has no such entry, and code n stands for value n-1. A field without values is a key that
// occurs but has too many values; it has no codes. Strings are in the form that conditions compare, see
// filter.EachLeaf.
const (
	maxFieldKeys   = 256      // keys listed per row group
	maxFields      = 64       // keys listed with their values
	maxFieldValues = 4096     // values per key
	maxFieldText   = 256      // bytes per key or value
	maxFieldTexts  = 64 << 10 // bytes of all values of a key
	fewFieldValues = 64       // this few are kept even if most rows have a different value
	newFieldValues = 1024     // collected before checking whether values repeat
)

// fieldsBuilder collects the fields of a row group, row by row. Entries that are in no field go into the member
// postings.
type fieldsBuilder struct {
	members *postings
	rows    int
	list    []*fieldBuilder
	byKey   map[string]*fieldBuilder
	next    int  // index of the next expected key: rows mostly have the same keys in the same order
	kept    int  // number of fields whose values are collected
	missing bool // there were more keys than the section lists
}

type fieldBuilder struct {
	key     string
	keyHash uint64
	codes   []int32          // for the rows up to the last one that has the key
	known   map[string]int32 // nil if there are too many values
	texts   []byte
	present int   // number of rows that have the key
	seenIn  []int // by code - 1: the last row block with the value, counted from 1
	// Adjacent rows often have the same value.
	last     string
	lastCode int32
}

func newFieldsBuilder(members *postings, rows int) *fieldsBuilder {
	return &fieldsBuilder{members: members, rows: rows, byKey: make(map[string]*fieldBuilder)}
}

// add records an entry of a row's metadata. It returns true if the entry is known to have occurred earlier in the same
// row block.
func (b *fieldsBuilder) add(row int, key, value string) (again bool) {
	f := b.find(key)
	switch {
	case f == nil:
		b.missing = true
		b.members.add(memberHash(key, value))
	case f.known == nil:
		b.members.add(valueHash(f.keyHash, value))
	case len(f.codes) > row: // the first of several entries with the same key wins
	case f.add(row, value):
		rowBlock, last := row/rowBlockRows+1, &f.seenIn[f.lastCode-1]
		again = *last == rowBlock
		*last = rowBlock
	default:
		b.drop(f)
		b.members.add(valueHash(f.keyHash, value))
	}
	return again
}

// add records a value. It returns false if that is one too many.
func (f *fieldBuilder) add(row int, value string) bool {
	code := f.lastCode
	if code == 0 || value != f.last {
		var ok bool
		if code, ok = f.known[value]; !ok {
			if len(f.known) == maxFieldValues || len(value) > maxFieldText || len(f.texts)+len(value) > maxFieldTexts ||
				len(f.known) >= newFieldValues && !f.worth() {
				return false
			}
			code = int32(len(f.known)) + 1
			f.known[value] = code
			f.texts = appendText(f.texts, value)
			f.seenIn = append(f.seenIn, 0)
		}
		f.last, f.lastCode = value, code
	}
	f.codes = append(f.extended(row), code)
	f.present++
	return true
}

// worth reports whether codes save anything.
func (f *fieldBuilder) worth() bool {
	return len(f.known) <= fewFieldValues || 2*len(f.known) <= f.present
}

// find returns the field of a key, and creates it if necessary; nil if there are too many keys.
func (b *fieldsBuilder) find(key string) *fieldBuilder {
	if b.next >= len(b.list) {
		b.next = 0
	}
	if b.next < len(b.list) && b.list[b.next].key == key {
		b.next++
		return b.list[b.next-1]
	}
	if f, ok := b.byKey[key]; ok {
		return f
	}
	if len(b.list) == maxFieldKeys || len(key) > maxFieldText {
		return nil
	}
	f := &fieldBuilder{key: key, keyHash: xxhash.Sum64String(key)}
	if b.kept < maxFields {
		f.known = make(map[string]int32)
		b.kept++
	}
	b.list = append(b.list, f)
	b.byKey[key] = f
	return f
}

// drop discards the values of a field and turns them into members, as if they had always been.
func (b *fieldsBuilder) drop(f *fieldBuilder) {
	hashes := make([]uint32, 0, len(f.known))
	for d := (decoder{src: f.texts}); len(d.src) > 0; {
		hashes = append(hashes, valueHash(f.keyHash, d.text()))
	}
	noted := make([]int, len(hashes)) // the last row block recorded for each value
	for row, code := range f.codes {
		if rowBlock := row/rowBlockRows + 1; code > 0 && noted[code-1] < rowBlock {
			noted[code-1] = rowBlock
			b.members.addAt(uint32(rowBlock-1), hashes[code-1])
		}
	}
	f.known, f.codes, f.texts, f.seenIn = nil, nil, nil, nil
	b.kept--
}

// extended returns the codes, padded with 0 to the given number of rows.
func (f *fieldBuilder) extended(rows int) []int32 {
	for len(f.codes) < rows {
		f.codes = append(f.codes, 0)
	}
	return f.codes
}

// section returns the encoded fields. It may add to the member postings, which are complete only afterwards.
func (b *fieldsBuilder) section() []byte {
	section := []byte{1}
	if b.missing {
		section[0] = 0
	}
	var field, codes []byte
	for _, f := range b.list {
		if f.known != nil && !f.worth() {
			b.drop(f)
		}
		field = appendText(field[:0], f.key)
		if f.known != nil {
			field = binary.AppendUvarint(field, uint64(len(f.known)))
			field = append(field, f.texts...)
			var e rle.DictionaryEncoding
			var err error
			if codes, err = e.EncodeInt32(codes, f.extended(b.rows)); err != nil {
				panic("BUG: codes of metadata cannot be encoded: " + err.Error())
			}
			field = append(field, codes...)
		} else {
			field = binary.AppendUvarint(field, 0)
		}
		section = binary.AppendUvarint(section, uint64(len(field)))
		section = append(section, field...)
	}
	return section
}

func appendText(dst []byte, text string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// field locates the values of a key. Without values, it is a key that has too many of them.
type field struct {
	values int
	rest   []byte // the values, then the codes
}

var errFields = errors.New("its metadata fields are truncated")

// findField looks up a key in a section. If it is not found, complete reports whether no row has it.
func findField(section []byte, key string) (f field, found, complete bool, err error) {
	if len(section) == 0 {
		return field{}, false, false, errFields
	}
	complete = section[0] == 1
	for d := (decoder{src: section[1:]}); len(d.src) > 0; {
		one := decoder{src: d.bytes()}
		name, values := one.text(), one.uvarint()
		if d.failed || one.failed || values > maxFieldValues {
			return field{}, false, false, errFields
		}
		if name == key {
			return field{int(values), one.src}, true, complete, nil
		}
	}
	return field{}, false, complete, nil
}

// texts returns the values and the encoded codes.
func (f field) texts() (values []string, codes []byte, err error) {
	d := decoder{src: f.rest}
	values = make([]string, f.values)
	for n := range values {
		values[n] = d.text()
	}
	if d.failed {
		return nil, nil, errFields
	}
	return values, d.src, nil
}

// readFieldCodes decodes the codes of all rows, reusing the memory of dst.
func readFieldCodes(encoded []byte, rows, values int, dst []int32) ([]int32, error) {
	codes, err := decodeCodes(encoded, rows, dst)
	if err != nil {
		return nil, fmt.Errorf("cannot read metadata codes: %w", err)
	}
	for _, code := range codes {
		if uint(code) > uint(values) {
			return nil, fmt.Errorf("metadata code %d is out of range for %d values", code, values)
		}
	}
	return codes, nil
}

// fieldMatch is the result of evaluating a condition on the values of a field.
type fieldMatch struct {
	encoded []byte // codes of all rows
	matches []bool // by code; 0 never matches
}

// fields returns the fields section.
func (g *rowGroup[R]) fields() ([]byte, error) { return g.namedSection(g.schema.fieldsSection()) }

// matchField evaluates a condition on the values of a metadata field. It reports whether that was possible and, if so,
// whether any row can match.
func (g *rowGroup[R]) matchField(c *filter.Condition[R]) (m fieldMatch, evaluated, some bool, err error) {
	section, err := g.fields()
	if err != nil {
		return m, false, true, err
	}
	f, found, complete, err := findField(section, c.Key())
	switch {
	case err != nil:
		return m, false, false, indexDamaged(g.file, err)
	case !found:
		return m, complete, !complete, nil
	case f.values == 0:
		return m, false, true, nil
	}
	values, encoded, err := f.texts()
	if err != nil {
		return m, false, false, indexDamaged(g.file, err)
	}
	m = fieldMatch{encoded, make([]bool, len(values)+1)}
	for n, value := range values {
		m.matches[n+1] = c.MatchEntry(value)
		some = some || m.matches[n+1]
	}
	return m, true, some, nil
}

var codesPool = sync.Pool{New: func() any { return new([]int32) }}

// keepField keeps the rows whose value matches.
func (g *rowGroup[R]) keepField(s *rowMask, m fieldMatch) error {
	memory := codesPool.Get().(*[]int32) //nolint:forcetypeassert // the pool holds nothing else
	defer codesPool.Put(memory)
	codes, err := readFieldCodes(m.encoded, g.rows, len(m.matches)-1, *memory)
	if err != nil {
		return indexDamaged(g.file, err)
	}
	*memory = codes
	s.keep(func(row int) bool { return m.matches[codes[row]] })
	return nil
}
