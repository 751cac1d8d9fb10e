package scores

import (
	"iter"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// The limits of a page of scores.
const (
	defaultScores = 50
	maxScores     = 100
)

// ReadScores reads a request for scores.
func ReadScores(c *endpoint.Call) (*Query, error) { return readScoresQuery(c.Query()) }

// ListScores returns scores, newest first.
func (h *Handlers) ListScores(c *endpoint.Call, scope domain.ProjectScope, q *Query) (any, error) {
	if q.fields.Has(respond.ScoreDetails) {
		q.query.Want = store.WantMetadata | store.WantDetails
	}
	project := scope.ProjectID()
	var last domain.Micros // timestamp of the last score written, whose id is copied below
	var id []byte
	list := &endpoint.List[domain.Score]{
		Rows: withValue(h.Store.Scores().Scan(c.Context(), scope, q.query)), Limit: q.limit,
		Write: func(dst []byte, s *domain.Score, flush respond.Flush) []byte {
			last, id = s.Timestamp, append(id[:0], s.ID...)
			return respond.AppendScore(dst, s, project, q.fields, flush)
		},
		Finish: func(dst []byte, more bool) []byte {
			return respond.AppendCursorMeta(dst, q.limit, more, last, string(id))
		},
	}
	return list.Answer(c)
}

// withValue skips scores without a valid value. No such score should ever be stored.
func withValue(scores iter.Seq2[*domain.Score, error]) iter.Seq2[*domain.Score, error] {
	return func(yield func(*domain.Score, error) bool) {
		for s, err := range scores {
			if err == nil && !respond.CanAppendScore(s) {
				continue
			}
			if !yield(s, err) {
				return
			}
		}
	}
}
