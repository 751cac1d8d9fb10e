package export

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds for reading Parquet files, far above what our files need.
const (
	maxFooter = 64 << 20
	maxPage   = 512 << 20
)

// errForeign is returned for a Parquet file written by another program.
var errForeign = errors.New("it uses features that Almanac does not write: only Parquet files written by Almanac can be read")

// ParquetFile reads a Parquet file written by this package: flat columns, pages of plain values.
type ParquetFile struct {
	Columns []Column
	from    io.ReaderAt
	size    int64
	meta    format.FileMetaData
	zstd    *zstd.Decoder
}

// OpenParquet reads the footer of a file.
func OpenParquet(from io.ReaderAt, size int64) (*ParquetFile, error) {
	f := &ParquetFile{from: from, size: size}
	const end = 4 + len(parquetMagic)
	var tail [end]byte
	if size < int64(end+len(parquetMagic)) {
		return nil, errors.New("it is too short to be a Parquet file")
	}
	if _, err := from.ReadAt(tail[:], size-int64(end)); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != parquetMagic || length > min(maxFooter, size-int64(end)) {
		return nil, errors.New("it is not a Parquet file, or it is truncated")
	}
	footer := make([]byte, length)
	if _, err := from.ReadAt(footer, size-int64(end)-length); err != nil {
		return nil, err
	}
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), footer, &f.meta); err != nil {
		return nil, fmt.Errorf("its footer is damaged: %w", err)
	}
	for n := range f.meta.Schema {
		e := &f.meta.Schema[n]
		if n == 0 {
			continue // the root of the schema
		}
		kind, ok := kindOf(e)
		if !ok {
			return nil, fmt.Errorf("column %s: %w", e.Name, errForeign)
		}
		f.Columns = append(f.Columns, Column{e.Name, kind})
	}
	if len(f.Columns) == 0 {
		return nil, errForeign
	}
	return f, nil
}

// kindOf returns the kind of a column. Text and JSON columns cannot be distinguished.
func kindOf(e *format.SchemaElement) (Kind, bool) {
	if !e.Type.Valid || !e.RepetitionType.Valid || e.RepetitionType.V != format.Optional {
		return 0, false
	}
	switch e.Type.V {
	case format.ByteArray:
		return Text, true
	case format.Int64:
		if e.ConvertedType.Valid && e.ConvertedType.V == deprecated.TimestampMicros {
			return Time, true
		}
		return Int, true
	case format.Double:
		return Float, true
	case format.Boolean:
		return Bool, true
	}
	return 0, false
}

// Rows returns the rows. Each is valid until the next one.
func (f *ParquetFile) Rows() iter.Seq2[[]Value, error] {
	return func(yield func([]Value, error) bool) {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
		if err != nil {
			yield(nil, err)
			return
		}
		defer decoder.Close()
		f.zstd = decoder
		row, chunks := make([]Value, len(f.Columns)), make([]parquetChunk, len(f.Columns))
		for n := range f.meta.RowGroups {
			group := &f.meta.RowGroups[n]
			if len(group.Columns) != len(f.Columns) {
				yield(nil, errForeign)
				return
			}
			for c := range chunks {
				if err := f.open(&group.Columns[c].MetaData, &chunks[c]); err != nil {
					yield(nil, fmt.Errorf("column %s: %w", f.Columns[c].Name, err))
					return
				}
			}
			for range group.NumRows {
				for c := range chunks {
					if row[c], err = f.next(&chunks[c], f.Columns[c].Kind); err != nil {
						yield(nil, fmt.Errorf("column %s: %w", f.Columns[c].Name, err))
						return
					}
				}
				if !yield(row, nil) {
					return
				}
			}
			if slices.ContainsFunc(chunks, func(c parquetChunk) bool { return c.left > 0 || len(c.packed) > 0 }) {
				yield(nil, errDamaged)
				return
			}
		}
	}
}

// parquetChunk is a column chunk being read: the current page and those that follow.
type parquetChunk struct {
	packed []byte
	page   parquetPage
	left   int32 // values left in the page
	memory []byte
}

// parquetPage is a page being read.
type parquetPage struct {
	buffer  []byte // reusable memory of the page
	content []byte
	levels  []byte
	run     uint64 // number of next values that are alike
	there   bool   // they are not null
	bits    int
}

// open reads the compressed pages of a column chunk.
func (f *ParquetFile) open(m *format.ColumnMetaData, c *parquetChunk) error {
	if m.Codec != format.Zstd || m.DictionaryPageOffset != 0 {
		return errForeign
	}
	size := m.TotalCompressedSize
	if m.DataPageOffset < 0 || size <= 0 || size > maxPage || m.DataPageOffset > f.size-size {
		return errDamaged
	}
	c.memory = slices.Grow(c.memory[:0], int(size))[:size]
	c.packed, c.left = c.memory, 0
	_, err := f.from.ReadAt(c.packed, m.DataPageOffset)
	return err
}

// next returns the next value of a column.
func (f *ParquetFile) next(c *parquetChunk, kind Kind) (Value, error) {
	if c.left == 0 {
		if err := f.unpack(c); err != nil {
			return Value{}, err
		}
	}
	c.left--
	return c.page.next(kind)
}

// unpack decompresses the next page.
func (f *ParquetFile) unpack(c *parquetChunk) error {
	var header format.PageHeader
	head := bytes.NewReader(c.packed)
	if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(head)).Decode(&header); err != nil {
		return errDamaged
	}
	c.packed = c.packed[len(c.packed)-head.Len():]
	if header.Type != format.DataPage || !header.DataPageHeader.Valid || header.DataPageHeader.V.Encoding != format.Plain {
		return errForeign
	}
	size := int(header.CompressedPageSize)
	if c.left = header.DataPageHeader.V.NumValues; c.left <= 0 || size < 0 || size > len(c.packed) ||
		header.UncompressedPageSize < 4 || header.UncompressedPageSize > maxPage {
		return errDamaged
	}
	content, err := f.zstd.DecodeAll(c.packed[:size], c.page.buffer[:0])
	if err != nil || len(content) != int(header.UncompressedPageSize) {
		return errDamaged
	}
	c.packed = c.packed[size:]
	levels := int64(binary.LittleEndian.Uint32(content))
	if levels > int64(len(content)-4) {
		return errDamaged
	}
	c.page = parquetPage{buffer: content, content: content[4+levels:], levels: content[4 : 4+levels]}
	return nil
}

var errDamaged = errors.New("the file is damaged")

// next returns the next value.
func (p *parquetPage) next(kind Kind) (v Value, err error) {
	for p.run == 0 {
		head, n := binary.Uvarint(p.levels)
		if n <= 0 || head&1 != 0 || len(p.levels) < n+1 || p.levels[n] > 1 {
			return v, errDamaged
		}
		p.run, p.there, p.levels = head>>1, p.levels[n] == 1, p.levels[n+1:]
	}
	p.run--
	if v.Set = p.there; !v.Set {
		return v, nil
	}
	switch kind {
	case Text, JSON:
		length, err := p.take(4)
		if err != nil {
			return v, err
		}
		text, err := p.take(int64(binary.LittleEndian.Uint32(length)))
		v.Text = string(text)
		return v, err
	case Bool:
		if p.bits/8 >= len(p.content) {
			return v, errDamaged
		}
		v.Int = int64(p.content[p.bits/8]>>(p.bits%8)) & 1
		p.bits++
		return v, nil
	}
	raw, err := p.take(8)
	if err != nil {
		return v, err
	}
	if bits := binary.LittleEndian.Uint64(raw); kind == Float {
		v.Float = math.Float64frombits(bits)
	} else {
		v.Int = int64(bits) //nolint:gosec // the same bits
	}
	return v, nil
}

func (p *parquetPage) take(n int64) ([]byte, error) {
	if n > int64(len(p.content)) {
		return nil, errDamaged
	}
	taken := p.content[:n]
	p.content = p.content[n:]
	return taken, nil
}
