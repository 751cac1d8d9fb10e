package explore

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Hit is a field of an observation in which the text was found.
type Hit struct {
	ObservationID string `json:"observationId"`
	Field         string `json:"field"`
	Count         int    `json:"count"`
	Excerpt       string `json:"excerpt"`
}

// Hits are the results of Find.
type Hits struct {
	Hits    []Hit `json:"hits"`
	Total   int   `json:"total"`   // number of occurrences, including those in texts that are not listed
	Partial bool  `json:"partial"` // not everything was searched
}

const (
	// MaxHits is the maximum number of texts listed.
	MaxHits = 5000
	// around is the number of bytes of context in an excerpt on either side of the match.
	around = 60
)

// Find searches all texts of the rows of a trace, newest first, ignoring the case of ASCII letters. It returns false if
// the trace does not exist.
func (e *Explorer) Find(ctx context.Context, traceID, text string) (*Hits, bool, error) {
	out := &Hits{Hits: []Hit{}}
	wanted := newNeedles(text)
	found := false
	held := memory.NewTally(ctx)
	partial, err := e.withTimeLimit(ctx, func(ctx context.Context) error {
		for o, err := range e.Store.Observations().Lookup(ctx, e.Scope, store.Lookup{TraceIDs: []string{traceID}, Want: store.WantAll}) {
			if err != nil {
				return err
			}
			found = true
			for _, field := range searchedFields(o) {
				count, first := wanted.in(field.text)
				if count == 0 {
					continue
				}
				out.Total += count
				if len(out.Hits) == MaxHits {
					out.Partial = true
					continue
				}
				hit := Hit{strings.Clone(o.ID), field.name, count, excerpt(field.text, first, len(text))}
				if err := held.Add(int64(len(hit.ObservationID)+len(hit.Excerpt)) + 100); err != nil {
					return err
				}
				out.Hits = append(out.Hits, hit)
			}
		}
		return nil
	})
	out.Partial = out.Partial || partial
	return out, found || partial, err
}

type namedText struct{ name, text string }

// searchedFields returns the texts of a row that are searched.
func searchedFields(o *row) []namedText {
	fields := []namedText{
		{"id", o.ID},
		{"name", o.Name},
		{"type", o.Type},
		{"level", o.Level},
		{"model", o.Model},
		{"promptName", o.PromptName},
		{"userId", o.UserID},
		{"sessionId", o.SessionID},
		{"version", o.Version},
		{"release", o.Release},
		{"environment", o.Environment},
		{"tags", strings.Join(o.Tags, "\n")},
		{"usage", o.Usage},
		{"cost", o.Cost},
	}
	for _, t := range Texts {
		fields = append(fields, namedText{t.Name, t.Of(o)})
	}
	return fields
}

// needles are the ways in which a string may be encoded.
type needles []filter.Needle

// newNeedles returns the text as it is, and with the escapes that JSON may use for it.
func newNeedles(text string) needles {
	list := needles{filter.NewNeedle(text)}
	var escaped []byte
	for _, r := range text {
		if r < utf8.RuneSelf {
			escaped = append(escaped, byte(r)) //nolint:gosec // it is ASCII
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			escaped = fmt.Appendf(escaped, `\u%04x`, unit)
		}
	}
	if string(escaped) != text {
		list = append(list, filter.NewNeedle(string(escaped)))
	}
	return list
}

// in returns the number of occurrences of the needles in text, and the index of the first.
func (n needles) in(text string) (count, first int) {
	first = -1
	for _, needle := range n {
		for from := 0; ; {
			at := needle.Index(text[from:])
			if at < 0 {
				break
			}
			if count++; first < 0 || from+at < first {
				first = from + at
			}
			from += at + needle.Len()
		}
	}
	return count, first
}

// excerpt returns the surroundings of a match, on one line.
func excerpt(text string, at, length int) string {
	from, to := max(0, at-around), min(len(text), at+length+around)
	part := strings.ToValidUTF8(text[from:to], "")
	return strings.Join(strings.Fields(part), " ")
}
