package export

import (
	"fmt"
	"io"

	"almanac/internal/domain"
)

// The formats.
const (
	CSV     = "csv"
	JSONOne = "json" // one array
	JSONL   = "jsonl"
	Parquet = "parquet"
)

// Formats are the names of all formats.
func Formats() []string { return []string{CSV, JSONOne, JSONL, Parquet} }

// ContentType returns what a file of a format is.
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

// Style is how values are written where that is a matter of taste.
type Style struct {
	// Times is the layout of times in texts.
	Times string
	// Formulas leaves texts in CSV as they are, also those that spreadsheets would run.
	Formulas bool
	// NoHeader leaves a CSV file without rows empty.
	NoHeader bool
}

// Batch is the style of files that people download.
var Batch = Style{Times: "2006-01-02T15:04:05.000Z"}

// Writer writes the rows of a file.
type Writer interface {
	// Write writes a row: a value for each column. It keeps nothing of it.
	Write(row []Value) error
	// Close ends the file. It does not close what the file is written to.
	Close() error
}

// NewWriter returns what writes a file of a format.
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

// appendTime appends a time as texts have it.
func (s *Style) appendTime(dst []byte, micros int64) []byte {
	return domain.Micros(micros).Time().AppendFormat(dst, s.Times)
}
