package otlp

import (
	"errors"
	"fmt"

	"almanac/internal/jsontext"
)

// jsonReader walks through JSON text without building a tree: a tree takes up to a hundred times the memory of the
// text, and the sender controls the text. It accepts exactly what the standard library accepts, up to a maximum depth.
//
// kind peeks at the value at the current position, which must then be consumed by exactly one of: open followed by more
// until it returns false, readText, number, or skip. The first error is final: from then on there is nothing left to
// read, so loops end.
type jsonReader struct {
	data   string
	pos    int
	depth  int
	empty  bool // nothing has been read yet from the list or object opened last
	err    error
	texts  *slab[byte] // memory for strings that cannot be slices of data
	buffer []byte      // such a string while it is read
}

// maxJSONDepth is the maximum nesting depth of a body. Attributes begin at level 9, and each list takes three levels.
const maxJSONDepth = 300

var errTooDeep = errors.New("nested too deeply")

// fail stops reading with an error.
func (r *jsonReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.pos = len(r.data)
}

func (r *jsonReader) unexpected(wanted string) {
	if r.pos >= len(r.data) {
		r.fail(fmt.Errorf("the text ends where %s is expected", wanted))
		return
	}
	r.fail(fmt.Errorf("%q at byte %d where %s is expected", r.data[r.pos], r.pos, wanted))
}

// kind skips whitespace and returns the next byte, which determines the type of the next value; 0 at the end.
func (r *jsonReader) kind() byte {
	if r.pos < len(r.data) && r.data[r.pos] > ' ' {
		return r.data[r.pos]
	}
	return r.kindAfterBlanks()
}

func (r *jsonReader) kindAfterBlanks() byte {
	if r.pos = jsontext.SkipSpace(r.data, r.pos); r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

// open enters the list or object at the current position.
func (r *jsonReader) open() {
	r.depth++
	if r.depth > maxJSONDepth {
		r.fail(fmt.Errorf("%w: more than %d levels at byte %d", errTooDeep, maxJSONDepth, r.pos))
		return
	}
	r.pos++
	r.empty = true
}

// more advances to the next item of a list or member of an object; at the end it leaves it and returns false.
func (r *jsonReader) more(closing byte) bool {
	if r.err != nil {
		return false
	}
	c := r.kind()
	switch {
	case c == closing:
		r.pos++
		r.depth--
		r.empty = false
		return false
	case r.empty:
		r.empty = false
		return true
	case c == ',':
		r.pos++
		if r.kind() == closing {
			r.unexpected("a value")
			return false
		}
		return true
	default:
		r.unexpected("a comma or " + string(rune(closing)))
		return false
	}
}

// name reads the name of a member and advances to its value.
func (r *jsonReader) name() string {
	if r.kind() != '"' {
		r.unexpected("a name")
		return ""
	}
	name := r.readText()
	r.colon()
	return name
}

func (r *jsonReader) colon() {
	if r.kind() != ':' {
		r.unexpected("a colon")
		return
	}
	r.pos++
}

// number reads the number at the current position and returns it as written.
func (r *jsonReader) number() string {
	start := r.pos
	end, ok := jsontext.EndOfNumber(r.data, start)
	if r.pos = end; !ok {
		r.unexpected("a digit")
		return ""
	}
	return r.data[start:end]
}

// accept consumes c if it is the next byte.
func (r *jsonReader) accept(c byte) bool {
	if r.pos < len(r.data) && r.data[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// word consumes true, false or null.
func (r *jsonReader) word(word string) {
	for i := range len(word) {
		if !r.accept(word[i]) {
			r.unexpected(word)
			return
		}
	}
}

// skip skips the value at the current position.
func (r *jsonReader) skip() {
	switch r.kind() {
	case '{':
		for r.open(); r.more('}'); r.skip() {
			if r.kind() != '"' {
				r.unexpected("a name")
				return
			}
			r.skipString()
			r.colon()
		}
	case '[':
		for r.open(); r.more(']'); {
			r.skip()
		}
	case '"':
		r.skipString()
	case 't':
		r.word("true")
	case 'f':
		r.word("false")
	case 'n':
		r.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		r.number()
	default:
		r.unexpected("a value")
	}
}
