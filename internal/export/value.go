// Package export writes what a project has into files that other programs read: rows of a table, in one of several formats, one by
// one, so that memory does not depend on how many there are; what the store takes to count the traces of a session or user is bounded.
// Apart from the jobs of runner.go, it does not care who asks for a file or where the file is kept: scheduled exports write the same
// rows elsewhere.
package export

import (
	"math"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Kind is what type the values of a column have.
type Kind uint8

// The kinds.
const (
	Text  Kind = iota
	JSON       // the text of a JSON value of any type
	Time       // microseconds since 1970
	Int        // an integer
	Float      // a number
	Bool       // true or false
)

// Column is a column of a file.
type Column struct {
	Name string
	Kind Kind
}

// Value is a value of a row. The kind of its column says which member holds it; the zero value is null.
type Value struct {
	Set   bool
	Text  string // of Text and JSON, valid until the next row
	Int   int64  // of Time, Int and Bool
	Float float64
}

// text sets a text; an empty one is null.
func (v *Value) text(s string) { v.Set, v.Text = s != "", s }

// json sets a JSON value that is stored as a text. A text that is not valid JSON becomes null, as it would make the whole file unreadable.
func (v *Value) json(s string) { v.Set, v.Text = s != "" && jsontext.Valid(s), s }

// made sets a JSON value that we wrote ourselves.
func (v *Value) made(s string) { v.Set, v.Text = s != "", s }

func (v *Value) time(t domain.Micros) { v.Set, v.Int = t != 0, int64(t) }

func (v *Value) int(n int64) { v.Set, v.Int = true, n }

func (v *Value) optInt(n domain.OptInt) { v.Set, v.Int = n.Set, n.Value }

// float sets a number. What JSON cannot express is null.
func (v *Value) float(f float64) { v.Set, v.Float = !math.IsNaN(f) && !math.IsInf(f, 0), f }

func (v *Value) optFloat(f domain.OptFloat) {
	if f.Set {
		v.float(f.Value)
	}
}

func (v *Value) bool(b bool) {
	v.Set, v.Int = true, 0
	if b {
		v.Int = 1
	}
}

// list sets a list of texts.
func (v *Value) list(texts []string) { v.made(listOf(texts)) }

// millis sets how many milliseconds are between two times; null if the second is missing.
func (v *Value) millis(from, to domain.Micros) {
	v.Set, v.Int = to != 0, to.Millis()-from.Millis()
}

// listOf returns texts as a JSON array.
func listOf(texts []string) string {
	if len(texts) == 0 {
		return "[]"
	}
	list := []byte{'['}
	for n, text := range texts {
		if n > 0 {
			list = append(list, ',')
		}
		list = jsontext.AppendString(list, text)
	}
	return string(append(list, ']'))
}

// validUTF8 returns a text as files can have it.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
