package segment

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"almanac/internal/platform"
)

// longPage reads, verifies and decompresses a page of a long column.
func (g *rowGroup[R]) longPage(at location, s *scratch) ([]byte, error) {
	var page []byte
	if at.size > largePage {
		page = g.file.data[at.offset : at.offset+int64(at.size)]
		defer platform.Release(g.file.data, at.offset, at.offset+int64(at.size))
	} else {
		if cap(s.bytes) < int(at.size) {
			s.bytes = make([]byte, at.size)
		}
		page = s.bytes[:at.size]
		if _, err := g.file.file.ReadAt(page, at.offset); err != nil {
			return nil, fmt.Errorf("cannot read %d bytes at offset %d of segment %s: %w", at.size, at.offset, g.file.path, err)
		}
	}
	if err := checkPage(g.file.path, at, page); err != nil {
		return nil, err
	}
	raw, err := zstdReader().DecodeAll(page, make([]byte, 0, at.rawSize))
	if err != nil {
		return nil, fmt.Errorf("cannot decompress the page at offset %d of segment %s: %w", at.offset, g.file.path, err)
	}
	return raw, nil
}

// largePage is the size from which a page of a long column is read from the mapped file: copying it would cost more
// memory than the system calls it saves are worth.
const largePage = longPageMaxBytes

// shortPage returns a page of any other column, verified the first time. It points into the mapped file: the caller
// must not retain any part of it.
func (g *rowGroup[R]) shortPage(at location, checked *atomic.Bool) ([]byte, error) {
	page := g.file.data[at.offset : at.offset+int64(at.size)]
	if !checked.Load() {
		if err := checkPage(g.file.path, at, page); err != nil {
			return nil, err
		}
		checked.Store(true)
	}
	return page, nil
}

// decodedPage holds some decoded rows of a column. Only the fields for the column's class are set.
type decodedPage struct {
	first      int
	dictionary *dictionary
	codes      []int32
	ints       []int64
	floats     []float64
	levels     []uint8 // which of ints or floats are set; nil means all
	spare      []uint8 // buffer for levels
	bits       []byte
	bytes      []byte
	mapped     bool     // bytes point into the mapped file
	offsets    []uint32 // of the strings in bytes; nil if all have the same width
	width      int
}

// text returns the string of a row. It is valid as long as the page or, if that is mapped, as long as the file.
func (p *decodedPage) text(row int) string {
	at := row - p.first
	if p.offsets == nil {
		return viewString(p.bytes[at*p.width : (at+1)*p.width])
	}
	return viewString(p.bytes[p.offsets[at]:p.offsets[at+1]])
}

// own makes a page independent of the mapped file by copying.
func (p *decodedPage) own() {
	if p.mapped {
		p.bytes, p.mapped = slices.Clone(p.bytes), false
	}
}

// shortText returns the string of a row in a column that is not long, with or without a dictionary.
func (p *decodedPage) shortText(row int) string {
	if p.dictionary != nil {
		return p.dictionary.text(int(p.code(row - p.first)))
	}
	return p.text(row)
}

// constant reports whether all rows of the page have the same value: the only string of a dictionary, null, or false.
func (p *decodedPage) constant() bool {
	switch {
	case p.dictionary != nil:
		return len(p.codes) == 0
	case p.levels != nil:
		return !slices.Contains(p.levels, 1)
	}
	return p.bits != nil && !slices.ContainsFunc(p.bits, func(b byte) bool { return b != 0 })
}

// null reports whether the value at an index of the page is unset.
func (p *decodedPage) null(at int) bool { return p.levels != nil && p.levels[at] == 0 }

func (p *decodedPage) size() int64 {
	return int64(64 + len(p.levels) + 4*len(p.codes) + 8*len(p.ints) + 8*len(p.floats) + len(p.bits) + len(p.bytes) + 4*len(p.offsets))
}

// dictionary holds the distinct strings of a column, encoded as in their page: each prefixed with its length.
type dictionary struct {
	page   []byte
	starts []uint32                   // offsets of the length prefixes, and the end
	lists  []atomic.Pointer[[]string] // for a column of lists: the strings parsed as JSON arrays, on demand
}

func (d *dictionary) len() int { return len(d.starts) - 1 }

func (d *dictionary) text(code int) string {
	return viewString(d.page[d.starts[code]+4 : d.starts[code+1]])
}

// list returns the list that a code stands for.
func (d *dictionary) list(code int) []string {
	if list := d.lists[code].Load(); list != nil {
		return *list
	}
	list, _ := readList(d.text(code)) // written by us, and checksummed
	d.lists[code].Store(&list)
	return list
}

// dictionaryOf returns the dictionary of a column.
func (g *rowGroup[R]) dictionaryOf(column int) (*dictionary, error) {
	k := &g.chunks[column]
	if d := k.small.Load(); d != nil {
		return d, nil
	}
	key := cacheKey{g.id, int32(column), -1}
	if d, ok := g.cache.get(key); ok {
		return d.(*dictionary), nil //nolint:forcetypeassert // dictionaries have this key
	}
	mapped, err := g.shortPage(k.dictionary, &k.checked[len(k.pages)])
	if err != nil {
		return nil, err
	}
	d := &dictionary{page: slices.Clone(mapped), starts: make([]uint32, k.codes+1)}
	at := uint64(0)
	for n := range k.codes {
		d.starts[n] = uint32(at)
		if at+4 <= uint64(len(mapped)) {
			at += uint64(binary.LittleEndian.Uint32(mapped[at:]))
		}
		if at += 4; at > uint64(len(mapped)) {
			return nil, fmt.Errorf("the dictionary at offset %d of segment %s is invalid", k.dictionary.offset, g.file.path)
		}
	}
	d.starts[k.codes] = uint32(at)
	size := int64(k.dictionary.size) + int64(4*k.codes) + 64
	if g.schema.columns[column].class == classList {
		d.lists = make([]atomic.Pointer[[]string], k.codes)
		size += 2*int64(k.dictionary.size) + int64(32*k.codes)
	}
	if size <= smallDictionary {
		k.small.Store(d)
	} else {
		g.cache.put(key, d, size)
	}
	return d, nil
}

// smallDictionary is the size up to which a dictionary is kept outside the cache. Most are smaller, and looking them up
// there costs more than they do.
const smallDictionary = 256

// page returns a decoded page of a column, from the cache if possible.
func (g *rowGroup[R]) page(column, number int) (*decodedPage, error) {
	key := cacheKey{g.id, int32(column), int32(number)}
	if p, ok := g.cache.get(key); ok {
		return p.(*decodedPage), nil //nolint:forcetypeassert // pages have this key
	}
	p := new(decodedPage)
	if err := g.decodePage(column, number, p); err != nil {
		return nil, err
	}
	p.own()
	g.cache.put(key, p, p.size())
	return p, nil
}

// scanPage returns a decoded page of a column. If it is not in the cache, it is decoded into the given buffer and not
// cached, since a full scan would only evict what others need.
func (g *rowGroup[R]) scanPage(column, number int, memory *decodedPage) (*decodedPage, error) {
	if p, ok := g.cache.get(cacheKey{g.id, int32(column), int32(number)}); ok {
		return p.(*decodedPage), nil //nolint:forcetypeassert // pages have this key
	}
	return memory, g.decodePage(column, number, memory)
}

// decodePage decodes a page into p, reusing its memory. Its strings may point into the mapped file.
func (g *rowGroup[R]) decodePage(column, number int, p *decodedPage) error {
	k := &g.chunks[column]
	at := k.pages[number]
	*p = decodedPage{
		first: int(at.firstRow), codes: p.codes[:0], ints: p.ints[:0], floats: p.floats[:0], spare: p.spare, offsets: p.offsets[:0],
	}
	rows := g.pageEnd(column, number) - p.first
	s := getScratch()
	defer putScratch(s)
	class := g.schema.columns[column].class
	var err error
	if k.hasDictionary(class) {
		if p.dictionary, err = g.dictionaryOf(column); err != nil || p.dictionary.len() == 1 {
			return err // with a single string there are no codes to read
		}
	}
	var page []byte
	if class == classLong {
		page, err = g.longPage(at, s)
	} else {
		page, err = g.shortPage(at, &k.checked[number])
	}
	if err != nil {
		return err
	}
	switch {
	case k.hasDictionary(class):
		p.codes, err = decodeCodes(page, rows, p.codes)
	case class.isText():
		p.mapped = class != classLong
		p.bytes, p.offsets, p.width, err = decodeTexts(page, rows, p.offsets, s)
	case class == classBool:
		p.bits = slices.Clone(page)
		if len(p.bits)*8 < rows {
			err = errPage
		}
	case class.isFloat():
		var dictionary []byte
		if dictionary, err = g.floatDictionary(k); err == nil {
			p.floats, p.levels, err = decodeFloats(page, rows, class.optional(), dictionary, p.floats, p.spare, s)
		}
	default:
		p.ints, p.levels, err = decodeInts(page, rows, class.optional(), p.ints, p.spare, s)
	}
	if p.levels != nil {
		p.spare = p.levels
	}
	if err != nil {
		return fmt.Errorf("cannot decode column %s at offset %d of segment %s: %w", g.schema.columns[column].Name, at.offset,
			g.file.path, err)
	}
	return nil
}

// floatDictionary returns the distinct floats of a column, eight bytes each; nil if it has no dictionary.
func (g *rowGroup[R]) floatDictionary(k *chunkPages) ([]byte, error) {
	if k.codes == 0 {
		return nil, nil
	}
	return g.shortPage(k.dictionary, &k.checked[len(k.pages)])
}

// resize returns a slice of this length, reusing memory if possible. Its contents are undefined.
func resize[T int32 | int64 | float64](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}

// pageEnd returns the first row after a page.
func (g *rowGroup[R]) pageEnd(column, number int) int {
	if pages := g.chunks[column].pages; number+1 < len(pages) {
		return int(pages[number+1].firstRow)
	}
	return g.rows
}

// pageOf returns the number of the page that contains a row.
func (k *chunkPages) pageOf(row int) int {
	n, _ := slices.BinarySearchFunc(k.pages, row+1, func(at location, row int) int { return int(at.firstRow) - row })
	return n - 1
}
