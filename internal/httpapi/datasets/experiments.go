package datasets

import (
	"math"
	"sync"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/experiments"
)

// The limits of pages of experiments and of their items.
const (
	defaultExperiments = 50
	MaxExperiments     = 100
	maxScoresOfEach    = 50
)

// experimentColumns returns the columns by which experiments can be filtered, under the names of the parameters.
var experimentColumns = sync.OnceValue(func() *filter.Catalogue[domain.Observation] {
	return filter.Observations().Choose(
		[2]string{"id", "experimentId"}, [2]string{"name", "experimentName"}, [2]string{"datasetId", "experimentDatasetId"})
})

// ListExperiments returns experiments, the most recently active first.
func (h *Handlers) ListExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	fields, refused := respond.ParseExperimentFields(fieldNames(q))
	endpoint.AddIssues(q, refused)
	window, err := readExperimentWindow(q, experimentColumns(), "id", "name", "datasetId")
	if err != nil {
		return nil, err
	}
	page, err := experiments.List(c.Context(), h.Store.Observations(), scope, experiments.Query{
		From: window.from, To: window.to, Where: window.where, After: (*experiments.Cursor)(window.after), Limit: window.limit,
		Metadata: fields.Has(respond.ExperimentMetadata),
	})
	if err != nil {
		return nil, err
	}
	var scores map[string][]domain.Score
	if fields.Has(respond.ExperimentScores) {
		if scores, err = window.scores().OfExperiments(c.Context(), h.Store.Scores(), scope, page.IDs); err != nil {
			return nil, err
		}
	}
	project := scope.ProjectID()
	list := &endpoint.List[domain.ExperimentSummary]{
		Rows: page.Experiments(c.Context()), Limit: math.MaxInt,
		Write: func(dst []byte, e *domain.ExperimentSummary, flush respond.Flush) []byte {
			return respond.AppendExperiment(dst, e, project, fields, scores[e.ID], flush)
		},
		Finish: func(dst []byte, _ bool) []byte {
			if page.Next == nil {
				return appendCursorMeta(dst, "")
			}
			return appendCursorMeta(dst, respond.ExperimentPosition(*page.Next).Encode())
		},
	}
	return list.Answer(c)
}

// fieldNames returns the names in the parameter fields: separated by commas, or one per value if it is repeated.
func fieldNames(q *decode.Query) []string {
	if names := q.Values("fields"); len(names) > 1 {
		return names
	}
	return q.CommaList("fields")
}

// appendCursorMeta appends the meta member of a list, with a cursor if there is more.
func appendCursorMeta(dst []byte, cursor string) []byte {
	if cursor == "" {
		return append(dst, `,"meta":{}`...)
	}
	dst = append(dst, `,"meta":{"cursor":"`...)
	dst = append(dst, cursor...)
	return append(dst, `"}`...)
}

// experimentWindow holds the parameters common to the lists of experiments and of their items.
type experimentWindow struct {
	from, to   domain.Micros
	where      []filter.Condition[domain.Observation]
	limit      int
	scoreLimit int
	after      *respond.ExperimentPosition
}

// readExperimentWindow reads the parameters except fields. Each of the named parameters takes a list of values for its
// column, and is overridden by a filter on that column.
func readExperimentWindow(
	q *decode.Query, columns *filter.Catalogue[domain.Observation], parameters ...string,
) (*experimentWindow, error) {
	w := &experimentWindow{
		limit:      q.Int("limit", decode.IntRule{Default: defaultExperiments, Min: 1, Max: MaxExperiments}),
		scoreLimit: q.Int("scoreLimit", decode.IntRule{Default: maxScoresOfEach, Min: 1, Max: maxScoresOfEach}),
	}
	cursor := q.String("cursor")
	w.from, w.to = domain.MicrosOf(q.Time("fromStartTime")), domain.MicrosOf(q.Time("toStartTime"))
	lists := make([][]string, len(parameters))
	for n, name := range parameters {
		lists[n] = q.CommaList(name)
	}
	text := endpoint.ValueOr(q.String("filter"), "")
	if err := q.Err(); err != nil {
		return nil, err
	}
	if cursor != nil {
		position, refused := respond.DecodeExperimentCursor(*cursor)
		if refused != nil {
			return nil, refused
		}
		w.after = &position
	}
	var err error
	if w.where, err = endpoint.ParseFilter(columns, text); err != nil {
		return nil, err
	}
	filtered := w.where
	for n, name := range parameters {
		column := columns.MustColumn(name)
		if len(lists[n]) == 0 || filter.Addresses(filtered, column) {
			continue
		}
		condition, err := filter.NewTexts(column, filter.AnyOf, lists[n])
		if err != nil {
			return nil, err
		}
		w.where = append(w.where, condition)
	}
	return w, nil
}

// scores returns the query for the scores to show.
func (w *experimentWindow) scores() experiments.ScoreQuery {
	return experiments.ScoreQuery{Limit: w.scoreLimit, Show: respond.CanAppendScore}
}
