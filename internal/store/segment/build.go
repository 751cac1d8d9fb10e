package segment

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// placedRow is a row to be written to a segment.
type placedRow[R any] struct {
	project string
	row     *R
	hot     *hotRow[R] // its source, if it comes from memory
	seq     int64      // its write number; 0 if unknown
}

// cluster sorts rows into the order in which a segment stores them: by project, then session by session and trace by
// trace, newest first, so that similar rows are compressed together and a trace is contiguous. A trace without a
// session is treated as its own session.
func (s *schema[R]) cluster(rows []placedRow[R]) {
	type key struct{ project, text string }
	type traceInfo struct {
		key
		session               string
		newest, sessionNewest int64
		rows                  int // count, then the index of the next row
	}
	// Sort the traces first and then the rows of each: there are fewer traces than rows.
	var traces []traceInfo
	known := make(map[key]int32)
	of := make([]int32, len(rows))
	for n, r := range rows {
		k := key{r.project, s.traceOf(r.row)}
		ms := s.timeOf(r.row).Millis()
		number, ok := known[k]
		if !ok {
			number = int32(len(traces))
			known[k] = number
			traces = append(traces, traceInfo{key: k, newest: ms})
		}
		t := &traces[number]
		t.newest, t.session = max(t.newest, ms), max(t.session, s.sessionOf(r.row))
		t.rows++
		of[n] = number
	}
	sessions := make(map[key]int64)
	for n := range traces {
		t := &traces[n]
		if t.session == "" {
			t.session = "trace " + t.text
		}
		group := key{t.project, t.session}
		if was, ok := sessions[group]; !ok || t.newest > was {
			sessions[group] = t.newest
		}
	}
	order := make([]*traceInfo, len(traces))
	for n := range traces {
		traces[n].sessionNewest = sessions[key{traces[n].project, traces[n].session}]
		order[n] = &traces[n]
	}
	slices.SortFunc(order, func(a, b *traceInfo) int {
		return cmp.Or(
			strings.Compare(a.project, b.project),
			cmp.Compare(b.sessionNewest, a.sessionNewest),
			strings.Compare(b.session, a.session),
			cmp.Compare(b.newest, a.newest),
			strings.Compare(b.text, a.text),
		)
	})
	next := 0
	for _, t := range order {
		next, t.rows = next+t.rows, next
	}
	sorted := make([]placedRow[R], len(rows))
	for n, r := range rows {
		t := &traces[of[n]]
		sorted[t.rows] = r
		t.rows++
	}
	first := 0
	for _, t := range order {
		slices.SortFunc(sorted[first:t.rows], func(a, b placedRow[R]) int {
			return comparePositions(s.positionOf(a.row), s.positionOf(b.row))
		})
		first = t.rows
	}
	copy(rows, sorted)
}

// chunk is one column of a row group in a file.
type chunk struct {
	dictionary location // size 0 if there is none
	codes      int      // number of values in the dictionary; for a long column, 1 if all strings are empty
	pages      []location
	// For the footer of the file.
	start, end       int64
	headers          []int64 // offset of each page header
	dictionaryHeader int64
	rawSize          int64
	nulls            int64
}

// groupWriter writes one row group.
type groupWriter[R any] struct {
	schema *schema[R]
	rows   []placedRow[R]
	out    *countingWriter
	buffer []byte
	packed []byte
	chunks []chunk
	// progress, if set, is called with the number of values and the bytes of long strings written.
	progress func(values, text int)
	// project is the file's project column. Rows themselves do not contain their project.
	project chunk
}

// countingWriter counts the bytes written.
type countingWriter struct {
	w  *bufio.Writer
	to io.Writer // what w writes to
	n  int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// write writes all columns.
func (g *groupWriter[R]) write() error {
	g.chunks = make([]chunk, len(g.schema.columns))
	g.project.start = g.out.n
	if err := g.writeDictionary(&g.project, nil, func(r *placedRow[R]) string { return r.project }); err != nil {
		return fmt.Errorf("cannot write column %s: %w", projectColumn, err)
	}
	g.project.end = g.out.n
	for n := range g.schema.columns {
		c, k := &g.schema.columns[n], &g.chunks[n]
		k.start = g.out.n
		var err error
		switch c.class {
		case classShort:
			err = g.writeDictionary(k, c, func(r *placedRow[R]) string { return *c.Text(r.row) })
		case classList:
			err = g.writeDictionary(k, nil, c.listValues())
		case classLong:
			err = g.writeLong(c, k)
		case classFloat, classOptFloat:
			err = g.writeFloats(c, k)
		default:
			err = g.writePlain(c, k)
		}
		if err != nil {
			return fmt.Errorf("cannot write column %s: %w", c.Name, err)
		}
		k.end = g.out.n
		if g.progress != nil {
			g.progress(len(g.rows), 0)
		}
	}
	return nil
}

// listValues returns a function that encodes the list of a row as a dictionary value. It encodes equal lists of
// adjacent rows only once.
func (c *column[R]) listValues() func(*placedRow[R]) string {
	var last []string
	text := ""
	return func(r *placedRow[R]) string {
		if list := *c.List(r.row); !slices.Equal(list, last) {
			last, text = list, ""
			if len(list) > 0 {
				text = listText(list)
			}
		}
		return text
	}
}

// plainDictionary is the size in bytes up to which a dictionary is worthwhile even if most of its values occur only
// once.
const plainDictionary = 32 << 10

// largeDictionary is the size in bytes of a dictionary that would not fit into the cache of a small server. Every reader
// would have a copy of its own, so its values are written like ids: only the rows that are read are copied then.
const largeDictionary = 4 << 20

// writeDictionary writes a column as a dictionary and codes. If plain is given and most values occur only once, it
// writes that column like ids instead: a dictionary would save nothing, and reading one row would require reading all
// of it. So it does with large dictionaries.
func (g *groupWriter[R]) writeDictionary(k *chunk, plain *column[R], valueOf func(*placedRow[R]) string) error {
	codes := make([]int32, len(g.rows))
	known := make(map[string]int32)
	var texts []byte
	last, lastCode := "", int32(-1) // neighbours are often equal
	for n := range g.rows {
		value := valueOf(&g.rows[n])
		if lastCode >= 0 && value == last {
			codes[n] = lastCode
			continue
		}
		code, ok := known[value]
		if !ok {
			code = int32(len(known))
			known[value] = code
			texts = binary.LittleEndian.AppendUint32(texts, uint32(len(value)))
			texts = append(texts, value...)
		}
		codes[n], last, lastCode = code, value, code
	}
	if plain != nil && (2*len(known) > len(g.rows) && len(texts) > plainDictionary || len(texts) > largeDictionary) {
		return g.writePlain(plain, k)
	}
	k.codes = len(known)
	k.dictionaryHeader = g.out.n
	at, err := g.writePage(k, texts, len(texts), 0, dictionaryHeader(len(known)))
	if err != nil {
		return err
	}
	k.dictionary = at
	var e rle.DictionaryEncoding
	for first := 0; first < len(codes); first += pageRows {
		part := codes[first:min(first+pageRows, len(codes))]
		if g.buffer, err = e.EncodeInt32(g.buffer, part); err != nil {
			return err
		}
		if err := g.addPage(k, g.buffer, len(g.buffer), first, dataHeader(len(part), format.RLEDictionary)); err != nil {
			return err
		}
	}
	return nil
}

func (g *groupWriter[R]) writeLong(c *column[R], k *chunk) error {
	first, size := 0, 0 // of the next page
	empty := true
	for n := range g.rows {
		text := *c.Text(g.rows[n].row)
		rows := n - first
		if rows > 0 && (size+len(text) > longPageMaxBytes || n%rowBlockRows == 0 && size >= longPageBytes || rows >= longPageMaxRows) {
			if err := g.writeLongPage(c, k, first, n, size); err != nil {
				return err
			}
			first, size = n, 0
		}
		size += len(text)
		empty = empty && text == ""
	}
	if empty {
		k.codes = 1
	}
	return g.writeLongPage(c, k, first, len(g.rows), size)
}

// writeLongPage writes the rows from first up to next, whose strings have size bytes in total, as
// DELTA_LENGTH_BYTE_ARRAY: all lengths followed by all strings, so that each string is copied once.
func (g *groupWriter[R]) writeLongPage(c *column[R], k *chunk, first, next, size int) error {
	if next == first {
		return nil
	}
	lengths := make([]int32, 0, next-first)
	for _, r := range g.rows[first:next] {
		lengths = append(lengths, int32(len(*c.Text(r.row))))
	}
	g.buffer = slices.Grow(appendDeltas(g.buffer[:0], lengths), size)
	for _, r := range g.rows[first:next] {
		g.buffer = append(g.buffer, *c.Text(r.row)...)
	}
	g.packed = zstdWriter().EncodeAll(g.buffer, g.packed[:0])
	if g.progress != nil {
		g.progress(0, size)
	}
	return g.addPage(k, g.packed, len(g.buffer), first, dataHeader(next-first, format.DeltaLengthByteArray))
}

// writePlain writes columns that are neither dictionaries nor long.
func (g *groupWriter[R]) writePlain(c *column[R], k *chunk) error {
	for first := 0; first < len(g.rows); first += pageRows {
		rows := g.rows[first:min(first+pageRows, len(g.rows))]
		page, nulls, err := c.appendLevels(g.buffer[:0], rows)
		if err != nil {
			return err
		}
		page, encoding := c.appendPlain(page, rows)
		g.buffer = page
		if err := g.addNullablePage(k, first, len(rows), nulls, encoding); err != nil {
			return err
		}
	}
	return nil
}

// addNullablePage writes the buffer as a page whose values may be null. The null count is always written, since other
// Parquet readers rely on it: a count of 0 lets them skip the check for nulls.
func (g *groupWriter[R]) addNullablePage(k *chunk, first, rows int, nulls int64, encoding format.Encoding) error {
	header := dataHeader(rows, encoding)
	header.DataPageHeader.V.Statistics.NullCount = nulls
	k.nulls += nulls
	return g.addPage(k, g.buffer, len(g.buffer), first, header)
}

// appendPlain encodes the values that are set.
func (c *column[R]) appendPlain(dst []byte, rows []placedRow[R]) ([]byte, format.Encoding) {
	switch c.class {
	case classShort, classID:
		lengths := make([]int32, 0, len(rows))
		for _, r := range rows {
			lengths = append(lengths, int32(len(*c.Text(r.row))))
		}
		dst = appendDeltas(dst, lengths)
		for _, r := range rows {
			dst = append(dst, *c.Text(r.row)...)
		}
		return dst, format.DeltaLengthByteArray
	case classBool:
		for first := 0; first < len(rows); first += 8 {
			var b byte
			for n, r := range rows[first:min(first+8, len(rows))] {
				if *c.Bool(r.row) {
					b |= 1 << n
				}
			}
			dst = append(dst, b)
		}
		return dst, format.Plain
	case classFloat, classOptFloat:
		for _, r := range rows {
			if value, set := c.floatValue(r.row); set {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(value))
			}
		}
		return dst, format.Plain
	}
	values := make([]int64, 0, len(rows))
	for _, r := range rows {
		if c.class == classSequence {
			values = append(values, r.seq)
			continue
		}
		if value, set := c.intValue(r.row); set {
			values = append(values, value)
		}
	}
	return appendDeltas(dst, values), format.DeltaBinaryPacked
}

func (c *column[R]) intValue(r *R) (value int64, set bool) {
	switch c.class {
	case classTime:
		t := *c.Time(r)
		return int64(t), t != 0
	case classOptInt:
		v := c.OptInt(r)
		return v.Value, v.Set
	}
	return *c.Int(r), true
}

func (c *column[R]) floatValue(r *R) (value float64, set bool) {
	if c.class == classOptFloat {
		v := c.OptFloat(r)
		return v.Value, v.Set
	}
	return *c.Float(r), true
}

// appendLevels encodes which values are set, if the column can be null: the definition levels, preceded by their
// length. It returns the number of nulls.
func (c *column[R]) appendLevels(dst []byte, rows []placedRow[R]) (_ []byte, nulls int64, err error) {
	if !c.class.optional() {
		return dst, 0, nil
	}
	levels := make([]uint8, len(rows))
	nulls = int64(len(rows))
	for n, r := range rows {
		var set bool
		if c.class == classOptFloat {
			_, set = c.floatValue(r.row)
		} else {
			_, set = c.intValue(r.row)
		}
		if set {
			levels[n] = 1
			nulls--
		}
	}
	e := rle.Encoding{BitWidth: 1}
	encoded, err := e.EncodeLevels(nil, levels)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(encoded)))
	return append(dst, encoded...), nulls, err
}

func (g *groupWriter[R]) addPage(k *chunk, page []byte, rawSize, firstRow int, header format.PageHeader) error {
	k.headers = append(k.headers, g.out.n)
	at, err := g.writePage(k, page, rawSize, firstRow, header)
	k.pages = append(k.pages, at)
	return err
}

func (g *groupWriter[R]) writePage(k *chunk, page []byte, rawSize, firstRow int, header format.PageHeader) (location, error) {
	crc := crc32.ChecksumIEEE(page)
	header.UncompressedPageSize, header.CompressedPageSize, header.CRC = int32(rawSize), int32(len(page)), int32(crc)
	encoded, err := marshalThrift(&header)
	if err != nil {
		return location{}, err
	}
	k.rawSize += int64(len(encoded) + rawSize)
	if _, err := g.out.Write(encoded); err != nil {
		return location{}, err
	}
	at := location{offset: g.out.n, size: uint32(len(page)), rawSize: uint32(rawSize), firstRow: uint32(firstRow), crc: crc}
	_, err = g.out.Write(page)
	return at, err
}

// copyFrom writes part of a file. Where possible the kernel copies it, without passing it through our memory.
func (c *countingWriter) copyFrom(path string, offset, size int64) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	if err := c.w.Flush(); err != nil {
		return err
	}
	n, err := io.CopyN(c.to, file, size)
	c.n += n
	return err
}

func newCountingWriter(w io.Writer) *countingWriter {
	return &countingWriter{w: bufio.NewWriterSize(w, 256<<10), to: w}
}
