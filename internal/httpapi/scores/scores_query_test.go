package scores

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// FuzzScoresQuery reads arbitrary parameters: they are accepted, or rejected with an error that can be encoded as JSON.
func FuzzScoresQuery(f *testing.F) {
	f.Add("limit=10&fields=details&id=a,b&dataType=NUMERIC&value=1,2&valueMin=0&fromTimestamp=2026-01-01")
	f.Add("cursor=eyJ2IjoxfQ&source=eval&value=true&dataType=boolean&zzz=1")
	f.Add("operator=!%3D&value=1&traceTags=a&traceTags=b&userId=u&fields=score,trace&filter=%5B%5D")
	score := &domain.Score{ID: "s", TraceID: "t", Name: "q", DataType: "NUMERIC", Value: domain.FloatOf(1)}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		refused := func(cause error) {
			var answer *respond.Error
			if invalid, ok := errors.AsType[*decode.Invalid](cause); ok {
				answer = respond.InvalidData(invalid.Issues)
			} else if !errors.As(cause, &answer) || answer.Status != http.StatusBadRequest {
				t.Fatalf("%v is not the client's fault", cause)
			}
			if body, err := json.Marshal(answer.Body(respond.Stable)); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
		}
		if q, err := readScoresQuery(decode.NewQuery(values)); err != nil {
			refused(err)
		} else {
			if q.limit < 1 || q.limit > maxScores {
				t.Errorf("a limit of %d", q.limit)
			}
			for n := range q.query.Where {
				q.query.Where[n].Match(score)
			}
		}
		for _, read := range []func(*decode.Query) (*scorePageQuery, error){readScoresV1Query, readScoresV2Query} {
			q, err := read(decode.NewQuery(values))
			if err != nil {
				refused(err)
				continue
			}
			for n := range q.query.Where {
				q.query.Where[n].Match(score)
			}
			for n := range q.traces {
				q.traces[n].Match(new(domain.TraceSummary))
			}
		}
	})
}
