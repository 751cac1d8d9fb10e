package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// known is what questions need to know about the rows.
type known struct {
	traces []string
	sent   *sample // traces of spans sent meanwhile
	// from and to delimit at most a week of rows, including the newest.
	from, to     time.Time
	models, tags []string
	// rare is a metadata member that hardly any row has, few one that some rows have, and many one that more rows have.
	rare, few, many member
	word            string // in few inputs
}

// trace returns a trace: with equal probability one just sent or one stored before.
func (k *known) trace(r *rand.Rand) string {
	if k.sent != nil && r.IntN(2) == 0 {
		return k.sent.pick(r)
	}
	return one(r, k.traces)
}

// member is a metadata key with its value.
type member struct{ key, value string }

func (m member) condition() map[string]any {
	return map[string]any{"type": "stringObject", "column": "metadata", "key": m.key, "operator": "=", "value": m.value}
}

// row holds the fields of a row that are needed to find out what can be queried.
type row struct {
	TraceID           string
	StartTime         time.Time
	ProvidedModelName string
	Model             string
	Tags              []string
	Metadata          map[string]any
	Input             any
}

// discover lists the newest rows of a server that was not filled here, and derives from them what to query.
func discover(ctx context.Context, t *target) (*known, error) {
	const pages, limit = 10, "100"
	const fields = "core,basic,io,metadata,model,trace_context"
	var rows []row
	cursor := []string{}
	for range pages {
		a, body := t.get(ctx, observations(append([]string{"limit", limit, "fields", fields}, cursor...)...), "")
		if !a.ok {
			return nil, fmt.Errorf("cannot list rows to know what to ask for: %s %s", a.status, a.problem)
		}
		var page struct {
			Data []row
			Meta struct{ Cursor string }
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("cannot read the list of rows: %w", err)
		}
		rows = append(rows, page.Data...)
		if page.Meta.Cursor == "" {
			break
		}
		cursor = []string{"cursor", page.Meta.Cursor}
	}
	if len(rows) == 0 {
		return nil, errNoRows
	}
	return knownFrom(rows), nil
}

var errNoRows = errors.New("the server has no rows to ask for: send some first, for instance with -mode ingest")

// knownFrom derives from rows what to query. Where no row has a value, one is used that no row has.
func knownFrom(rows []row) *known {
	const nothing = "none-of-the-rows-has-this"
	k := &known{}
	var traces, models, tags, words counted[string]
	var members counted[member]
	for _, r := range rows {
		k.to = later(k.to, r.StartTime)
		traces.add(r.TraceID)
		for _, model := range []string{r.ProvidedModelName, r.Model} {
			if model != "" {
				models.add(model)
			}
		}
		for _, tag := range r.Tags {
			tags.add(tag)
		}
		for _, key := range slices.Sorted(maps.Keys(r.Metadata)) {
			if text, ok := r.Metadata[key].(string); ok && len(text) < 100 {
				members.add(member{key, text})
			}
		}
		if text, ok := r.Input.(string); ok {
			for word := range strings.FieldsSeq(text) {
				if isWord(word) {
					words.add(word)
				}
			}
		}
	}
	k.to = k.to.Add(time.Second)
	k.from = k.to.Add(-7 * 24 * time.Hour)
	k.traces = traces.order
	k.models, k.tags = orElse(models.order, nothing), orElse(tags.order, nothing)
	k.rare, k.few, k.many = member{nothing, nothing}, member{nothing, nothing}, member{nothing, nothing}
	if len(members.order) > 0 {
		k.rare, k.few, k.many = members.nearest(1), members.nearest(len(rows)/100), members.nearest(len(rows)/4)
	}
	k.word = nothing
	if len(words.order) > 0 {
		k.word = words.nearest(1)
	}
	return k
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func orElse(list []string, value string) []string {
	if len(list) == 0 {
		return []string{value}
	}
	return list
}

// isWord distinguishes words from numbers, punctuation and pieces of JSON.
func isWord(text string) bool {
	for _, c := range text {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(text) >= 4 && len(text) <= 40
}

// counted counts values in the order of their first occurrence.
type counted[T comparable] struct {
	order []T
	count map[T]int
}

func (c *counted[T]) add(value T) {
	if c.count == nil {
		c.count = make(map[T]int)
	}
	if c.count[value]++; c.count[value] == 1 {
		c.order = append(c.order, value)
	}
}

// nearest returns the first value whose count is nearest to the wanted one.
func (c *counted[T]) nearest(wanted int) T {
	best := c.order[0]
	for _, value := range c.order {
		if distance(c.count[value], wanted) < distance(c.count[best], wanted) {
			best = value
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }
