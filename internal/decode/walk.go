package decode

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// walker goes through the items of an array or the members of an object. The text was accepted by CheckJSON, so it looks
// no closer than it must to find where values end; of other texts it makes nothing useful, but it does end.
type walker struct {
	text []byte
	at   int
}

// inside returns a walker behind the bracket that a text starts with.
func inside(text []byte) *walker { return &walker{text: text, at: 1} }

// next goes to the next item and says whether there is one.
func (w *walker) next() bool {
	for ; w.at < len(w.text); w.at++ {
		switch w.text[w.at] {
		case ' ', '\t', '\n', '\r', ',', ':':
		case ']', '}':
			return false
		default:
			return true
		}
	}
	return false
}

// value returns the text of the value that is next and goes behind it.
func (w *walker) value() json.RawMessage {
	if !w.next() {
		return nil
	}
	start := w.at
	switch w.text[start] {
	case '"':
		w.skipString()
	case '[', '{':
		w.skipNested()
	default:
		if n := bytes.IndexAny(w.text[start:], ",:]} \t\r\n"); n > 0 {
			w.at += n
		} else {
			w.at = len(w.text)
		}
	}
	return w.text[start:w.at:w.at]
}

// skipString goes behind the string that starts here.
func (w *walker) skipString() {
	for w.at++; w.at < len(w.text); w.at++ {
		switch w.text[w.at] {
		case '\\':
			w.at++
		case '"':
			w.at++
			return
		}
	}
	w.at = len(w.text)
}

// skipNested goes behind the array or object that starts here.
func (w *walker) skipNested() {
	for depth := 0; w.at < len(w.text); {
		switch w.text[w.at] {
		case '"':
			w.skipString()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if w.at++; depth == 0 {
			return
		}
	}
}

// textOf returns the text that a JSON string stands for.
func textOf(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if plain := raw[1 : len(raw)-1]; bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}
