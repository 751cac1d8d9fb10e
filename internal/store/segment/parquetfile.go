package segment

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"almanac/internal/platform"
)

// This file reads segments without their index, as any Parquet reader would: from the footer to the offset indexes, and
// from there to the page headers. It is used for verification and repair, never for queries.

// fileColumn returns the index in the file of a column of the table. The first column of the file is the project.
func fileColumn(column int) int { return column + 1 }

// reporter receives the problems found, in the manner of fmt.Sprintf.
type reporter func(format string, args ...any)

// openParquet opens the Parquet file of a segment, without its index. The caller must close it with closeParquet.
func openParquet(directory string, number int) (*segmentFile, error) {
	f := &segmentFile{number: number, path: filepath.Join(directory, segmentName(number)), indexDir: directory}
	var err error
	if f.file, err = os.Open(f.path); err != nil {
		return nil, err
	}
	info, err := f.file.Stat()
	if err != nil {
		return nil, errors.Join(err, f.file.Close())
	}
	if f.size = info.Size(); f.size == 0 {
		return f, nil // an empty file cannot be mapped
	}
	if f.data, err = platform.Map(f.file, f.size); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot map %s: %w", f.path, err), f.file.Close())
	}
	return f, nil
}

// closeParquet closes what openParquet opened. Its row groups must not be used afterwards.
func closeParquet(f *segmentFile) {
	if f.data != nil {
		platform.Unmap(f.data)
	}
	_ = f.file.Close() // only read
}

// fileSchema returns the schema of the file: with the project first, and without columns that were added after the file
// was written.
func fileSchema[R any](s *schema[R], meta *format.FileMetaData) (*schema[R], error) {
	if len(meta.Schema) == 0 || meta.Schema[0].Name != s.table {
		return nil, fmt.Errorf("it does not belong to table %s", s.table)
	}
	columns, elements := s.fileColumns(), meta.Schema[1:]
	if len(elements) > len(columns) {
		return nil, fmt.Errorf("it has %d columns, written by a newer version of Almanac; this version supports %d", len(elements),
			len(columns))
	}
	for n := range elements {
		got, want := &elements[n], columns[n].element()
		if got.Name != want.Name || got.Type != want.Type || got.RepetitionType != want.RepetitionType {
			return nil, fmt.Errorf("column %d is %s (%v, %v) instead of %s (%v, %v)",
				n, got.Name, got.Type.V, got.RepetitionType.V, want.Name, want.Type.V, want.RepetitionType.V)
		}
	}
	for _, needed := range slices.Concat([]int{s.id, s.trace, s.session, s.time, s.metadata}, s.named, s.words) {
		if fileColumn(needed) >= len(elements) {
			return nil, fmt.Errorf("column %s is missing", s.columns[needed].Name)
		}
	}
	short := *s
	short.columns = columns[:len(elements)]
	return &short, nil
}

// parquetReader reads the structure of one file.
type parquetReader[R any] struct {
	schema *schema[R] // of the file
	file   *segmentFile
	cache  *cache
	report reporter
	faults int
	next   int64 // where the next page must start: there are no gaps between pages
	buffer []byte
	raw    []byte
}

// readParquet returns the row groups of a segment from its Parquet file alone. Every page is read and its checksum
// verified. Row groups with a fault are nil; each fault is reported. Column 0 of these row groups is the project, so
// the columns of the table are shifted by one: see fileColumn.
func readParquet[R any](s *schema[R], f *segmentFile, report reporter) []*rowGroup[R] {
	r := &parquetReader[R]{file: f, cache: newCache(32<<20, 0), next: int64(len(parquetMagic))}
	r.report = func(format string, args ...any) {
		r.faults++
		report("%s: %s", f.path, fmt.Sprintf(format, args...))
	}
	head := make([]byte, len(parquetMagic))
	if _, err := f.file.ReadAt(head, 0); err != nil || string(head) != parquetMagic {
		r.report("it does not start like a Parquet file")
		return nil
	}
	meta, err := readFooter(f.file)
	if err != nil {
		r.report("%v", err)
		return nil
	}
	if r.schema, err = fileSchema(s, meta); err != nil {
		r.report("the footer does not match: %v", err)
		return nil
	}
	groups := make([]*rowGroup[R], len(meta.RowGroups))
	rows := int64(0)
	for n := range meta.RowGroups {
		groups[n] = r.rowGroup(n, &meta.RowGroups[n])
		rows += meta.RowGroups[n].NumRows
	}
	if rows != meta.NumRows {
		r.report("the footer says %d rows, its row groups have %d", meta.NumRows, rows)
	}
	return groups
}

func (r *parquetReader[R]) rowGroup(ordinal int, meta *format.RowGroup) *rowGroup[R] {
	faults := r.faults
	columns := r.schema.columns
	if len(meta.Columns) != len(columns) || meta.NumRows <= 0 || meta.NumRows > r.file.size*int64(pageRows) {
		r.report("row group %d has %d rows and %d columns; the file has %d columns", ordinal, meta.NumRows, len(meta.Columns), len(columns))
		return nil
	}
	g := &rowGroup[R]{
		schema: r.schema, file: r.file, ordinal: ordinal, id: lastGroupID.Add(1), cache: r.cache,
		rows: int(meta.NumRows), columns: len(columns), chunks: make([]chunkPages, len(columns)), base: r.next,
	}
	for n := range columns {
		at := fmt.Sprintf("row group %d, column %s", ordinal, columns[n].Name)
		if err := r.chunk(g, n, &meta.Columns[n]); err != nil {
			r.report("%s: %v", at, err)
			// The next column can be checked nevertheless.
			r.next = chunkStart(&meta.Columns[n].MetaData) + meta.Columns[n].MetaData.TotalCompressedSize
		}
	}
	if r.faults > faults {
		return nil
	}
	return g
}

// chunkStart returns the offset of the first page of a column.
func chunkStart(meta *format.ColumnMetaData) int64 {
	if meta.DictionaryPageOffset > 0 {
		return meta.DictionaryPageOffset
	}
	return meta.DataPageOffset
}

// chunk reads the locations of the pages of a column.
func (r *parquetReader[R]) chunk(g *rowGroup[R], column int, chunk *format.ColumnChunk) error {
	c, k, meta := &g.schema.columns[column], &g.chunks[column], &chunk.MetaData
	if len(meta.PathInSchema) != 1 || meta.PathInSchema[0] != c.Name {
		return fmt.Errorf("the footer calls it %q", []string(meta.PathInSchema))
	}
	if meta.Type != c.element().Type.V || meta.NumValues != int64(g.rows) || (meta.Codec == format.Zstd) != (c.class == classLong) {
		return fmt.Errorf("the footer says type %v, codec %v, %d values", meta.Type, meta.Codec, meta.NumValues)
	}
	end := chunkStart(meta) + meta.TotalCompressedSize
	dictionary := meta.DictionaryPageOffset > 0
	if must := c.class == classList || column == 0; must && !dictionary || dictionary && !must && c.class != classShort &&
		!c.class.isFloat() {
		return fmt.Errorf("the footer says that its dictionary is at %d", meta.DictionaryPageOffset)
	}
	if dictionary {
		header, at, err := r.page(meta.DictionaryPageOffset, meta.DataPageOffset-meta.DictionaryPageOffset, false)
		if err != nil {
			return err
		}
		if header.Type != format.DictionaryPage || !header.DictionaryPageHeader.Valid ||
			header.DictionaryPageHeader.V.Encoding != format.Plain {
			return fmt.Errorf("the page at offset %d is not a dictionary", meta.DictionaryPageOffset)
		}
		k.dictionary, k.codes = at, int(header.DictionaryPageHeader.V.NumValues)
	}
	index, err := r.offsetIndex(chunk)
	if err != nil {
		return err
	}
	nulls := int64(0)
	for n := range index {
		last := int64(g.rows)
		if n+1 < len(index) {
			last = index[n+1].FirstRowIndex
		}
		if c.class != classLong && index[n].FirstRowIndex != int64(n*pageRows) {
			return fmt.Errorf("page %d starts with row %d instead of %d", n, index[n].FirstRowIndex, n*pageRows)
		}
		at, unset, err := r.dataPage(c, dictionary, &index[n], last)
		if err != nil {
			return err
		}
		nulls += unset
		k.pages = append(k.pages, at)
	}
	k.checked = make([]atomic.Bool, len(k.pages)+1)
	if nulls != meta.Statistics.NullCount {
		return fmt.Errorf("the footer says %d nulls; there are %d", meta.Statistics.NullCount, nulls)
	}
	if len(index) == 0 || index[0].FirstRowIndex != 0 || index[0].Offset != meta.DataPageOffset || r.next != end {
		return fmt.Errorf("its %d pages end at offset %d instead of %d", len(index), r.next, end)
	}
	return nil
}

// dataPage reads a page of values, which must end before row last. It returns the number of nulls.
func (r *parquetReader[R]) dataPage(
	c *column[R], dictionary bool, entry *format.PageLocation, last int64,
) (at location, nulls int64, err error) {
	header, at, err := r.page(entry.Offset, int64(entry.CompressedPageSize), c.class == classLong)
	if err != nil {
		return at, 0, err
	}
	data, encodings := &header.DataPageHeader.V, c.encodings(dictionary)
	rows := int64(data.NumValues)
	if header.Type != format.DataPage || !header.DataPageHeader.Valid || rows <= 0 || entry.FirstRowIndex+rows != last {
		return at, 0, fmt.Errorf("the page at offset %d has %d rows from %d on; the next starts at row %d", entry.Offset, rows,
			entry.FirstRowIndex, last)
	}
	if data.Encoding != encodings[len(encodings)-1] || data.DefinitionLevelEncoding != format.RLE ||
		data.RepetitionLevelEncoding != format.RLE {
		return at, 0, fmt.Errorf("the page at offset %d is encoded as %v", entry.Offset, data.Encoding)
	}
	if c.class.optional() {
		levels, _, err := readLevels(r.buffer[at.offset-entry.Offset:entry.CompressedPageSize], int(rows), nil)
		if err != nil {
			return at, 0, fmt.Errorf("the page at offset %d: %w", entry.Offset, err)
		}
		nulls = int64(bytes.Count(levels, []byte{0}))
	}
	if nulls != data.Statistics.NullCount {
		return at, 0,
			fmt.Errorf("the page at offset %d is said to have %d nulls; it has %d", entry.Offset, data.Statistics.NullCount, nulls)
	}
	at.firstRow = uint32(entry.FirstRowIndex)
	return at, nulls, nil
}

func (r *parquetReader[R]) offsetIndex(chunk *format.ColumnChunk) ([]format.PageLocation, error) {
	offset, size := chunk.OffsetIndexOffset, int64(chunk.OffsetIndexLength)
	if offset < 0 || size <= 0 || offset > r.file.size-size {
		return nil, fmt.Errorf("its offset index lies outside the file: %d bytes at offset %d", size, offset)
	}
	encoded := make([]byte, size)
	if _, err := r.file.file.ReadAt(encoded, offset); err != nil {
		return nil, fmt.Errorf("cannot read the offset index, %d bytes at offset %d: %w", size, offset, err)
	}
	var index format.OffsetIndex
	if err := unmarshalThrift(encoded, &index); err != nil {
		return nil, fmt.Errorf("the offset index at offset %d is damaged: %w", offset, err)
	}
	return index.PageLocations, nil
}

// page reads and checks a page and its header, which starts at the offset.
func (r *parquetReader[R]) page(offset, size int64, compressed bool) (*format.PageHeader, location, error) {
	if offset != r.next || size <= 0 || size > r.file.size-offset {
		return nil, location{}, fmt.Errorf("a page of %d bytes is said to be at offset %d; the one before ends at %d, the file at %d", size,
			offset, r.next, r.file.size)
	}
	if int64(cap(r.buffer)) < size {
		r.buffer = make([]byte, size)
	}
	buffer := r.buffer[:size]
	if _, err := r.file.file.ReadAt(buffer, offset); err != nil && err != io.EOF {
		return nil, location{}, fmt.Errorf("cannot read %d bytes at offset %d: %w", size, offset, err)
	}
	header := new(format.PageHeader)
	reader := compactProtocol.NewReaderFromBytes(buffer)
	if err := thrift.NewDecoder(reader).Decode(header); err != nil {
		return nil, location{}, fmt.Errorf("the header of the page at offset %d is damaged: %w", offset, err)
	}
	used := int64(reader.BytesRead())
	if again, err := marshalThrift(header); err != nil || !bytes.Equal(again, buffer[:used]) {
		return nil, location{}, fmt.Errorf("the header of the page at offset %d contains unexpected data", offset)
	}
	if int64(header.CompressedPageSize) != size-used || header.UncompressedPageSize < 0 {
		return nil, location{}, fmt.Errorf("the page at offset %d has %d bytes instead of %d", offset, header.CompressedPageSize, size-used)
	}
	page := buffer[used:]
	if got, want := crc32.ChecksumIEEE(page), uint32(header.CRC); got != want {
		return nil, location{}, fmt.Errorf("the page at offset %d has checksum %08x instead of %08x", offset, got, want)
	}
	raw := len(page)
	if compressed {
		var err error
		if r.raw, err = zstdReader().DecodeAll(page, r.raw[:0]); err != nil {
			return nil, location{}, fmt.Errorf("the page at offset %d cannot be decompressed: %w", offset, err)
		}
		raw = len(r.raw)
	}
	if raw != int(header.UncompressedPageSize) {
		return nil, location{}, fmt.Errorf("the page at offset %d is said to have %d bytes when it is decompressed; it has %d", offset,
			header.UncompressedPageSize, raw)
	}
	r.next = offset + size
	return header, location{
		offset: offset + used, size: uint32(len(page)), rawSize: uint32(header.UncompressedPageSize), crc: uint32(header.CRC),
	}, nil
}

// tableOf returns the name of the table that a segment belongs to, from its footer.
func tableOf(f *segmentFile) (string, error) {
	meta, err := readFooter(f.file)
	if err != nil {
		return "", err
	}
	if len(meta.Schema) == 0 {
		return "", fmt.Errorf("the footer of segment %s has no schema", f.path)
	}
	return meta.Schema[0].Name, nil
}

// allEmpty reports whether every string of a long column is empty; the index records this.
func (g *rowGroup[R]) allEmpty(column int) (bool, error) {
	for n := range g.chunks[column].pages {
		p, err := g.page(column, n)
		if err != nil {
			return false, err
		}
		if len(p.bytes) > 0 {
			return false, nil
		}
	}
	return true, nil
}
