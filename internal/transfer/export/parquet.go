package export

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A page is compressed when it reaches pageBytes. A row group is written when it reaches groupRows rows, groupBytes of
// memory, or groupUnpack uncompressed bytes, since many readers decompress all of it.
const (
	pageBytes   = 256 << 10
	groupRows   = 100_000
	groupBytes  = 4 << 20
	groupUnpack = 32 << 20
)

const parquetMagic = "PAR1"

// parquetWriter writes a Parquet file of flat, nullable columns, with pages of plain values that are compressed with
// zstd as soon as they are full. Lists and objects are JSON in text columns, as in the files of the event store.
type parquetWriter struct {
	to      io.Writer
	at      int64 // bytes written so far
	columns []parquetColumn
	rows    int
	groups  []format.RowGroup
	zstd    *zstd.Encoder
	page    []byte
	packed  []byte
}

// parquetColumn is the state of a column in the current row group: compressed pages, and one that is not full yet.
type parquetColumn struct {
	Column
	packed   []byte // pages with their headers
	unpacked int64  // uncompressed size of these
	nulls    int64
	rows     int    // in the current page, like all fields below
	values   []byte // plain
	bits     int    // number of booleans
	// Definition levels as alternating run lengths, starting with nulls.
	runs []uint64
}

func newParquetWriter(to io.Writer, columns []Column) (*parquetWriter, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	w := &parquetWriter{to: to, zstd: encoder}
	for _, c := range columns {
		w.columns = append(w.columns, parquetColumn{Column: c, runs: []uint64{0}})
	}
	return w, nil
}

func (w *parquetWriter) write(b []byte) error {
	n, err := w.to.Write(b)
	w.at += int64(n)
	return err
}

func (w *parquetWriter) Write(row []Value) error {
	held, unpacked := 0, int64(0)
	for n := range row {
		c := &w.columns[n]
		c.add(&row[n])
		if len(c.values) >= pageBytes {
			if err := w.pack(c); err != nil {
				return err
			}
		}
		held += len(c.packed) + len(c.values)
		unpacked += c.unpacked + int64(len(c.values))
	}
	if w.rows++; w.rows == groupRows || held >= groupBytes || unpacked >= groupUnpack {
		return w.flush()
	}
	return nil
}

func (c *parquetColumn) add(v *Value) {
	there := len(c.runs)%2 == 0 // the last run is of non-null values
	if v.Set != there {
		c.runs = append(c.runs, 0)
	}
	c.runs[len(c.runs)-1]++
	c.rows++
	if !v.Set {
		c.nulls++
		return
	}
	switch c.Kind {
	case Text, JSON:
		text := validUTF8(v.Text)
		c.values = binary.LittleEndian.AppendUint32(c.values, uint32(len(text))) //nolint:gosec // texts are far smaller
		c.values = append(c.values, text...)
	case Time, Int:
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v.Int)) //nolint:gosec // the same bits
	case Float:
		c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(v.Float))
	case Bool:
		if c.bits%8 == 0 {
			c.values = append(c.values, 0)
		}
		c.values[c.bits/8] |= byte(v.Int&1) << (c.bits % 8)
		c.bits++
	}
}

// appendLevels appends the definition levels: their length, then runs with counts and levels.
func (c *parquetColumn) appendLevels(page []byte) []byte {
	start := len(page)
	page = append(page, 0, 0, 0, 0)
	for n, run := range c.runs {
		if run > 0 {
			page = append(binary.AppendUvarint(page, run<<1), byte(n%2))
		}
	}
	binary.LittleEndian.PutUint32(page[start:], uint32(len(page)-start-4)) //nolint:gosec // a few bytes for each run
	return page
}

// pack compresses the current page of a column.
func (w *parquetWriter) pack(c *parquetColumn) error {
	w.page = append(c.appendLevels(w.page[:0]), c.values...)
	c.values = keptUpTo(c.values, 2*pageBytes)[:0] // long values are in memory twice at most
	w.packed = w.zstd.EncodeAll(w.page, w.packed[:0])
	size := len(w.page)
	w.page = keptUpTo(w.page, 4*pageBytes)
	if size > math.MaxInt32 || len(w.packed) > math.MaxInt32 {
		return fmt.Errorf("a value of column %s is too long for Parquet", c.Name)
	}
	header, err := thrift.Marshal(new(thrift.CompactProtocol), &format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(size), CompressedPageSize: int32(len(w.packed)), //nolint:gosec // checked above
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(c.rows), Encoding: format.Plain, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE, //nolint:gosec // at most groupRows
		}),
	})
	if err != nil {
		return err
	}
	c.packed = append(append(c.packed, header...), w.packed...)
	c.unpacked += int64(len(header) + size)
	c.rows, c.bits, c.runs = 0, 0, append(c.runs[:0], 0)
	w.packed = keptUpTo(w.packed, 4*pageBytes)
	return nil
}

// flush writes a row group.
func (w *parquetWriter) flush() error {
	if err := w.start(); err != nil || w.rows == 0 {
		return err
	}
	group := format.RowGroup{
		NumRows: int64(w.rows), FileOffset: w.at, Ordinal: int16(min(len(w.groups), math.MaxInt16)),
		Columns: make([]format.ColumnChunk, 0, len(w.columns)),
	}
	for n := range w.columns {
		chunk, err := w.writeChunk(&w.columns[n])
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, chunk)
		group.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
	}
	w.groups = append(w.groups, group)
	w.rows = 0
	return nil
}

func (w *parquetWriter) start() error {
	if w.at > 0 {
		return nil
	}
	return w.write([]byte(parquetMagic))
}

// writeChunk writes the column chunk of the row group and resets the column.
func (w *parquetWriter) writeChunk(c *parquetColumn) (format.ColumnChunk, error) {
	if c.rows > 0 {
		if err := w.pack(c); err != nil {
			return format.ColumnChunk{}, err
		}
	}
	start := w.at
	if err := w.write(c.packed); err != nil {
		return format.ColumnChunk{}, err
	}
	chunk := format.ColumnChunk{FileOffset: start, MetaData: format.ColumnMetaData{
		Type: c.element().Type.V, Encoding: []format.Encoding{format.Plain, format.RLE}, PathInSchema: []string{c.Name}, Codec: format.Zstd,
		NumValues: int64(w.rows), TotalUncompressedSize: c.unpacked, TotalCompressedSize: w.at - start,
		DataPageOffset: start, Statistics: format.Statistics{NullCount: c.nulls},
	}}
	c.packed, c.unpacked, c.nulls = keptUpTo(c.packed, groupBytes)[:0], 0, 0
	return chunk, nil
}

// element describes a column in the footer.
func (c *parquetColumn) element() format.SchemaElement {
	e := format.SchemaElement{Name: c.Name, RepetitionType: thrift.New(format.Optional)}
	switch c.Kind {
	case Text, JSON:
		e.Type, e.ConvertedType = thrift.New(format.ByteArray), thrift.New(deprecated.UTF8)
		e.LogicalType = format.LogicalType{Value: new(format.StringType)}
	case Time:
		e.Type, e.ConvertedType = thrift.New(format.Int64), thrift.New(deprecated.TimestampMicros)
		e.LogicalType = format.LogicalType{
			Value: &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MicroSeconds)}},
		}
	case Int:
		e.Type = thrift.New(format.Int64)
	case Float:
		e.Type = thrift.New(format.Double)
	case Bool:
		e.Type = thrift.New(format.Boolean)
	}
	return e
}

func (w *parquetWriter) Close() error {
	defer w.zstd.Close() //nolint:errcheck // nothing is in it
	if err := w.flush(); err != nil {
		return err
	}
	meta := &format.FileMetaData{Version: 2, CreatedBy: "almanac", RowGroups: w.groups}
	meta.Schema = append(meta.Schema, format.SchemaElement{Name: "export", NumChildren: thrift.New(int32(len(w.columns)))}) //nolint:gosec // some hundred
	for n := range w.columns {
		meta.Schema = append(meta.Schema, w.columns[n].element())
	}
	for n := range w.groups {
		meta.NumRows += w.groups[n].NumRows
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer))) //nolint:gosec // some hundred bytes for each row group
	return w.write(append(footer, parquetMagic...))
}
