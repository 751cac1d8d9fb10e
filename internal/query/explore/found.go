package explore

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/internal/filter"
	"almanac/internal/jsontext"
	"almanac/internal/store"
)

// Found is where an observation has the text that was searched for, with what surrounds it there.
type Found struct {
	ObservationID string
	Name, Type    string // of the observation
	Field         string // id, traceId, sessionId, userId, name, traceName, input or output
	Before        string // begins with an ellipsis if something precedes it
	Text          string // what was searched for, as the observation has it
	After         string // ends with an ellipsis if something follows it
}

// The maximum length of the parts of what was found, in characters.
const (
	foundBefore = 60
	foundText   = 200
	foundAfter  = 140
)

// foundTime limits how long to look for the observations in which the traces of a page have a text. Those not found by
// then are listed without it.
const foundTime = 300 * time.Millisecond

// ellipsis stands for what was left out.
const ellipsis = "…"

// find returns where a row has the text, or nil. What it returns shares no memory with the row.
func (s *Shown) find(o *row) *Found {
	for _, field := range [...]namedText{
		{"input", o.Input}, {"output", o.Output}, {"name", o.Name}, {"traceName", o.TraceName},
	} {
		if at := s.needle.Matched(field.text); at >= 0 {
			at = s.telling(field.text, at)
			return newFound(o, field.name, field.text, at, at+s.needle.Len())
		}
	}
	for _, field := range [...]namedText{
		{"id", o.ID}, {"traceId", o.TraceID}, {"sessionId", o.SessionID}, {"userId", o.UserID},
	} {
		if field.text == s.Search {
			return newFound(o, field.name, field.text, 0, len(field.text))
		}
	}
	return nil
}

// telling returns the first of the places of what is searched for, from at on, that is in a sentence rather than in a name
// of JSON, if that is soon found, and at otherwise.
func (s *Shown) telling(text string, at int) int {
	const most = 8
	place := at
	for range most {
		if says(text, place, place+s.needle.Len()) {
			return place
		}
		if place = s.needle.Stands(text, place+s.needle.Len()); place < 0 {
			break
		}
	}
	return at
}

func newFound(o *row, field, text string, at, end int) *Found {
	before, hit, after := surroundings(text, at, end)
	return &Found{
		ObservationID: strings.Clone(o.ID), Name: strings.Clone(o.Name), Type: strings.Clone(o.Type), Field: field,
		Before: before, Text: hit, After: after,
	}
}

// extent is how far the surroundings of a part of a text are shown.
type extent struct {
	from, to       int
	isStart, isEnd bool // nothing is left out
}

// fewest is the number of bytes around a part that say enough.
const fewest = 12

// wide returns how far the surroundings of a part are shown at most.
func wide(text string, at, end int) extent {
	const escaped = len(`\u0000`) // a character may take as much
	from, to := max(0, at-foundBefore*escaped), min(len(text), end+foundAfter*escaped)
	return extent{from, to, from == 0, to == len(text)}
}

// inString returns which of the surroundings of a part are in the same string of JSON.
func inString(text string, at, end int) extent {
	x := wide(text, at, end)
	first, opened := lastQuote(text, x.from, at)
	last, closed := firstQuote(text, end, x.to)
	return extent{first, last, opened || x.isStart, closed || x.isEnd}
}

func isJSON(text string) bool {
	const most = 1 << 10
	first := strings.TrimLeft(text[:min(len(text), most)], " \t\r\n")
	return first != "" && strings.IndexByte(`{["`, first[0]) >= 0
}

// says reports whether the surroundings of a part tell something: in JSON, those in the same string.
func says(text string, at, end int) bool {
	if !isJSON(text) {
		return true
	}
	x := inString(text, at, end)
	return at-x.from+x.to-end >= fewest
}

// surroundings returns a part of a text and what is before and after it, each on one line. In JSON, these are from the
// string that has the part, unless that says too little.
func surroundings(text string, at, end int) (before, hit, after string) {
	x := wide(text, at, end)
	if !isJSON(text) {
		return framed(text[x.from:at], text[at:end], text[end:x.to], x.isStart, x.isEnd)
	}
	if says(text, at, end) {
		x = inString(text, at, end)
	}
	from := afterEscape(text, x.from, at)
	return framed(jsontext.Unescape(text[from:at]), jsontext.Unescape(text[at:end]), jsontext.Unescape(text[end:x.to]), x.isStart, x.isEnd)
}

// lastQuote returns the index after the last quotation mark of JSON in text[from:at], or from if there is none.
func lastQuote(text string, from, at int) (index int, found bool) {
	for i := at - 1; i >= from; i-- {
		if text[i] == '"' && !isEscaped(text, i) {
			return i + 1, true
		}
	}
	return from, false
}

// firstQuote returns the index of the first quotation mark of JSON in text[end:to], or to if there is none.
func firstQuote(text string, end, to int) (index int, found bool) {
	for i := end; i < to; i++ {
		if text[i] == '"' && !isEscaped(text, i) {
			return i, true
		}
	}
	return to, false
}

// isEscaped reports whether an odd number of backslashes precedes a byte. Of very many, not all are counted.
func isEscaped(text string, i int) bool {
	const most = 1 << 10
	n := 0
	for n < min(i, most) && text[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// afterEscape returns the end of the escape that an index of JSON is within, but no more than most, or the index.
func afterEscape(text string, i, most int) int {
	if isEscaped(text, i) {
		i++ // what follows a u is skipped below
	}
	const unit = len(`u0000`)
	for u := max(1, i-unit+1); u <= i && u < len(text); u++ {
		if text[u] == 'u' && isEscaped(text, u) {
			return min(u+unit, most)
		}
	}
	return min(i, most)
}

// framed cuts what is around a part, and puts everything on one line.
func framed(before, hit, after string, isStart, isEnd bool) (string, string, string) {
	before, hit, after = onOneLine(before), onOneLine(hit), onOneLine(after)
	if cut := lastCharacters(before, foundBefore); len(cut) < len(before) || !isStart {
		before = ellipsis + strings.TrimLeft(cut, " ")
	}
	before = strings.TrimLeft(before, " ")
	if cut := cutCharacters(hit, foundText); len(cut) < len(hit) {
		return before, cut + ellipsis, ""
	}
	if cut := cutCharacters(after, foundAfter); len(cut) < len(after) || !isEnd {
		after = strings.TrimRight(cut, " ") + ellipsis
	}
	return before, hit, strings.TrimRight(after, " ")
}

// onOneLine replaces runs of white space and control characters by a space, and leaves out what is no character: texts may be
// cut within one.
func onOneLine(text string) string {
	var out strings.Builder
	space := false
	for _, r := range text {
		if r == utf8.RuneError {
			continue
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteRune(r)
	}
	if space {
		out.WriteByte(' ')
	}
	return out.String()
}

// lastCharacters returns at most the given number of characters from the end of a text.
func lastCharacters(text string, most int) string {
	for at := len(text); at > 0; most-- {
		if most == 0 {
			return text[at:]
		}
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text
}

// findInTraces adds where the text was found to those rows of traces that do not have it themselves, from the earliest
// observation of the trace that does. What takes too long to find is left out.
func (e *Explorer) findInTraces(ctx context.Context, s *Selection, rows []*Row, shown *Shown) error {
	byTrace := make(map[string]*Row)
	var ids []string
	for _, r := range rows {
		if r.Found == nil {
			byTrace[r.TraceID] = r
			ids = append(ids, r.TraceID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	where, err := foundIn(ids, shown.Search)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, foundTime)
	defer cancel()
	for o, err := range e.Store.Observations().Scan(limited, e.Scope, store.Query[row]{
		From: s.From, To: s.To, Where: where, Want: store.WantIO,
	}) {
		if err != nil {
			if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
				return nil
			}
			return err
		}
		if r := byTrace[o.TraceID]; r != nil { // newest first
			r.Found = shown.find(o)
		}
	}
	return nil
}

// foundIn returns conditions for the observations of some traces that have a text.
func foundIn(ids []string, text string) ([]condition, error) {
	ofTraces, err := named(columnOf("traceId"), ids)
	if err != nil {
		return nil, err
	}
	search, err := filter.Search(text)
	return []condition{ofTraces, search}, err
}
