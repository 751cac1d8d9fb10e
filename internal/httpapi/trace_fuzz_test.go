package httpapi

import (
	"errors"
	"net/url"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// FuzzTracesQuery reads parameters of all kinds: whatever they are, they are understood or refused, and conditions that
// were understood can be asked.
func FuzzTracesQuery(f *testing.F) {
	f.Add("", "", "")
	f.Add("timestamp.asc", "io,core", `[{"type":"string","column":"name","operator":"=","value":"x"}]`)
	f.Add("x.y.z", "nope", `[{"type":"numberObject","column":"scores_avg","key":"q","operator":">","value":0.5},{"type":"null","column":"tags","operator":"is null"}]`)
	f.Add("name", ",", `[{"type":"categoryOptions","column":"scores","key":"q","operator":"none of","value":["a"]},1]`)
	f.Add("id.desc", "", `[{"type":"booleanObject","column":"score_booleans","key":"","operator":"<>","value":false,"column":"name"}]`)
	f.Add("", "", `[{"type":"datetime","column":"timestamp","operator":"<=","value":-8640000000000000}]`)
	trace := &domain.TraceSummary{ID: "t", Name: "n", Timestamp: october, Tags: []string{"a"}, Metadata: `{"k":"v"}`}
	scores := []domain.Score{{Name: "q", DataType: "NUMERIC", Value: domain.FloatOf(1)}}
	f.Fuzz(func(t *testing.T, order, fields, filter string) {
		values := url.Values{"orderBy": {order}, "fields": {fields}, "filter": {filter}}
		q, err := readTracesQuery(decode.NewQuery(values))
		if err != nil {
			var refused *respond.Error
			var invalid *decode.Invalid
			if !errors.As(err, &refused) && !errors.As(err, &invalid) {
				t.Fatalf("%v is not the client's fault", err)
			}
			return
		}
		q.matches(trace)
		q.order.textOf(trace)
		for n := range q.scores {
			q.scores[n].match(scores)
		}
		if len(q.rowQueries()) == 0 {
			t.Error("nothing is looked at")
		}
	})
}
