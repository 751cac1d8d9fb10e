package traces

import (
	"errors"
	"net/url"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/traces"
	"almanac/internal/store/storetest"
)

// FuzzTracesQuery reads arbitrary parameters: they are accepted or rejected with a client error, and an accepted query
// can be run.
func FuzzTracesQuery(f *testing.F) {
	f.Add("", "", "")
	f.Add("timestamp.asc", "io,core", `[{"type":"string","column":"name","operator":"=","value":"x"}]`)
	f.Add("x.y.z", "nope",
		`[{"type":"numberObject","column":"scores_avg","key":"q","operator":">","value":0.5},{"type":"null","column":"tags","operator":"is null"}]`)
	f.Add("name", ",", `[{"type":"categoryOptions","column":"scores","key":"q","operator":"none of","value":["a"]},1]`)
	f.Add("id.desc", "", `[{"type":"booleanObject","column":"score_booleans","key":"","operator":"<>","value":false,"column":"name"}]`)
	f.Add("", "", `[{"type":"datetime","column":"timestamp","operator":"<=","value":-8640000000000000}]`)
	model, scope := storetest.NewModel(), domain.OfProject("p")
	row := domain.Observation{
		TraceID: "t", ID: "o", Name: "n", StartTime: 1_791_280_800_000_000, Tags: []string{"a"}, Metadata: `{"k":"v"}`,
	}
	score := domain.Score{ID: "s", TraceID: "t", Name: "q", DataType: "NUMERIC", Value: domain.FloatOf(1), Timestamp: 1_791_280_800_000_000}
	if err := errors.Join(
		model.Observations().Append(f.Context(), scope, []domain.Observation{row}),
		model.Scores().Append(f.Context(), scope, []domain.Score{score}),
	); err != nil {
		f.Fatal(err)
	}
	finder := &traces.Finder{Store: model, Scope: scope}
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
		if ids, total, err := finder.Find(t.Context(), &q.Query, 0, 10); err != nil || len(ids) != total || total > 1 {
			t.Errorf("of one trace, %d and %v are found: %v", total, ids, err)
		}
	})
}
