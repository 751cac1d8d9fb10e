package ui_test

import (
	"fmt"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// TestUISearchRequests searches a month for words that are nowhere and for a phrase whose words are everywhere, but
// together only once. A search that is answered in parts takes few of them, whatever a read of the store costs.
func TestUISearchRequests(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.QueryTime = 0 }) // the default
	const hour = 3600 * 1_000_000
	start := domain.Micros(1_790_000_000 * 1_000_000)
	rows := make([]domain.Observation, 30*24)
	for n := range rows {
		rows[n] = domain.Observation{
			TraceID: fmt.Sprint("t", n), ID: "root", StartTime: start + domain.Micros(n)*hour,
			Input: "stand by: these words are together with others",
		}
	}
	rows[9].Input = "now they stand together"
	f.Keep(t, "project-a", rows, nil)
	b := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	for _, list := range []string{"observations", "traces"} {
		for words, want := range map[string]int{"nowhere": 0, "stand together": 1} {
			found, requests := 0, 0
			for cursor := "null"; cursor != ""; requests++ {
				ids, next := rowIDs(t,
					b.Ask(t, "POST", apitest.UIProject+"/query/"+list, fmt.Sprintf(`{"search":%q,"cursor":%s}`, words, cursor), 200))
				if ids != "" {
					found++
				}
				if cursor = ""; next != "" {
					cursor = fmt.Sprintf("%q", next)
				}
			}
			t.Logf("%s with %q: %d requests", list, words, requests)
			if found != want || requests > 12 {
				t.Errorf("%s with %q: found on %d pages, expected %d, in %d requests; 12 are allowed", list, words, found, want, requests)
			}
		}
	}
}
