// Package files reads export files of any format row by row, each row as a JSON object.
package files

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
	"almanac/internal/transfer/export"
)

// MaxRow is the maximum size of a row in a text file, in bytes.
const MaxRow = 256 << 20

// Texts are the file name extensions of text formats.
var Texts = []string{".jsonl", ".jsonl.gz", ".json", ".json.gz", ".csv", ".csv.gz"}

// Parquet is the file name extension of Parquet files.
const Parquet = ".parquet"

// HasEnd reports whether a name has one of the given extensions.
func HasEnd(name string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Cell converts the text in a column of a CSV file, or in a text column of a Parquet file, to JSON.
type Cell func(column, text string) json.RawMessage

// Row is a row of a file.
type Row struct {
	// Place is the position of the row, such as "line 7".
	Place string
	// JSON is an object, valid until the next row.
	JSON []byte
}

// Read reads a file, whose format is determined by its extension. Errors include the file name and the position.
func Read(path string, cell Cell) iter.Seq2[Row, error] { return read(path, cell, MaxRow) }

func read(path string, cell Cell, most int) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		file, err := os.Open(path) //nolint:gosec // the operator names the file
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer file.Close() //nolint:errcheck // only read
		last := "its start"
		for row, err := range rowsOf(file, path, cell, most) {
			if err != nil {
				place := cmp.Or(row.Place, "after "+last)
				yield(row, fmt.Errorf("%s, %s: %w", path, place, err))
				return
			}
			last = row.Place
			if !yield(row, nil) {
				return
			}
		}
	}
}

func rowsOf(file *os.File, path string, cell Cell, most int) iter.Seq2[Row, error] {
	if strings.HasSuffix(path, Parquet) {
		return parquetRows(file, cell)
	}
	return func(yield func(Row, error) bool) {
		from, err := textOf(file, path)
		switch {
		case errors.Is(err, io.EOF): // an empty file
		case err != nil:
			yield(Row{}, err)
		case HasEnd(path, ".csv", ".csv.gz"):
			eachCSV(from, cell, most, yield)
		case HasEnd(path, ".jsonl", ".jsonl.gz"):
			eachLine(from, most, yield)
		default:
			eachElement(from, most, yield)
		}
	}
}

// textOf returns the decompressed text of a file.
func textOf(file *os.File, path string) (*bufio.Reader, error) {
	const bytes = 256 << 10
	from := bufio.NewReaderSize(file, bytes)
	if !strings.HasSuffix(path, ".gz") {
		return from, nil
	}
	unpacked, err := gzip.NewReader(from)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(unpacked, bytes), nil
}

func tooLong(most int) error { return fmt.Errorf("the row is longer than %d bytes", most) }

// checked returns an error unless the row is a valid JSON object.
func checked(row []byte) error {
	if len(row) == 0 || row[0] != '{' {
		return errors.New("there is no JSON object")
	}
	if !json.Valid(row) {
		return errors.New("the JSON object is damaged")
	}
	return nil
}

// eachLine reads objects, one per line.
func eachLine(from *bufio.Reader, most int, yield func(Row, error) bool) {
	var line []byte
	for number := 1; ; number++ {
		place := "line " + strconv.Itoa(number)
		var err error
		if line, err = appendLine(line[:0], from, most); err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if !errors.Is(err, io.EOF) {
				yield(Row{Place: place}, err)
			}
			return
		}
		row := bytes.TrimSpace(line)
		if len(row) == 0 {
			continue
		}
		if err := checked(row); err != nil {
			yield(Row{Place: place}, err)
			return
		}
		if !yield(Row{place, row}, nil) {
			return
		}
	}
}

// appendLine appends the rest of the line.
func appendLine(line []byte, from *bufio.Reader, most int) ([]byte, error) {
	for {
		part, err := from.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, tooLong(most)
		}
		if line = append(line, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// eachElement reads objects that are elements of an array, or that are concatenated.
func eachElement(from *bufio.Reader, most int, yield func(Row, error) bool) {
	limited := &limitedReader{from: from, most: most}
	decoder := json.NewDecoder(limited)
	var array bool
	for {
		start, err := from.Peek(1)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				yield(Row{}, err)
			}
			return // an empty file
		}
		if !strings.ContainsRune(" \t\r\n", rune(start[0])) {
			array = start[0] == '['
			break
		}
		_, _ = from.Discard(1)
	}
	if array {
		_, _ = decoder.Token()
	}
	for number := 1; ; number++ {
		place := "row " + strconv.Itoa(number)
		if array && !decoder.More() {
			if _, err := decoder.Token(); err != nil {
				yield(Row{Place: place}, errors.New("the array has no end"))
			}
			return
		}
		limited.left = most
		var row json.RawMessage
		err := decoder.Decode(&row)
		if errors.Is(err, io.EOF) && !array {
			return
		}
		if err == nil {
			err = checked(row)
		}
		if !yield(Row{place, row}, err) || err != nil {
			return
		}
	}
}

// limitedReader fails if more than the maximum row size is read.
type limitedReader struct {
	from       io.Reader
	most, left int
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, tooLong(l.most)
	}
	n, err := l.from.Read(p)
	l.left -= n
	return n, err
}

// parquetRows reads a Parquet file written by Almanac.
func parquetRows(file *os.File, cell Cell) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		opened, err := openParquet(file)
		if err != nil {
			yield(Row{}, err)
			return
		}
		var object []byte
		number := 0
		for values, err := range opened.Rows() {
			number++
			place := "row " + strconv.Itoa(number)
			if err != nil {
				yield(Row{Place: place}, err)
				return
			}
			object = append(object[:0], '{')
			for n := range values {
				if !values[n].Set {
					continue
				}
				object = appendMember(object, opened.Columns[n].Name)
				object = appendValue(object, opened.Columns[n], &values[n], cell)
			}
			if !yield(Row{place, append(object, '}')}, nil) {
				return
			}
		}
	}
}

func openParquet(file *os.File) (*export.ParquetFile, error) {
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return export.OpenParquet(file, about.Size())
}

func appendMember(object []byte, name string) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	return append(jsontext.AppendString(object, name), ':')
}

func appendValue(object []byte, c export.Column, v *export.Value, cell Cell) []byte {
	switch c.Kind {
	case export.Time:
		const layout = `"2006-01-02T15:04:05.000000Z"`
		return domain.Micros(v.Int).Time().UTC().AppendFormat(object, layout)
	case export.Int:
		return strconv.AppendInt(object, v.Int, 10)
	case export.Float:
		return jsontext.AppendNumber(object, v.Float)
	case export.Bool:
		return strconv.AppendBool(object, v.Int != 0)
	}
	return append(object, cell(c.Name, v.Text)...)
}

// Columns returns the column names of a file, or nil if it has no rows and no header.
func Columns(path string) (names []string, err error) {
	if !HasEnd(path, Parquet, ".csv", ".csv.gz") {
		for row, err := range Read(path, nil) {
			if err != nil {
				return nil, err
			}
			for m := jsontext.CheckedMembersOf(string(row.JSON)); m.Next(); {
				names = append(names, strings.Clone(m.Name))
			}
			break
		}
		return names, nil
	}
	file, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	if strings.HasSuffix(path, Parquet) {
		opened, err := openParquet(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, c := range opened.Columns {
			names = append(names, c.Name)
		}
		return names, nil
	}
	// Empty cells are left out of rows, so the header is read instead.
	from, err := textOf(file, path)
	if err == nil {
		names, err = (&csvReader{from: from, most: MaxRow, line: 1}).record()
	}
	if err != nil && !errors.Is(err, io.EOF) { // EOF means an empty file
		return nil, fmt.Errorf("%s, line 1: %w", path, err)
	}
	return names, nil
}
