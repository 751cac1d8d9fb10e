package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// csvReader reads the records of a CSV file. Unlike encoding/csv it changes nothing in quoted fields, such as CRLF line
// endings, and bounds the length of a record.
type csvReader struct {
	from   *bufio.Reader
	most   int
	line   int // line of the next byte
	bytes  int // bytes of the record so far
	field  []byte
	fields []string
}

var errQuote = errors.New(`unexpected quote: fields that contain quotes must be quoted, and their quotes doubled`)

func (r *csvReader) next() (byte, error) {
	c, err := r.from.ReadByte()
	if err != nil {
		return 0, err
	}
	if r.bytes++; r.bytes > r.most {
		return 0, tooLong(r.most)
	}
	if c == '\n' {
		r.line++
	}
	return c, nil
}

// record returns the fields of the next record, valid until the following call, or io.EOF after the last.
func (r *csvReader) record() ([]string, error) {
	r.bytes, r.fields = 0, r.fields[:0]
	for {
		last, err := r.readField()
		ended := errors.Is(err, io.EOF) // EOF also ends a record, if there is one
		if err != nil && (!ended || r.bytes == 0) {
			return nil, err
		}
		r.fields = append(r.fields, string(r.field))
		if last || ended {
			return r.fields, nil
		}
	}
}

// readField reads a field and its delimiter, and reports whether it was the last of its record.
func (r *csvReader) readField() (last bool, err error) {
	r.field = r.field[:0]
	c, err := r.next()
	if err != nil {
		return true, err
	}
	if c == '"' {
		return r.readQuoted()
	}
	for ; err == nil; c, err = r.next() {
		switch c {
		case ',':
			return false, nil
		case '\n':
			if n := len(r.field); n > 0 && r.field[n-1] == '\r' {
				r.field = r.field[:n-1]
			}
			return true, nil
		case '"':
			return true, errQuote
		}
		r.field = append(r.field, c)
	}
	return true, err
}

func (r *csvReader) readQuoted() (last bool, err error) {
	for {
		c, err := r.next()
		if errors.Is(err, io.EOF) {
			return true, errors.New("the file ends within quotes")
		}
		if err != nil {
			return true, err
		}
		if c != '"' {
			r.field = append(r.field, c)
			continue
		}
		c, err = r.next()
		if err == nil && c == '\r' {
			if c, err = r.next(); err == nil && c != '\n' {
				return true, errQuote
			}
		}
		switch {
		case err != nil:
			return true, err
		case c == ',':
			return false, nil
		case c == '\n':
			return true, nil
		case c != '"':
			return true, errQuote
		}
		r.field = append(r.field, '"')
	}
}

// eachCSV reads rows as objects. Empty fields are left out.
func eachCSV(from *bufio.Reader, cell Cell, most int, yield func(Row, error) bool) {
	reader := &csvReader{from: from, most: most, line: 1}
	var header []string
	var object []byte
	for {
		place := "line " + strconv.Itoa(reader.line)
		fields, err := reader.record()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err == nil && header == nil:
			header = append(header, fields...)
			continue
		case err == nil && len(fields) == 1 && fields[0] == "" && len(header) > 1: // a blank line
			continue
		case err == nil && len(fields) != len(header):
			err = fmt.Errorf("there are %d fields and %d columns", len(fields), len(header))
		}
		if err != nil {
			yield(Row{Place: place}, err)
			return
		}
		object = append(object[:0], '{')
		for n, text := range fields {
			if text != "" {
				object = append(appendMember(object, header[n]), cell(header[n], text)...)
			}
		}
		if !yield(Row{place, append(object, '}')}, nil) {
			return
		}
	}
}
