package segment

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/filter"
)

// Each segment NNN.parquet has an index NNN.idx, which locates things in it. It can be rebuilt from the segment.
//
//	NNN.idx = "ALMIDX3\n" groups u32, CRC-32C of all in front of the blobs u32, (offset u64, length u64, base i64)* , blob*
//	blob    = sections u32, 0 u32, (offset u64, length u64, CRC-32C u32, 0 u32)*, section*
//
// Each row group has a blob. Its page offsets are relative to base, so that a row group can be moved to another file
// without changing its blob. Sections start at multiples of 8 and hold little-endian arrays that are used in place, in
// mapped memory. The checksum of a section is verified when it is first used.
const indexMagic = "ALMIDX3\n"

// earlierIndexes lists the magic strings of earlier versions. Such indexes are rebuilt when they are opened.
var earlierIndexes = []string{
	"ALMIDX1\n", // hashes were stored in full
	"ALMIDX2\n", // words may have a different hash: it was changed without a new version
}

// The sections of a blob.
const (
	sectionMeta    = iota // rows, columns, projects with their rows and times
	sectionPages          // locations of the pages of each column
	sectionOrder          // numbers: the rows of each project, newest first
	sectionBloom          // Bloom filter of the keys by which rows are replaced
	sectionMembers        // metadata members: which row blocks contain which key and value
	sectionWords          // words of long strings: which row blocks contain which word
	sectionNames          // the first indexed column, the others follow: hashes of strings and the first row of each run
	// The last section holds the metadata fields; see schema.fieldsSection.
)

// rowBlockRows is the number of rows in a row block, the granularity at which words and members are located.
const rowBlockRows = 128

func rowBlocks(rows int) int { return (rows + rowBlockRows - 1) / rowBlockRows }

// projectRange is the contiguous rows of one project in a row group.
type projectRange struct {
	project          string
	start, end       int
	oldest, youngest int64 // milliseconds
}

// buildIndex returns the blob of a row group, given the result of textSections.
func (g *groupWriter[R]) buildIndex(texts textSections) []byte {
	return packSections(g.indexSections(texts))
}

func (g *groupWriter[R]) indexSections(texts textSections) [][]byte {
	sections := make([][]byte, g.schema.sections())
	projects := g.projectRanges()
	sections[sectionMeta] = g.metaSection(projects)
	sections[sectionPages] = g.pagesSection()
	sections[sectionOrder] = g.orderSection(projects)
	sections[sectionBloom] = g.bloomSection()
	sections[sectionMembers], sections[sectionWords] = texts.members, texts.words
	sections[g.schema.fieldsSection()] = texts.fields
	for _, column := range g.schema.named {
		sections[g.schema.sectionOf(column)] = g.namesSection(column)
	}
	return sections
}

func packSections(sections [][]byte) []byte {
	head := 8 + 24*len(sections)
	size := head
	for _, s := range sections {
		size += (len(s) + 7) &^ 7
	}
	blob := make([]byte, head, size)
	binary.LittleEndian.PutUint32(blob, uint32(len(sections)))
	for n, s := range sections {
		at := 8 + 24*n
		binary.LittleEndian.PutUint64(blob[at:], uint64(len(blob)))
		binary.LittleEndian.PutUint64(blob[at+8:], uint64(len(s)))
		binary.LittleEndian.PutUint32(blob[at+16:], crc32.Checksum(s, castagnoli))
		blob = append(blob, s...)
		blob = align(blob, 8)
	}
	return blob
}

func (g *groupWriter[R]) projectRanges() []projectRange {
	var ranges []projectRange
	for n, r := range g.rows {
		if len(ranges) == 0 || ranges[len(ranges)-1].project != r.project {
			ranges = append(ranges, projectRange{project: r.project, start: n, oldest: math.MaxInt64, youngest: math.MinInt64})
		}
		p := &ranges[len(ranges)-1]
		ms := g.schema.timeOf(r.row).Millis()
		p.end, p.oldest, p.youngest = n+1, min(p.oldest, ms), max(p.youngest, ms)
	}
	return ranges
}

func (g *groupWriter[R]) metaSection(projects []projectRange) []byte {
	b := binary.AppendUvarint(nil, uint64(len(g.rows)))
	b = binary.AppendUvarint(b, uint64(len(g.schema.columns)))
	b = binary.AppendUvarint(b, uint64(len(projects)))
	for _, p := range projects {
		b = binary.AppendUvarint(b, uint64(len(p.project)))
		b = append(b, p.project...)
		b = binary.AppendUvarint(b, uint64(p.start))
		b = binary.AppendUvarint(b, uint64(p.end))
		b = binary.AppendVarint(b, p.oldest)
		b = binary.AppendVarint(b, p.youngest)
	}
	return b
}

func (g *groupWriter[R]) pagesSection() []byte {
	var b []byte
	base := g.project.start
	put := func(at location) {
		if at.size == 0 {
			at.offset = base // no such page; the blob must not depend on the position of the row group
		}
		b = binary.AppendVarint(b, at.offset-base)
		b = binary.AppendUvarint(b, uint64(at.size))
		b = binary.AppendUvarint(b, uint64(at.rawSize))
		b = binary.AppendUvarint(b, uint64(at.firstRow))
		b = binary.LittleEndian.AppendUint32(b, at.crc)
	}
	for n := range g.chunks {
		k := &g.chunks[n]
		b = binary.AppendUvarint(b, uint64(k.codes))
		put(k.dictionary)
		b = binary.AppendUvarint(b, uint64(len(k.pages)))
		for _, at := range k.pages {
			put(at)
		}
	}
	return b
}

func (g *groupWriter[R]) orderSection(projects []projectRange) []byte {
	order := make([]uint32, len(g.rows))
	for n := range order {
		order[n] = uint32(n)
	}
	positions := func(n uint32) *R { return g.rows[n].row }
	for _, p := range projects {
		slices.SortFunc(order[p.start:p.end], func(a, b uint32) int {
			ra, rb := positions(a), positions(b)
			if ma, mb := g.schema.timeOf(ra).Millis(), g.schema.timeOf(rb).Millis(); ma != mb {
				if ma > mb {
					return -1
				}
				return 1
			}
			return comparePositions(g.schema.positionOf(ra), g.schema.positionOf(rb))
		})
	}
	return appendNumbers(nil, order, len(g.rows))
}

// eachRun calls each for the first row of every run of rows of one project that have the same string in a column. Rows
// with an empty string are in no run.
func (g *groupWriter[R]) eachRun(column int, each func(row int, project, text string)) {
	textOf := g.schema.columns[column].Text
	for n, r := range g.rows {
		text := *textOf(r.row)
		if text == "" || n > 0 && *textOf(g.rows[n-1].row) == text && g.rows[n-1].project == r.project {
			continue
		}
		each(n, r.project, text)
	}
}

func (g *groupWriter[R]) bloomSection() []byte {
	var hashes []uint64
	g.eachRun(g.schema.keyColumn(), func(_ int, project, text string) { hashes = append(hashes, hashKey(project, text)) })
	return buildBloom(hashes)
}

// namesSection encodes where the strings of a indexed column are: their hashes and the first row of each of their runs.
func (g *groupWriter[R]) namesSection(column int) []byte {
	var entries []uint64
	g.eachRun(column, func(row int, project, text string) {
		entries = append(entries, uint64(nameHash(project, text))<<32|uint64(row))
	})
	slices.Sort(entries)
	hashes, rows := make([]uint32, len(entries)), make([]uint32, len(entries))
	for n, e := range entries {
		hashes[n], rows[n] = uint32(e>>32), uint32(e)
	}
	return appendNumbers(appendHashes(nil, hashes), rows, len(g.rows))
}

// memberHash returns the hash of a metadata member, a key with its value, in the index.
func memberHash(key, value string) uint32 { return valueHash(xxhash.Sum64String(key), value) }

// valueHash is memberHash given the hash of the key.
func valueHash(keyHash uint64, value string) uint32 {
	return uint32((keyHash*0x9e3779b97f4a7c15 + xxhash.Sum64String(value)) >> 32)
}

// textSections are the sections built from long strings.
type textSections struct{ members, words, fields []byte }

// textSections indexes the metadata members and the words of all searchable long strings.
func (g *groupWriter[R]) textSections() textSections {
	members, words := newPostings(), newPostings()
	words.pairs = make([]uint64, 0, 64*len(g.rows)) // enough for prose: growing would copy them twice
	fields := newFieldsBuilder(members, len(g.rows))
	metadata := &g.schema.columns[g.schema.metadata]
	previous := make([]string, len(g.schema.words)) // the previous string of each column in this row block
	var folded []byte
	row := 0
	addMember := func(key, value string) bool {
		if !fields.add(row, key, value) {
			folded = words.addWords(value, folded)
		}
		return true
	}
	for n, r := range g.rows {
		for i, column := range g.schema.words {
			text := *g.schema.columns[column].Text(r.row)
			folded = words.addWords(text[sharedWords(text, previous[i]):], folded)
			previous[i] = text
		}
		row = n
		filter.EachLeaf(*metadata.Text(r.row), addMember)
		if n%rowBlockRows == rowBlockRows-1 || n == len(g.rows)-1 {
			members.endRowBlock()
			words.endRowBlock()
			clear(previous)
		}
	}
	fieldsSection := fields.section() // may add to members
	return textSections{members: members.section(), words: words.section(), fields: fieldsSection}
}

// bytesOf returns the memory of an array as bytes.
func bytesOf[T uint16 | uint32 | uint64 | float64](array []T) []byte {
	if len(array) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(array))), len(array)*int(unsafe.Sizeof(array[0])))
}

// arrayOf returns mapped memory as an array of integers. The alignment of sections makes this safe.
func arrayOf[T uint16 | uint32 | uint64](b []byte, count int) ([]T, []byte, error) {
	var zero T
	size := count * int(unsafe.Sizeof(zero))
	if count < 0 || size > len(b) || size < 0 {
		return nil, nil, fmt.Errorf("an array of %d numbers is longer than its section", count)
	}
	if count == 0 {
		return nil, b, nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), count), b[size:], nil
}
