package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"almanac/internal/platform"
)

// segmentFile is an open segment: a Parquet file and its index, both mapped. It is closed when nobody can reach it any more, so
// a reader keeps it usable by holding on to it, even after it was removed from the directory.
type segmentFile struct {
	number int
	path   string
	file   *os.File
	data   []byte // the Parquet file; long pages are read instead, so that they do not fill the memory
	index  []byte
	size   int64 // of both files
}

func segmentName(number int) string { return fmt.Sprintf("%08d.parquet", number) }
func indexName(number int) string   { return fmt.Sprintf("%08d.idx", number) }

func openSegmentFile(directory string, number int) (*segmentFile, error) {
	f := &segmentFile{number: number, path: filepath.Join(directory, segmentName(number))}
	var err error
	if f.file, err = os.Open(f.path); err != nil {
		return nil, fmt.Errorf("cannot open segment: %w", err)
	}
	if f.data, err = mapFile(f.path); err != nil {
		return nil, fmt.Errorf("cannot map segment: %w", err)
	}
	runtime.AddCleanup(f, platform.Unmap, f.data)
	if f.index, err = mapFile(f.indexPath()); err != nil {
		return nil, fmt.Errorf("cannot open the index of segment %s: %w (almanac doctor --repair makes it again)", f.path, err)
	}
	f.size = int64(len(f.data) + len(f.index))
	runtime.AddCleanup(f, platform.Unmap, f.index)
	return f, nil
}

func (f *segmentFile) indexPath() string {
	return filepath.Join(filepath.Dir(f.path), indexName(f.number))
}

// mapFile maps a file into memory.
func mapFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // the mapping stays
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(len(indexMagic)) {
		return nil, fmt.Errorf("%s has only %d bytes", path, info.Size())
	}
	return platform.Map(file, info.Size())
}

// rowGroup is a part of a segment that is read as a whole. It never changes.
type rowGroup[R any] struct {
	schema   *schema[R]
	file     *segmentFile
	ordinal  int
	id       uint64 // for the cache; unique in this process
	cache    *cache
	rows     int
	columns  int // of the schema it was written with
	projects []projectRange
	chunks   []chunkPages
	base     int64

	blob    []byte
	checked []atomic.Bool         // sections whose checksum was compared
	stale   atomic.Pointer[error] // why rows that should be dead may live
	// Used often, and so looked up once.
	order   numbers
	bloom   []uint64
	members func() (*postingsReader, error)
	words   func() (*postingsReader, error)
}

// chunkPages says where a column is.
type chunkPages struct {
	codes      int
	dictionary location
	pages      []location
	checked    []atomic.Bool // pages whose checksum was compared, the dictionary last; not of long columns
	small      atomic.Pointer[dictionary]
}

// hasDictionary reports whether pages hold codes. A column of short texts has none where almost every row has a text of its
// own.
func (k *chunkPages) hasDictionary(c class) bool {
	return c == classList || c == classShort && k.codes > 0
}

var lastGroupID atomic.Uint64

// errNewer is the part of an error that says that a file is not damaged, but too new.
var errNewer = errors.New("written by a newer Almanac")

// errEarlierIndex is the part of an error that says that an index is not damaged, but has to be made again.
var errEarlierIndex = errors.New("written by an earlier Almanac")

func indexDamaged(f *segmentFile, err error) error {
	if errors.Is(err, errNewer) { // not to be repaired by this version
		return fmt.Errorf("cannot read segment %s: %w", f.path, err)
	}
	return fmt.Errorf("the index of segment %s is damaged: %w (almanac doctor --repair makes it again)", f.path, err)
}

// checkIndexVersion reports whether an index can be read, by its first bytes.
func checkIndexVersion(index []byte) error {
	switch magic := string(index[:len(indexMagic)]); {
	case magic == indexMagic:
		return nil
	case slices.Contains(earlierIndexes, magic):
		return errEarlierIndex
	}
	return errors.New("it does not start as one")
}

// openRowGroups reads what the index of a segment says.
func openRowGroups[R any](s *schema[R], f *segmentFile, c *cache) ([]*rowGroup[R], error) {
	damaged := func(err error) error { return indexDamaged(f, err) }
	if err := checkIndexVersion(f.index); err != nil {
		return nil, damaged(err)
	}
	if len(f.index) < 16 {
		return nil, damaged(errPage)
	}
	count := int(binary.LittleEndian.Uint32(f.index[8:]))
	if len(f.index) < 16+24*count {
		return nil, damaged(errPage)
	}
	if got, want := indexChecksum(f.index[:16+24*count]), binary.LittleEndian.Uint32(f.index[12:]); got != want {
		return nil, damaged(fmt.Errorf("its head has checksum %08x instead of %08x", got, want))
	}
	groups := make([]*rowGroup[R], count)
	for n := range groups {
		at := f.index[16+24*n:]
		offset, length := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		if offset > uint64(len(f.index)) || length > uint64(len(f.index))-offset {
			return nil, damaged(errPage)
		}
		g := &rowGroup[R]{
			schema: s, file: f, ordinal: n, id: lastGroupID.Add(1), cache: c,
			base: int64(binary.LittleEndian.Uint64(at[16:])), blob: f.index[offset : offset+length], checked: make([]atomic.Bool, s.sections()),
		}
		if err := g.open(); err != nil {
			return nil, damaged(err)
		}
		groups[n] = g
	}
	return groups, nil
}

func (g *rowGroup[R]) open() error {
	meta, err := g.section(sectionMeta)
	if err != nil {
		return err
	}
	d := decoder{src: meta}
	g.rows, g.columns = int(d.uvarint()), int(d.uvarint())
	if g.columns > len(g.schema.columns) {
		return fmt.Errorf("it has %d columns, %w; this one knows %d", g.columns, errNewer, len(g.schema.columns))
	}
	projects := int(d.uvarint())
	if d.failed || g.rows <= 0 || projects > g.rows {
		return errPage
	}
	g.projects = make([]projectRange, projects)
	for n := range g.projects {
		p := &g.projects[n]
		p.project = string(d.bytes())
		p.start, p.end = int(d.uvarint()), int(d.uvarint())
		p.oldest, p.youngest = d.varint(), d.varint()
		if d.failed || p.start > p.end || p.end > g.rows {
			return errPage
		}
	}
	if err := g.openPages(); err != nil {
		return err
	}
	order, err := g.section(sectionOrder)
	if err != nil {
		return err
	}
	if g.order, _, err = readNumbers(order, order, g.rows, g.rows); err != nil {
		return err
	}
	bloom, err := g.section(sectionBloom)
	if err != nil {
		return err
	}
	if g.bloom, _, err = arrayOf[uint64](bloom, len(bloom)/8); err != nil {
		return err
	}
	postingsOf := func(section int) func() (*postingsReader, error) {
		return sync.OnceValues(func() (*postingsReader, error) {
			b, err := g.namedSection(section)
			if err != nil {
				return nil, err
			}
			return readPostings(b)
		})
	}
	g.members, g.words = postingsOf(sectionMembers), postingsOf(sectionWords)
	return nil
}

func (g *rowGroup[R]) openPages() error {
	pages, err := g.section(sectionPages)
	if err != nil {
		return err
	}
	d := decoder{src: pages}
	read := func() location {
		at := location{offset: g.base + d.varint(), size: uint32(d.uvarint()), rawSize: uint32(d.uvarint()), firstRow: uint32(d.uvarint())}
		if len(d.src) < 4 {
			d.fail()
			return at
		}
		at.crc = binary.LittleEndian.Uint32(d.src)
		d.src = d.src[4:]
		return at
	}
	g.chunks = make([]chunkPages, g.columns)
	for n := range g.chunks {
		k := &g.chunks[n]
		k.codes = int(d.uvarint())
		k.dictionary = read()
		count := d.uvarint()
		if d.failed || count > uint64(g.rows) {
			return errPage
		}
		k.pages = make([]location, count)
		for p := range k.pages {
			k.pages[p] = read()
			if end := k.pages[p].offset + int64(k.pages[p].size); end > int64(len(g.file.data)) {
				return fmt.Errorf("a page ends at offset %d, but the segment has only %d bytes", end, len(g.file.data))
			}
		}
		if g.schema.columns[n].class != classLong {
			k.checked = make([]atomic.Bool, len(k.pages)+1)
		}
	}
	if d.failed {
		return errPage
	}
	return nil
}

// namedSection is section with an error that says where.
func (g *rowGroup[R]) namedSection(n int) ([]byte, error) {
	b, err := g.section(n)
	if err != nil {
		err = indexDamaged(g.file, err)
	}
	return b, err
}

// section returns a section of the blob, checked against its checksum the first time.
func (g *rowGroup[R]) section(n int) ([]byte, error) {
	if len(g.blob) < 8+24*(n+1) || int(binary.LittleEndian.Uint32(g.blob)) <= n {
		return nil, fmt.Errorf("section %d is missing", n)
	}
	at := g.blob[8+24*n:]
	offset, length := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
	if offset > uint64(len(g.blob)) || length > uint64(len(g.blob))-offset {
		return nil, fmt.Errorf("section %d lies outside", n)
	}
	section := g.blob[offset : offset+length]
	if !g.checked[n].Load() {
		if got, want := crc32.Checksum(section, castagnoli), binary.LittleEndian.Uint32(at[16:]); got != want {
			return nil, fmt.Errorf("section %d of row group %d has checksum %08x instead of %08x", n, g.ordinal, got, want)
		}
		g.checked[n].Store(true)
	}
	return section, nil
}

// rangeOf returns the rows of a project.
func (g *rowGroup[R]) rangeOf(project string) (projectRange, bool) {
	for _, p := range g.projects {
		if p.project == project {
			return p, true
		}
	}
	return projectRange{}, false
}

// has reports whether a column is in this row group, which may be older than the column.
func (g *rowGroup[R]) has(column int) bool { return column < g.columns }

// longPage reads a page of a long column, checked and decompressed.
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

// largePage is the size from which a page of a long column is taken from the mapped file: a copy of it would count for more than the
// system calls that it saves.
const largePage = longPageMaxBytes

// shortPage returns a page of another column, checked the first time. Its memory is that of the mapped file: nothing may
// keep a part of it.
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

// decodedPage is some rows of a column, ready to use. Only what fits the column's class is set.
type decodedPage struct {
	first      int
	dictionary *dictionary
	codes      []int32
	ints       []int64
	floats     []float64
	levels     []uint8 // which of ints or floats are set; nil for all
	spare      []uint8 // memory for levels
	bits       []byte
	bytes      []byte
	mapped     bool     // bytes are a part of the mapped file
	offsets    []uint32 // of the texts in bytes; nil if all have the same width
	width      int
}

// text is a text of a page. It lives as long as the page, or if that is mapped, as long as the file.
func (p *decodedPage) text(row int) string {
	at := row - p.first
	if p.offsets == nil {
		return viewString(p.bytes[at*p.width : (at+1)*p.width])
	}
	return viewString(p.bytes[p.offsets[at]:p.offsets[at+1]])
}

// own makes a page independent of the mapped file.
func (p *decodedPage) own() {
	if p.mapped {
		p.bytes, p.mapped = slices.Clone(p.bytes), false
	}
}

// shortText is the text of a row in a column that is not long, whichever way the page keeps it.
func (p *decodedPage) shortText(row int) string {
	if p.dictionary != nil {
		return p.dictionary.text(int(p.code(row - p.first)))
	}
	return p.text(row)
}

// constant reports whether all rows of the page have one value: the only text of a dictionary, null, or false.
func (p *decodedPage) constant() bool {
	switch {
	case p.dictionary != nil:
		return len(p.codes) == 0
	case p.levels != nil:
		return !slices.Contains(p.levels, 1)
	}
	return p.bits != nil && !slices.ContainsFunc(p.bits, func(b byte) bool { return b != 0 })
}

// null reports whether the value at a place in the page is unset.
func (p *decodedPage) null(at int) bool { return p.levels != nil && p.levels[at] == 0 }

func (p *decodedPage) size() int64 {
	return int64(64 + len(p.levels) + 4*len(p.codes) + 8*len(p.ints) + 8*len(p.floats) + len(p.bits) + len(p.bytes) + 4*len(p.offsets))
}

// dictionary is the different texts of a column, as their page has them: each with its length in front.
type dictionary struct {
	page   []byte
	starts []uint32                   // of the lengths, and the end
	lists  []atomic.Pointer[[]string] // of a column of lists: the texts read as JSON arrays, once they are needed
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
			return nil, fmt.Errorf("the dictionary at offset %d of segment %s makes no sense", k.dictionary.offset, g.file.path)
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

// smallDictionary is the size up to which a dictionary is kept beside the cache. Most are smaller: to look for them there costs
// more than they do.
const smallDictionary = 256

// page returns a decoded page of a column, from the cache if it is there.
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

// scanPage returns a decoded page of a column. One that is not in the cache is decoded into memory that is used again,
// since a scan of everything would only push out of the cache what others need.
func (g *rowGroup[R]) scanPage(column, number int, memory *decodedPage) (*decodedPage, error) {
	if p, ok := g.cache.get(cacheKey{g.id, int32(column), int32(number)}); ok {
		return p.(*decodedPage), nil //nolint:forcetypeassert // pages have this key
	}
	return memory, g.decodePage(column, number, memory)
}

// decodePage decodes a page, using what memory p has. Its texts may lie in the mapped file.
func (g *rowGroup[R]) decodePage(column, number int, p *decodedPage) error {
	k := &g.chunks[column]
	at := k.pages[number]
	end := g.rows
	if number+1 < len(k.pages) {
		end = int(k.pages[number+1].firstRow)
	}
	*p = decodedPage{first: int(at.firstRow), codes: p.codes[:0], ints: p.ints[:0], floats: p.floats[:0], spare: p.spare, offsets: p.offsets[:0]}
	rows := end - p.first
	s := getScratch()
	defer putScratch(s)
	class := g.schema.columns[column].class
	var err error
	if k.hasDictionary(class) {
		if p.dictionary, err = g.dictionaryOf(column); err != nil || p.dictionary.len() == 1 {
			return err // with one text there is nothing to choose from
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
		return fmt.Errorf("cannot decode column %s at offset %d of segment %s: %w", g.schema.columns[column].name, at.offset, g.file.path, err)
	}
	return nil
}

// floatDictionary returns the different numbers of a column, eight bytes each; nil if it has no dictionary.
func (g *rowGroup[R]) floatDictionary(k *chunkPages) ([]byte, error) {
	if k.codes == 0 {
		return nil, nil
	}
	return g.shortPage(k.dictionary, &k.checked[len(k.pages)])
}

// resize returns a slice of this length, with what memory there is. It may hold anything.
func resize[T int32 | int64 | float64](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}

// pageOf returns the number of the page that holds a row.
func (k *chunkPages) pageOf(row int) int {
	n, _ := slices.BinarySearchFunc(k.pages, row+1, func(at location, row int) int { return int(at.firstRow) - row })
	return n - 1
}
