package export

import (
	"io"
	"strconv"

	"almanac/internal/jsontext"
)

// jsonWriter writes objects: one per line, or all of them in an array on a single line.
type jsonWriter struct {
	to     io.Writer
	names  [][]byte // prefix of each value
	kinds  []Kind
	style  Style
	array  bool
	rows   int64
	buffer []byte
	pieces pieces
}

func newJSONWriter(to io.Writer, columns []Column, style Style, array bool) *jsonWriter {
	w := &jsonWriter{to: to, style: style, array: array, pieces: newPieces(to)}
	for n, c := range columns {
		before := byte(',')
		if n == 0 {
			before = '{'
		}
		w.names = append(w.names, append(jsontext.AppendString([]byte{before}, c.Name), ':'))
		w.kinds = append(w.kinds, c.Kind)
	}
	return w
}

func (w *jsonWriter) Write(row []Value) error {
	b := w.buffer[:0]
	switch {
	case w.array && w.rows == 0:
		b = append(b, '[')
	case w.array:
		b = append(b, ',')
	}
	for n := range row {
		b = append(b, w.names[n]...)
		b = w.appendValue(b, w.kinds[n], &row[n])
	}
	if err := w.pieces.err(); err != nil {
		return err
	}
	if b = append(b, '}'); !w.array {
		b = append(b, '\n')
	}
	w.rows++
	_, err := w.to.Write(b)
	w.buffer = kept(b)
	return err
}

func (w *jsonWriter) appendValue(b []byte, kind Kind, v *Value) []byte {
	if !v.Set {
		return append(b, "null"...)
	}
	switch kind {
	case Text:
		return jsontext.AppendLongString(b, v.Text, w.pieces.flush)
	case JSON:
		return jsontext.AppendLongUTF8(b, v.Text, w.pieces.flush)
	case Time:
		return append(w.style.appendTime(append(b, '"'), v.Int), '"')
	case Int:
		return strconv.AppendInt(b, v.Int, 10)
	case Bool:
		return strconv.AppendBool(b, v.Int != 0)
	}
	return jsontext.AppendNumber(b, v.Float)
}

func (w *jsonWriter) Close() error {
	if !w.array {
		return nil
	}
	end := "]"
	if w.rows == 0 {
		end = "[]"
	}
	_, err := io.WriteString(w.to, end)
	return err
}

// pieces passes on the first part of a long row before the rest is appended, so that a row of many megabytes is never
// copied as a whole.
type pieces struct {
	flush jsontext.Flush
	err   func() error
}

func newPieces(to io.Writer) pieces {
	var failed error
	return pieces{
		flush: func(b []byte) []byte {
			if failed == nil {
				_, failed = to.Write(b)
			}
			return b[:0]
		},
		err: func() error { return failed },
	}
}

// kept returns a buffer for reuse, unless a long row made it large.
func kept(b []byte) []byte { return keptUpTo(b, 1<<20) }

// keptUpTo returns a buffer for reuse, unless it is larger than most bytes.
func keptUpTo(b []byte, most int) []byte {
	if cap(b) > most {
		return nil
	}
	return b
}
