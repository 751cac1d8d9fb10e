// Package export writes the data of a project to files that other programs read. Rows of a table are written one by
// one, in one of several formats, so that memory does not depend on their number; what the store needs to count the
// traces of a session or user is bounded. Except for the jobs in runner.go, it does not care who requests a file or
// where it is kept: scheduled exports write the same rows elsewhere.
package export

import (
	"math"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Kind is the type of values in a column.
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

// Value is a value of a row. The kind of its column says which field holds it; the zero value is null.
type Value struct {
	Set   bool
	Text  string // for Text and JSON; valid until the next row
	Int   int64  // for Time, Int and Bool
	Float float64
}

// text sets a string; an empty one is null.
func (v *Value) text(s string) { v.Set, v.Text = s != "", s }

// json sets a JSON value that is stored as text. Invalid JSON becomes null, since it would make the whole file
// unreadable.
func (v *Value) json(s string) { v.Set, v.Text = s != "" && jsontext.Valid(s), s }

// made sets a JSON value that this package wrote.
func (v *Value) made(s string) { v.Set, v.Text = s != "", s }

func (v *Value) time(t domain.Micros) { v.Set, v.Int = t != 0, int64(t) }

func (v *Value) int(n int64) { v.Set, v.Int = true, n }

func (v *Value) optInt(n domain.OptInt) { v.Set, v.Int = n.Set, n.Value }

// float sets a number. NaN and infinities, which JSON cannot express, are null.
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

// list sets a list of strings.
func (v *Value) list(texts []string) { v.made(listOf(texts)) }

// millis sets the time between from and to in milliseconds, null if to is missing.
func (v *Value) millis(from, to domain.Micros) {
	v.Set, v.Int = to != 0, to.Millis()-from.Millis()
}

// listOf returns strings as a JSON array.
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

// validUTF8 replaces invalid UTF-8 in a string.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
