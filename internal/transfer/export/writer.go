package export

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/domain"
)

// The formats.
const (
	CSV     = "csv"
	JSONOne = "json" // one array
	JSONL   = "jsonl"
	Parquet = "parquet"
)

// Formats returns the names of all formats.
func Formats() []string { return []string{CSV, JSONOne, JSONL, Parquet} }

// ContentType returns the MIME type of a format.
func ContentType(format string) string {
	switch format {
	case CSV:
		return "text/csv; charset=utf-8"
	case JSONOne:
		return "application/json"
	case JSONL:
		return "application/x-ndjson"
	}
	return "application/vnd.apache.parquet"
}

// Style is how values are written where there is a choice.
type Style struct {
	// Times is the layout of times in text formats, and Micros, if set, that of times with a fraction of a millisecond.
	Times, Micros string
	// Formulas leaves texts in CSV as they are, even those that spreadsheets would run as formulas.
	Formulas bool
	// NoHeader leaves a CSV file without rows empty.
	NoHeader bool
}

// Batch is the style of files that users download.
var Batch = Style{Times: "2006-01-02T15:04:05.000Z", Micros: "2006-01-02T15:04:05.000000Z"}

// Writer writes the rows of a file.
type Writer interface {
	// Write writes a row with one value per column. It does not retain the row.
	Write(row []Value) error
	// Close ends the file. It does not close the underlying writer.
	Close() error
}

// FileType returns the MIME type of a file.
func FileType(q *Request) string {
	if q.Compressed {
		return "application/gzip"
	}
	return ContentType(q.Format)
}

// NewFileWriter returns a writer for the file that a request asks for.
func NewFileWriter(q *Request, to io.Writer, columns []Column) (Writer, error) {
	if !q.Compressed {
		return NewWriter(q.Format, to, columns, Batch)
	}
	packer := gzip.NewWriter(to)
	w, err := NewWriter(q.Format, packer, columns, Batch)
	return &packedWriter{w, packer}, err
}

// packedWriter compresses what a writer writes.
type packedWriter struct {
	Writer
	packer *gzip.Writer
}

// Close ends the rows, and then the compressed file.
func (w *packedWriter) Close() error { return errors.Join(w.Writer.Close(), w.packer.Close()) }

// FileBytes returns roughly how much memory the writer of a file holds for rows that are not long.
func FileBytes(q *Request) int64 {
	const packer = 2 << 20
	if q.Compressed {
		return WriterBytes(q.Format) + packer
	}
	return WriterBytes(q.Format)
}

// WriterBytes returns roughly how much memory the writer of a format holds for rows that are not long.
func WriterBytes(format string) int64 {
	const encoder, buffers = 3 << 20, 1 << 20
	if format == Parquet {
		return groupBytes + encoder + buffers
	}
	return buffers
}

// NewWriter returns a writer for a format.
func NewWriter(format string, to io.Writer, columns []Column, style Style) (Writer, error) {
	switch format {
	case CSV:
		return newCSVWriter(to, columns, style), nil
	case JSONOne, JSONL:
		return newJSONWriter(to, columns, style, format == JSONOne), nil
	case Parquet:
		return newParquetWriter(to, columns)
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// appendTime appends a time in the layout of text formats.
func (s *Style) appendTime(dst []byte, micros int64) []byte {
	layout := s.Times
	if s.Micros != "" && micros%1000 != 0 {
		layout = s.Micros
	}
	return domain.Micros(micros).Time().AppendFormat(dst, layout)
}
