package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Row is an observation in a list, with long texts cut to previews.
type Row struct {
	domain.Observation
	InputPreview, OutputPreview string
	// Entries are previews of the requested metadata entries, by key.
	Entries map[string]string
	// Scores are the scores of the observation and its trace, by name; for a trace, including those of all its
	// observations.
	Scores map[string][]ScoreValue
	// Found is where the observation has the text that was searched for; for a trace, one of its observations.
	Found *Found
}

// ScoreValue is the value of a score: a number or a string.
type ScoreValue struct {
	Number domain.OptFloat
	Text   string
}

// Shown selects what rows show in addition to their short fields.
type Shown struct {
	MetadataKeys []string
	Scores       bool
	// Search is the text that was searched for: rows say where they have it.
	Search string

	needle filter.Needle // for Search
}

func (s *Shown) want() store.Want {
	want := store.WantIO | store.WantStatus
	if len(s.MetadataKeys) > 0 {
		want |= store.WantMetadata
	}
	return want
}

// rowBytes is the approximate memory of a row in a list.
const rowBytes = 2 << 10

// prepared returns what is shown with what making rows takes.
func (s Shown) prepared() *Shown {
	if s.Search != "" {
		s.needle = filter.NewNeedle(s.Search)
	}
	return &s
}

// newRow returns a Row that shares no memory with o.
func (s *Shown) newRow(o *row) *Row {
	short := *o
	short.Input, short.Output, short.Metadata = "", "", ""
	short.StatusMessage = shorten(cutBytes(o.StatusMessage, 8*PreviewLength))
	r := &Row{Observation: short.Clone()}
	r.InputPreview, r.OutputPreview = strings.Clone(Preview(o.Input, "user")), strings.Clone(Preview(o.Output, "assistant"))
	if len(s.MetadataKeys) > 0 {
		r.Entries = make(map[string]string)
		filter.EachLeaf(o.Metadata, func(key, text string) bool {
			if _, known := r.Entries[key]; !known && slices.Contains(s.MetadataKeys, key) {
				r.Entries[strings.Clone(key)] = strings.Clone(shorten(cutBytes(text, 8*PreviewLength)))
			}
			return true
		})
	}
	if s.Search != "" {
		r.Found = s.find(o)
	}
	return r
}

// Order is an order of rows. The zero value is newest first.
type Order struct {
	Column    string // one of Orders; empty for startTime
	Ascending bool
}

// Orders are the columns that observations and traces can be ordered by.
var Orders = []string{"startTime", "latency", "totalCost", "totalTokens"}

// newestFirst reports whether this is the order in which rows are stored.
func (o Order) newestFirst() bool { return o.byTime() && !o.Ascending }

func (o Order) byTime() bool { return o.Column == "" || o.Column == "startTime" }

// Cursor is the position of a row in an order; a list continues after it.
type Cursor struct {
	Value    float64 // value of the column that rows are ordered by
	Null     bool    // the value is unset: such rows come last in either direction
	Position store.Position
	Searched
}

// SearchedBack returns the time back to which rows were searched, if the page ended because that took long, or 0
// otherwise.
func (p *Cursor) SearchedBack() domain.Micros { return p.back(p.Position.Millis) }

func (s *Searched) back(millis int64) domain.Micros {
	if !s.Unfinished {
		return 0
	}
	return domain.Micros(millis * 1000)
}

// compare orders places. Ties are ordered newest first.
func (o Order) compare(a, b *Cursor) int {
	if o.byTime() {
		if o.Ascending {
			return -comparePositions(a.Position, b.Position)
		}
		return comparePositions(a.Position, b.Position)
	}
	if a.Null != b.Null {
		if a.Null {
			return 1
		}
		return -1
	}
	c := cmp.Compare(b.Value, a.Value)
	if o.Ascending {
		c = -c
	}
	return cmp.Or(c, comparePositions(a.Position, b.Position))
}

func comparePositions(a, b store.Position) int {
	return cmp.Or(cmp.Compare(b.Millis, a.Millis), strings.Compare(b.TraceID, a.TraceID), strings.Compare(b.ID, a.ID))
}

// placeOf returns the place of a row. It shares its strings with the row.
func (o Order) placeOf(r *row) *Cursor {
	p := &Cursor{Position: store.Position{Millis: r.StartTime.Millis(), TraceID: r.TraceID, ID: r.ID}}
	if !o.byTime() {
		p.Value, p.Null = columnOf(o.Column).Compared(r)
	}
	return p
}

// Observations returns a page of the selected observations, and the place of the last one if there are more. In
// newest-first order a page may be short or empty although there are more: where long texts must be read to find rows,
// the search ends after a while, and the place says so.
func (e *Explorer) Observations(
	ctx context.Context, s *Selection, order Order, after *Cursor, limit int, shown Shown,
) ([]*Row, *Cursor, error) {
	if err := memory.Of(ctx).Grow(ctx, int64(limit)*rowBytes); err != nil {
		return nil, nil, err
	}
	s, err := e.Resolve(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var rows []*Row
	var next *Cursor
	show := shown.prepared()
	if order.newestFirst() {
		rows, next, err = e.newest(ctx, s, after, limit, show)
	} else {
		var positions []store.Position
		if positions, err = e.first(ctx, s, order, after, limit+1); err == nil {
			rows, err = e.at(ctx, positions, show)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		last := order.placeOf(&rows[limit-1].Observation)
		if next != nil {
			last.Window, last.Cost = next.Window, next.Cost
		}
		next = last
	}
	if shown.Scores {
		err = e.addScores(ctx, rows, false)
	}
	return rows, next, err
}

// newest returns rows in stored order, one more than fits on a page if there are more. The place is where to continue
// if the search took long.
func (e *Explorer) newest(ctx context.Context, s *Selection, after *Cursor, limit int, shown *Shown) ([]*Row, *Cursor, error) {
	query := store.Query[row]{From: s.From, To: s.To, Where: s.conditions(), Limit: limit + 1, Want: shown.want()}
	if after != nil {
		query.After = &after.Position
	}
	if !s.readsTexts() {
		rows, err := e.rows(ctx, query, shown)
		return rows, nil, err
	}
	place := new(Cursor)
	end := s.To
	if after != nil {
		place.Window, place.Cost = after.Window, after.Cost
		end = domain.Micros(after.Position.Millis) * 1000
		if !after.Unfinished { // there may be more rows in this millisecond
			end += 1000
		}
	}
	if place.Cost.Took <= 0 {
		var err error
		if end, err = e.startSearch(ctx, s, end, &place.Searched); err != nil || end == 0 {
			return nil, nil, err
		}
	}
	var found []*Row
	reached, err := e.searchBack(ctx, s, end, &place.Searched, func(ctx context.Context, part *Selection) (enough bool, err error) {
		query.From, query.To, query.Limit = part.From, part.To, limit+1-len(found)
		rows, err := e.rows(ctx, query, shown)
		if err == nil {
			found = append(found, rows...)
		}
		return len(found) > limit, err
	})
	if reached == 0 && len(found) <= limit || err != nil {
		return found, nil, err
	}
	place.Unfinished = reached != 0
	place.Position = store.Position{Millis: reached.Millis()} // after all rows of this millisecond
	return found, place, nil
}

func (e *Explorer) rows(ctx context.Context, query store.Query[row], shown *Shown) ([]*Row, error) {
	var rows []*Row
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, query) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, shown.newRow(o))
	}
	return rows, nil
}

// at returns the rows at some positions, in that order. Rows deleted since are left out.
func (e *Explorer) at(ctx context.Context, positions []store.Position, shown *Shown) ([]*Row, error) {
	if len(positions) == 0 {
		return nil, nil
	}
	traceIDs, ids := make([]string, len(positions)), make([]string, len(positions))
	for n, p := range positions {
		traceIDs[n], ids[n] = p.TraceID, p.ID
	}
	ofTraces, err := named(columnOf("traceId"), traceIDs)
	if err != nil {
		return nil, err
	}
	ofRows, err := named(columnOf("id"), ids)
	if err != nil {
		return nil, err
	}
	type key struct{ trace, id string }
	found := make(map[key]*Row, len(positions))
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{
		Where: []condition{ofTraces, ofRows}, Want: shown.want(),
	}) {
		if err != nil {
			return nil, err
		}
		// A row may have an id that is looked for in another trace; such a row is found, but not returned.
		r := shown.newRow(o)
		found[key{r.TraceID, r.ID}] = r
	}
	rows := make([]*Row, 0, len(positions))
	for _, p := range positions {
		if r := found[key{p.TraceID, p.ID}]; r != nil {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// maxScoresShown is the maximum number of values per score name in a row.
const maxScoresShown = 10

// addScores adds the scores of the observations and their traces to rows or, if the rows stand for traces, the scores
// of the traces and all of their observations.
func (e *Explorer) addScores(ctx context.Context, rows []*Row, ofTraces bool) error {
	if len(rows) == 0 {
		return nil
	}
	type key struct{ trace, id string }
	at := make(map[key][]*Row, len(rows))
	var ids []string
	for _, r := range rows {
		at[key{r.TraceID, ""}] = append(at[key{r.TraceID, ""}], r)
		if !ofTraces {
			at[key{r.TraceID, r.ID}] = append(at[key{r.TraceID, r.ID}], r)
		}
		ids = append(ids, r.TraceID)
	}
	slices.Sort(ids)
	for s, err := range e.Store.Scores().Lookup(ctx, e.Scope, store.Lookup{TraceIDs: slices.Compact(ids)}) {
		if err != nil {
			return err
		}
		about := key{s.TraceID, s.ObservationID}
		if ofTraces {
			about.id = ""
		}
		if len(at[about]) == 0 || !traces.ShowsScore(s) {
			continue
		}
		value := ScoreValue{Number: s.Value}
		if s.DataType != "NUMERIC" {
			value.Text = strings.Clone(shorten(cutBytes(s.StringValue, 8*PreviewLength)))
		}
		name := strings.Clone(s.Name)
		for _, r := range at[about] {
			r.addScore(name, value)
		}
	}
	return nil
}

func (r *Row) addScore(name string, value ScoreValue) {
	if len(r.Scores[name]) == maxScoresShown {
		return
	}
	if r.Scores == nil {
		r.Scores = make(map[string][]ScoreValue)
	}
	r.Scores[name] = append(r.Scores[name], value)
}
