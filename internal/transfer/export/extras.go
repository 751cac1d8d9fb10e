package export

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/jsontext"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

type condition = filter.Condition[domain.Observation]

// extraColumns provides the columns after those of a table: the comments on a row, and its scores, with one column per score
// name. The scores of a trace are also shown for each of its observations.
type extraColumns struct {
	*Reader
	columns    []Column // of the file, starting with those of the table
	objectType string   // the type of objects that comments are on
	comments   bool     // there are comments
	scores     bool
	names      map[string]int // offset of each score column from the comments column
}

// maxScoreNames is the maximum number of score names with their own column. If there are more, all scores are in one
// column.
const maxScoreNames = 500

// allScores is the name of the column with all scores.
const allScores = "scores"

// extraColumns determines the columns.
func (r *Reader) extraColumns(ctx context.Context, q *Request, objectType string, columns []Column) (*extraColumns, error) {
	b := &extraColumns{Reader: r, objectType: objectType, columns: append(slices.Clone(columns), Column{"comments", JSON})}
	var err error
	if q.WithComments {
		if b.comments, err = r.Catalog.HasComments(ctx, r.Scope, objectType); err != nil {
			return nil, err
		}
	}
	if !q.WithScores {
		return b, nil
	}
	return b, b.addScoreColumns(ctx)
}

// addScoreColumns adds a column for each score name. Those of sessions are the names of their own scores.
func (b *extraColumns) addScoreColumns(ctx context.Context) error {
	query := store.AggregateQuery[domain.Score]{
		GroupBy:  []*filter.Column[domain.Score]{filter.ScoreColumn("name")},
		Measures: []store.Measure[domain.Score]{{Function: store.Count}}, MaxGroups: maxScoreNames,
	}
	if b.objectType == ofSessions {
		query.Where = []filter.Condition[domain.Score]{filter.Must(filter.NewNull(filter.ScoreColumn("sessionId"), false))}
	}
	groups, err := b.Store.Scores().Aggregate(ctx, b.Scope, query)
	if errors.Is(err, store.ErrTooLarge) {
		b.scores = true
		b.columns = append(b.columns, Column{allScores, JSON})
		return nil
	}
	if err != nil || len(groups.Rows) == 0 {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	b.scores, b.names = true, make(map[string]int, len(groups.Rows))
	var names []string
	for n := range groups.Rows {
		names = append(names, groups.Rows[n].Keys[0])
	}
	slices.Sort(names)
	for n, name := range names {
		b.names[name] = n + 1
		for slices.ContainsFunc(b.columns, func(c Column) bool { return c.Name == name }) {
			name += " (score)" // a column has that name already
		}
		b.columns = append(b.columns, Column{name, JSON})
	}
	return nil
}

// empty reports whether there is nothing to look up.
func (b *extraColumns) empty() bool { return !b.comments && !b.scores }

// ofSessions is the type of sessions in comments.
const ofSessions = "SESSION"

// subject is the subject of comments and scores: a session, an observation, or a trace if id is empty.
type subject struct{ traceID, id, sessionID string }

func (s *subject) objectID() string { return cmp.Or(s.sessionID, s.id, s.traceID) }

// emitAll emits rows with their additional values. Fill sets the other ones, in a row that is reused for the next one.
func emitAll[R any](
	ctx context.Context, b *extraColumns, rows []R, of func(R) subject, fill func(R, []Value), emit func([]Value) error,
) error {
	var found [][]Value
	if !b.empty() {
		subjects := make([]subject, len(rows))
		for n := range rows {
			subjects[n] = of(rows[n])
		}
		var err error
		if found, err = b.lookUp(ctx, subjects); err != nil {
			return err
		}
	}
	row := make([]Value, len(b.columns))
	for n := range rows {
		fill(rows[n], row)
		if found != nil {
			copy(row[len(row)-len(found[n]):], found[n])
		}
		if err := emit(row); err != nil {
			return err
		}
	}
	return nil
}

// lookUp returns the additional values of some rows.
func (b *extraColumns) lookUp(ctx context.Context, subjects []subject) ([][]Value, error) {
	found := make([][]Value, len(subjects))
	width := len(b.names) + 1
	if b.scores && b.names == nil {
		width++
	}
	for n := range found {
		found[n] = make([]Value, width)
	}
	if b.comments {
		if err := b.addComments(ctx, subjects, found); err != nil {
			return nil, err
		}
	}
	if b.scores {
		if err := b.addScores(ctx, subjects, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (b *extraColumns) addComments(ctx context.Context, subjects []subject, found [][]Value) error {
	ids := make([]string, len(subjects))
	for n := range subjects {
		ids[n] = subjects[n].objectID()
	}
	comments, err := b.Catalog.CommentsOn(ctx, b.Scope, b.objectType, ids)
	if err != nil {
		return err
	}
	for n, id := range ids {
		if on := comments[id]; len(on) > 0 {
			found[n][0].made(commentsText(on))
		}
	}
	return nil
}

// scoreValue is a score as shown in a cell.
type scoreValue struct{ name, json string }

func (b *extraColumns) addScores(ctx context.Context, subjects []subject, found [][]Value) error {
	if b.objectType == ofSessions {
		return b.addSessionScores(ctx, subjects, found)
	}
	var traceIDs []string
	for n := range subjects {
		traceIDs = append(traceIDs, subjects[n].traceID)
	}
	slices.Sort(traceIDs)
	values := make(map[subject][]scoreValue)
	for s, err := range b.Store.Scores().Lookup(ctx, b.Scope, store.Lookup{TraceIDs: slices.Compact(traceIDs)}) {
		if err != nil {
			return err
		}
		if !traces.ShowsScore(s) {
			continue
		}
		of := s.Clone()
		at := subject{traceID: of.TraceID, id: of.ObservationID}
		values[at] = append(values[at], scoreValue{of.Name, scoreText(&of)})
		if of.ObservationID != "" && subjects[0].id == "" { // rows are traces, which also show the scores of their observations
			whole := subject{traceID: of.TraceID}
			values[whole] = append(values[whole], scoreValue{of.Name, scoreText(&of)})
		}
	}
	for n, s := range subjects {
		shown := values[s]
		if s.id != "" {
			shown = append(slices.Clone(values[subject{traceID: s.traceID}]), shown...)
		}
		b.fillScores(shown, found[n])
	}
	return nil
}

// addSessionScores adds the scores of sessions themselves.
func (b *extraColumns) addSessionScores(ctx context.Context, subjects []subject, found [][]Value) error {
	ids := make([]string, len(subjects))
	for n := range subjects {
		ids[n] = subjects[n].sessionID
	}
	values := make(map[string][]scoreValue)
	for s, err := range b.Store.Scores().Lookup(ctx, b.Scope, store.Lookup{SessionIDs: ids}) {
		if err != nil {
			return err
		}
		of := s.Clone()
		values[of.SessionID] = append(values[of.SessionID], scoreValue{of.Name, scoreText(&of)})
	}
	for n := range subjects {
		b.fillScores(values[subjects[n].sessionID], found[n])
	}
	return nil
}

// fillScores sets the score columns of a row, each to a list of values.
func (b *extraColumns) fillScores(values []scoreValue, row []Value) {
	if len(values) == 0 {
		return
	}
	lists := make(map[string][]byte)
	var names []string
	for _, v := range values {
		if _, known := lists[v.name]; !known {
			names = append(names, v.name)
		}
		lists[v.name] = append(append(lists[v.name], ','), v.json...)
	}
	var all []byte
	for _, name := range names {
		list := lists[name]
		list[0] = '['
		list = append(list, ']')
		if b.names == nil {
			all = append(append(jsontext.AppendString(append(all, ','), name), ':'), list...)
		} else if at, known := b.names[name]; known { // a name that arrived since has no column
			row[at].made(string(list))
		}
	}
	if b.names == nil {
		all[0] = '{'
		row[1].made(string(append(all, '}')))
	}
}

// scoreText returns the value of a score as JSON.
func scoreText(s *domain.Score) string {
	if s.DataType == domain.ScoreNumeric && s.Value.Set {
		return string(jsontext.AppendNumber(nil, s.Value.Value))
	}
	if s.DataType == domain.ScoreBoolean && s.StringValue == "" {
		if s.Value.Value == 1 {
			return `"True"`
		}
		return `"False"`
	}
	return string(jsontext.AppendString(nil, s.StringValue))
}

// commentsText returns comments as a JSON array.
func commentsText(comments []domain.ExportedComment) string {
	b := []byte{'['}
	for n, c := range comments {
		if n > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendString(append(b, `{"id":`...), c.ID)
		b = jsontext.AppendString(append(b, `,"content":`...), c.Content)
		b = append(b, `,"author_email":`...)
		if c.AuthorEmail == "" {
			b = append(b, "null"...)
		} else {
			b = jsontext.AppendString(b, c.AuthorEmail)
		}
		b = append(b, `,"created_at":"`...)
		b = append(c.CreatedAt.UTC().AppendFormat(b, Batch.Times), `"}`...)
	}
	return string(append(b, ']'))
}
