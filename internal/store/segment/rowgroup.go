package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"almanac/internal/platform"
	"almanac/internal/store"
)

// segmentFile is an open segment: a Parquet file and its index, both memory-mapped. It is closed when it becomes
// unreachable, so a reader keeps it usable by holding a reference, even after it was removed from the directory.
type segmentFile struct {
	number   int
	path     string
	indexDir string // of the index
	file     *os.File
	data     []byte // the Parquet file; long pages are read with ReadAt instead, so that they do not fill the memory
	index    []byte
	size     int64 // of both files
	cleanups []runtime.Cleanup
}

func segmentName(number int) string { return fmt.Sprintf("%08d.parquet", number) }
func indexName(number int) string   { return fmt.Sprintf("%08d.idx", number) }

func openSegmentFile(directory, indexDir string, number int) (*segmentFile, error) {
	f := &segmentFile{number: number, path: filepath.Join(directory, segmentName(number)), indexDir: indexDir}
	var err error
	if f.file, err = os.Open(f.path); err != nil {
		return nil, fmt.Errorf("cannot open segment: %w", err)
	}
	if f.data, err = f.mapped(f.path); err != nil {
		f.release()
		return nil, fmt.Errorf("cannot map segment: %w", err)
	}
	if f.index, err = f.mapped(f.indexPath()); err != nil {
		f.release()
		return nil, fmt.Errorf("cannot open the index of segment %s: %w (almanac doctor --repair rebuilds it)", f.path, err)
	}
	f.size = int64(len(f.data) + len(f.index))
	return f, nil
}

// mapped maps a file until the segment is unreachable or released.
func (f *segmentFile) mapped(path string) ([]byte, error) {
	mapped, err := mapFile(path)
	if err == nil {
		f.cleanups = append(f.cleanups, runtime.AddCleanup(f, platform.Unmap, mapped))
	}
	return mapped, err
}

// release closes the segment at once. Only its sole owner may call it, once; nothing of it can be used afterwards.
func (f *segmentFile) release() {
	for _, c := range f.cleanups {
		c.Stop()
	}
	for _, mapped := range [][]byte{f.data, f.index} {
		if mapped != nil {
			platform.Unmap(mapped)
		}
	}
	f.data, f.index, f.cleanups = nil, nil, nil
	_ = f.file.Close() // it was only read
}

func (f *segmentFile) indexPath() string {
	return filepath.Join(f.indexDir, indexName(f.number))
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

// rowGroup is an immutable part of a segment.
type rowGroup[R any] struct {
	schema   *schema[R]
	file     *segmentFile
	ordinal  int
	id       uint64 // for the cache; unique in this process
	cache    *cache
	rows     int
	columns  int // number of columns of the schema it was written with
	projects []projectRange
	oldest   int64 // milliseconds, of all projects
	youngest int64
	chunks   []chunkPages
	base     int64

	blob    []byte
	checked []atomic.Bool                // sections whose checksum was verified
	arrived atomic.Int64                 // when its latest row arrived; 0 until requested
	numbers atomic.Pointer[store.Window] // smallest and largest write number; nil until requested
	unread  atomic.Bool                  // the log says that what arrived in it cannot be read
	// Used often, so looked up only once.
	order   numbers
	bloom   []uint64
	members func() (*postingsReader, error)
	words   func() (*postingsReader, error)
}

// chunkPages holds the locations of the pages of a column.
type chunkPages struct {
	codes      int
	dictionary location
	pages      []location
	checked    []atomic.Bool // pages whose checksum was verified, the dictionary last; not used for long columns
	small      atomic.Pointer[dictionary]
}

// hasDictionary reports whether pages hold codes. A column of short strings has no dictionary where almost every row
// has a different string.
func (k *chunkPages) hasDictionary(c class) bool {
	return c == classList || c == classShort && k.codes > 0
}

var lastGroupID atomic.Uint64

// errNewer is wrapped by errors about a file that is not damaged but too new.
var errNewer = errors.New("written by a newer version of Almanac")

// errEarlierIndex is wrapped by errors about an index that is not damaged but must be rebuilt.
var errEarlierIndex = errors.New("written by an earlier version of Almanac")

func indexDamaged(f *segmentFile, err error) error {
	if errors.Is(err, errNewer) { // this version must not repair it
		return fmt.Errorf("cannot read segment %s: %w", f.path, err)
	}
	return fmt.Errorf("the index of segment %s is damaged: %w (almanac doctor --repair rebuilds it)", f.path, err)
}

// checkIndexVersion returns an error if an index cannot be read, judging by its magic.
func checkIndexVersion(index []byte) error {
	switch magic := string(index[:len(indexMagic)]); {
	case magic == indexMagic:
		return nil
	case slices.Contains(earlierIndexes, magic):
		return errEarlierIndex
	}
	return errors.New("it has an invalid header")
}

// openRowGroups opens the row groups of a segment from its index.
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
		return nil, damaged(fmt.Errorf("its header has checksum %08x instead of %08x", got, want))
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
			base: int64(binary.LittleEndian.Uint64(at[16:])), blob: f.index[offset : offset+length],
			checked: make([]atomic.Bool, s.sections()),
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
		return fmt.Errorf("it has %d columns, %w; this version supports %d", g.columns, errNewer, len(g.schema.columns))
	}
	projects := int(d.uvarint())
	if d.failed || g.rows <= 0 || projects > g.rows {
		return errPage
	}
	g.projects, g.oldest, g.youngest = make([]projectRange, projects), math.MaxInt64, math.MinInt64
	for n := range g.projects {
		p := &g.projects[n]
		p.project = string(d.bytes())
		p.start, p.end = int(d.uvarint()), int(d.uvarint())
		p.oldest, p.youngest = d.varint(), d.varint()
		if d.failed || p.start > p.end || p.end > g.rows {
			return errPage
		}
		g.oldest, g.youngest = min(g.oldest, p.oldest), max(g.youngest, p.youngest)
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

// namedSection is section with an error that names the file.
func (g *rowGroup[R]) namedSection(n int) ([]byte, error) {
	b, err := g.section(n)
	if err != nil {
		err = indexDamaged(g.file, err)
	}
	return b, err
}

// section returns a section of the blob. Its checksum is verified the first time.
func (g *rowGroup[R]) section(n int) ([]byte, error) {
	if len(g.blob) < 8+24*(n+1) || int(binary.LittleEndian.Uint32(g.blob)) <= n {
		return nil, fmt.Errorf("section %d is missing", n)
	}
	at := g.blob[8+24*n:]
	offset, length := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
	if offset > uint64(len(g.blob)) || length > uint64(len(g.blob))-offset {
		return nil, fmt.Errorf("section %d is out of bounds", n)
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

// has reports whether the row group has a column, which may have been added later.
func (g *rowGroup[R]) has(column int) bool { return column < g.columns }
