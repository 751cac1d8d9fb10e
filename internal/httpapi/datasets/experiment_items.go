package datasets

import (
	"iter"
	"strings"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/experiments"
	"almanac/internal/store"
)

// itemColumns returns the columns by which items can be filtered, under the names of the parameters.
var itemColumns = sync.OnceValue(func() *filter.Catalogue[domain.Observation] {
	return filter.Observations().Choose(
		[2]string{"experimentId", "experimentId"}, [2]string{"experimentName", "experimentName"},
		[2]string{"experimentItemId", "experimentItemId"}, [2]string{"datasetId", "experimentDatasetId"})
})

// ListExperimentItems returns experiment items, newest first: the observations in which their tasks ran.
func (h *Handlers) ListExperimentItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	fields, refused := respond.ParseItemFields(fieldNames(q))
	endpoint.AddIssues(q, refused)
	window, err := readExperimentWindow(q, itemColumns(), "experimentId", "experimentName", "experimentItemId", "datasetId")
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Observation]{
		From: window.from, To: window.to, Where: append(experiments.Items(), window.where...), Limit: window.limit + 1,
	}
	if at := window.after; at != nil {
		query.After = &store.Position{Millis: at.StartTime.Millis(), TraceID: at.TraceID, ID: at.ID}
	}
	table := h.Store.Observations()
	var scores map[experiments.Item][]domain.Score
	known := func(experiments.Item) bool { return true }
	if fields.Has(respond.ItemScores) {
		items, err := findItems(table.Scan(c.Context(), scope, query), &query)
		if err != nil {
			return nil, err
		}
		if scores, err = window.scores().OfItems(c.Context(), h.Store.Scores(), scope, items.list); err != nil {
			return nil, err
		}
		known = items.has
	}
	query.Want = wantOfItems(fields)
	project := scope.ProjectID()
	var last respond.ExperimentPosition
	list := &endpoint.List[domain.Observation]{
		Rows: knownItems(table.Scan(c.Context(), scope, query), known), Limit: window.limit,
		Write: func(dst []byte, row *domain.Observation, flush respond.Flush) []byte {
			last = respond.ExperimentPosition{
				StartTime: row.StartTime, TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID),
				ExperimentID: strings.Clone(row.ExperimentID),
			}
			return respond.AppendExperimentItem(dst, row, project, fields, scores[itemOf(row)], flush)
		},
		Finish: func(dst []byte, more bool) []byte {
			if !more {
				return appendCursorMeta(dst, "")
			}
			return appendCursorMeta(dst, last.Encode())
		},
	}
	return list.Answer(c)
}

func itemOf(row *domain.Observation) experiments.Item {
	return experiments.Item{TraceID: row.TraceID, ID: row.ID}
}

// wantOfItems returns the parts of a row that field groups need.
func wantOfItems(f respond.ItemFields) (want store.Want) {
	if f.Has(respond.ItemIO) {
		want |= store.WantIO | store.WantDetails
	}
	if f.Has(respond.ItemMetadata) {
		want |= store.WantMetadata
	}
	if f.Has(respond.ItemOwnMetadata) || f.Has(respond.ItemExperimentMetadata) {
		want |= store.WantDetails
	}
	return want
}

// foundItems holds the items of a page and the first item of the next.
type foundItems struct {
	list []experiments.Item
	set  map[experiments.Item]struct{}
}

func (f *foundItems) has(item experiments.Item) bool {
	_, ok := f.set[item]
	return ok
}

// findItems finds the items whose scores must be looked up before anything is written. It changes the query so that it
// finds them again without searching further; items that arrive in the meantime are not on the page.
func findItems(rows iter.Seq2[*domain.Observation, error], query *store.Query[domain.Observation]) (*foundItems, error) {
	found := &foundItems{set: make(map[experiments.Item]struct{})}
	oldest := query.From
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		item := experiments.Item{TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID)}
		found.list = append(found.list, item)
		found.set[item] = struct{}{}
		oldest = max(query.From, domain.Micros(row.StartTime.Millis()*1000)) // the last row is the oldest
	}
	query.From, query.Limit = oldest, 0
	return found, nil
}

// knownItems skips rows that are not known.
func knownItems(
	rows iter.Seq2[*domain.Observation, error], known func(experiments.Item) bool,
) iter.Seq2[*domain.Observation, error] {
	return func(yield func(*domain.Observation, error) bool) {
		for row, err := range rows {
			if err == nil && !known(itemOf(row)) {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
