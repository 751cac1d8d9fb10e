package export

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// csvWriter writes one record per row. Every field is quoted, so that nothing in a text can end it early. A null is
// written as an empty field, like an empty text.
//
// Spreadsheets run anything that looks like a formula, even in a quoted field. A text that begins with = + - @, also in
// their full-width forms, with a tab, a line feed or a carriage return is therefore prefixed with an apostrophe, unless
// it is a plain number such as -1.5. So is a text that has only apostrophes before such a beginning, so that the prefix
// can be told from the text. Columns of numbers, times and JSON are never changed: a JSON value that begins with one of
// these characters can only be a negative number.
type csvWriter struct {
	to      io.Writer
	columns []Column
	style   Style
	begun   bool
	buffer  []byte
	pieces  pieces
}

func newCSVWriter(to io.Writer, columns []Column, style Style) *csvWriter {
	return &csvWriter{to: to, columns: columns, style: style, pieces: newPieces(to)}
}

func (w *csvWriter) Write(row []Value) error {
	if err := w.begin(); err != nil {
		return err
	}
	b := w.buffer[:0]
	for n := range row {
		if n > 0 {
			b = append(b, ',')
		}
		b = w.appendValue(append(b, '"'), w.columns[n].Kind, &row[n])
		b = append(b, '"')
	}
	if err := w.pieces.err(); err != nil {
		return err
	}
	_, err := w.to.Write(append(b, '\n'))
	w.buffer = kept(b)
	return err
}

// begin writes the header, once.
func (w *csvWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	var b []byte
	for n, c := range w.columns {
		if n > 0 {
			b = append(b, ',')
		}
		// Clients choose the names of scores.
		b = w.appendText(append(b, '"'), c.Name)
		b = append(b, '"')
	}
	_, err := w.to.Write(append(b, '\n'))
	return err
}

func (w *csvWriter) appendValue(b []byte, kind Kind, v *Value) []byte {
	if !v.Set {
		return b
	}
	switch kind {
	case Text:
		return w.appendText(b, v.Text)
	case JSON:
		return appendQuoted(b, v.Text, w.pieces.flush)
	case Time:
		return w.style.appendTime(b, v.Int)
	case Int:
		return strconv.AppendInt(b, v.Int, 10)
	case Bool:
		return strconv.AppendBool(b, v.Int != 0)
	}
	return jsontext.AppendNumber(b, v.Float)
}

func (w *csvWriter) appendText(b []byte, text string) []byte {
	if !w.style.Formulas && looksLikeFormula(strings.TrimLeft(text, "'")) {
		b = append(b, '\'')
	}
	return appendQuoted(b, text, w.pieces.flush)
}

// Unescaped returns the original of a string in a CSV file of style Batch.
func Unescaped(text string) string {
	if plain, ok := strings.CutPrefix(text, "'"); ok && looksLikeFormula(strings.TrimLeft(plain, "'")) {
		return plain
	}
	return text
}

func looksLikeFormula(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && !isPlainNumber(text)
}

// isPlainNumber reports whether a string is a decimal number: an optional sign, digits, and optionally a point and more
// digits.
func isPlainNumber(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 {
		return false
	}
	whole, fraction, pointed := strings.Cut(digits, ".")
	only := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return only(whole) && (!pointed || only(fraction))
}

// appendQuoted appends a string for use within quotes.
func appendQuoted(b []byte, text string, flush jsontext.Flush) []byte {
	text = validUTF8(text)
	for len(text) > jsontext.LongPart {
		b = flush(appendDoubled(b, text[:jsontext.LongPart]))
		text = text[jsontext.LongPart:]
	}
	return appendDoubled(b, text)
}

// appendDoubled appends a string with its quotes doubled.
func appendDoubled(b []byte, text string) []byte {
	for {
		n := strings.IndexByte(text, '"')
		if n < 0 {
			return append(b, text...)
		}
		b = append(append(b, text[:n+1]...), '"')
		text = text[n+1:]
	}
}

func (w *csvWriter) Close() error {
	if w.style.NoHeader {
		return nil
	}
	return w.begin()
}
