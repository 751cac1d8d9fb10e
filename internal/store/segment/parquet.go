package segment

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"almanac/internal/store"
)

// A segment is a Parquet file: the magic, row groups in sequence, each column of a row group contiguous, the offset
// indexes of all pages, the footer. The schema is flat: lists are JSON arrays in string columns, and only times and
// numbers can be null.
const parquetMagic = "PAR1"

// projectColumn is the name of the first column of the file, the project of a row.
const projectColumn = "project_id"

var compactProtocol thrift.CompactProtocol

func marshalThrift(v any) ([]byte, error) { return thrift.Marshal(&compactProtocol, v) }

func unmarshalThrift(b []byte, v any) error { return thrift.Unmarshal(&compactProtocol, b, v) }

func dataHeader(values int, encoding format.Encoding) format.PageHeader {
	return format.PageHeader{
		Type: format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(values), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		}),
	}
}

func dictionaryHeader(values int) format.PageHeader {
	return format.PageHeader{
		Type:                 format.DictionaryPage,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(values), Encoding: format.Plain}),
	}
}

// element returns the schema element of a column in the footer.
func (c *column[R]) element() format.SchemaElement {
	e := format.SchemaElement{Name: c.Name, RepetitionType: thrift.New(format.Required)}
	if c.class.optional() {
		e.RepetitionType = thrift.New(format.Optional)
	}
	switch c.class {
	case classShort, classID, classLong:
		e.Type = thrift.New(format.ByteArray)
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType = format.LogicalType{Value: new(format.StringType)}
	case classList:
		e.Type = thrift.New(format.ByteArray)
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType = format.LogicalType{Value: new(format.StringType)}
	case classTime:
		e.Type = thrift.New(format.Int64)
		e.ConvertedType = thrift.New(deprecated.TimestampMicros)
		e.LogicalType = format.LogicalType{
			Value: &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MicroSeconds)}},
		}
	case classInt, classOptInt, classSequence:
		e.Type = thrift.New(format.Int64)
	case classFloat, classOptFloat:
		e.Type = thrift.New(format.Double)
	case classBool:
		e.Type = thrift.New(format.Boolean)
	}
	return e
}

// encodings returns the encodings of a column's pages, the encoding of the values last.
func (c *column[R]) encodings(dictionary bool) []format.Encoding {
	if dictionary {
		return []format.Encoding{format.Plain, format.RLE, format.RLEDictionary}
	}
	switch c.class {
	case classShort, classID, classLong:
		return []format.Encoding{format.RLE, format.DeltaLengthByteArray}
	case classTime, classInt, classOptInt, classSequence:
		return []format.Encoding{format.RLE, format.DeltaBinaryPacked}
	}
	return []format.Encoding{format.RLE, format.Plain}
}

// footer returns the metadata of a file with these row groups.
func (s *schema[R]) footer(groups []format.RowGroup) *format.FileMetaData {
	columns := s.fileColumns()
	meta := &format.FileMetaData{Version: 2, CreatedBy: "almanac", RowGroups: groups}
	meta.Schema = append(meta.Schema, format.SchemaElement{Name: s.table, NumChildren: thrift.New(int32(len(columns)))})
	for n := range columns {
		meta.Schema = append(meta.Schema, columns[n].element())
	}
	for n := range groups {
		meta.NumRows += groups[n].NumRows
	}
	return meta
}

// fileColumns returns the columns of a file: the project, then those of the table.
func (s *schema[R]) fileColumns() []column[R] {
	return append([]column[R]{{store.Column[R]{Name: projectColumn}, classShort}}, s.columns...)
}

// rowGroup returns the metadata of what a groupWriter wrote.
func (g *groupWriter[R]) rowGroup() format.RowGroup {
	group := format.RowGroup{NumRows: int64(len(g.rows)), FileOffset: g.project.start}
	columns, chunks := g.schema.fileColumns(), g.fileChunks()
	for n := range chunks {
		c, k := &columns[n], &chunks[n]
		dictionary := k.dictionaryHeader > 0
		meta := format.ColumnMetaData{
			Encoding: c.encodings(dictionary), PathInSchema: []string{c.Name}, NumValues: int64(len(g.rows)),
			TotalUncompressedSize: k.rawSize, TotalCompressedSize: k.end - k.start, DataPageOffset: k.headers[0],
			Type: c.element().Type.V, Statistics: format.Statistics{NullCount: k.nulls},
		}
		if dictionary {
			meta.DictionaryPageOffset = k.dictionaryHeader
		}
		if c.class == classLong {
			meta.Codec = format.Zstd
		}
		group.Columns = append(group.Columns, format.ColumnChunk{FileOffset: k.start, MetaData: meta})
		group.TotalByteSize += k.rawSize
		group.TotalCompressedSize += k.end - k.start
	}
	return group
}

// writeFooter completes a file with the offset indexes of all pages and the footer.
func (s *schema[R]) writeFooter(out *countingWriter, groups []format.RowGroup, pages [][][]format.PageLocation) error {
	for n := range groups {
		for column := range groups[n].Columns {
			encoded, err := marshalThrift(&format.OffsetIndex{PageLocations: pages[n][column]})
			if err != nil {
				return err
			}
			groups[n].Columns[column].OffsetIndexOffset = out.n
			groups[n].Columns[column].OffsetIndexLength = int32(len(encoded))
			if _, err := out.Write(encoded); err != nil {
				return err
			}
		}
	}
	encoded, err := marshalThrift(s.footer(groups))
	if err != nil {
		return err
	}
	encoded = binary.LittleEndian.AppendUint32(encoded, uint32(len(encoded)))
	encoded = append(encoded, parquetMagic...)
	if _, err := out.Write(encoded); err != nil {
		return err
	}
	return out.w.Flush()
}

func (g *groupWriter[R]) fileChunks() []chunk { return append([]chunk{g.project}, g.chunks...) }

// pageLocations returns the offset indexes of what a groupWriter wrote.
func (g *groupWriter[R]) pageLocations() [][]format.PageLocation {
	chunks := g.fileChunks()
	all := make([][]format.PageLocation, len(chunks))
	for n := range chunks {
		k := &chunks[n]
		for p, at := range k.pages {
			all[n] = append(all[n], format.PageLocation{
				Offset: k.headers[p], CompressedPageSize: int32(at.offset - k.headers[p] + int64(at.size)),
				FirstRowIndex: int64(at.firstRow),
			})
		}
	}
	return all
}

// readFooter reads the footer of a Parquet file.
func readFooter(file *os.File) (*format.FileMetaData, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, 8)
	if info.Size() < 12 {
		return nil, fmt.Errorf("segment %s has only %d bytes", file.Name(), info.Size())
	}
	if _, err := file.ReadAt(tail, info.Size()-8); err != nil {
		return nil, err
	}
	size := int64(binary.LittleEndian.Uint32(tail))
	if string(tail[4:]) != parquetMagic || size > info.Size()-12 {
		return nil, fmt.Errorf("segment %s does not end like a Parquet file", file.Name())
	}
	encoded := make([]byte, size)
	if _, err := file.ReadAt(encoded, info.Size()-8-size); err != nil && err != io.EOF {
		return nil, err
	}
	meta := new(format.FileMetaData)
	if err := unmarshalThrift(encoded, meta); err != nil {
		return nil, fmt.Errorf("the footer of segment %s is damaged: %w", file.Name(), err)
	}
	return meta, nil
}
