package explore

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Hit is a text of a trace in which something was found.
type Hit struct {
	ObservationID string `json:"observationId"`
	Field         string `json:"field"`
	Count         int    `json:"count"`
	Excerpt       string `json:"excerpt"`
}

// Hits are where something was found.
type Hits struct {
	Hits    []Hit `json:"hits"`
	Total   int   `json:"total"`   // how often, in texts that are not listed, too
	Partial bool  `json:"partial"` // not everything was looked at
}

const (
	// MaxHits is how many texts are listed.
	MaxHits = 5000
	// around is how many bytes of a text are shown on either side of what was found.
	around = 60
)

// Find looks for a text in everything that the rows of a trace hold, newest first. ASCII letters are compared without their case. It
// reports whether there is such a trace.
func (e *Explorer) Find(ctx context.Context, traceID, text string) (*Hits, bool, error) {
	out := &Hits{Hits: []Hit{}}
	wanted := newNeedles(text)
	found := false
	held := memory.NewTally(ctx)
	partial, err := e.boxed(ctx, func(ctx context.Context) error {
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

// searchedFields are the texts of a row that somebody may look for.
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

// needles are the ways in which a text may be written.
type needles []filter.Needle

// newNeedles returns a text as it is, and also as JSON may have it with escapes.
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

// in counts how often a text holds one of them. It also returns where the first is.
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

// excerpt returns what is around a place in a text, in one line.
func excerpt(text string, at, length int) string {
	from, to := max(0, at-around), min(len(text), at+length+around)
	part := strings.ToValidUTF8(text[from:to], "")
	return strings.Join(strings.Fields(part), " ")
}
