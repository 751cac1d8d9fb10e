package traces_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/inherit"
)

// idsIn returns the ids of the observations of a page.
func idsIn(t *testing.T, body []byte) (ids []string) {
	t.Helper()
	var page apitest.ObservationsBody
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	for _, o := range page.Data {
		ids = append(ids, o.ID)
	}
	return ids
}

// TestAttributesOfTheRoot checks that user, session, version and tags that were set on a root only, which arrives after its
// children, apply to the whole trace in filters, metrics, totals and lists, while observations are shown as they were sent.
func TestAttributesOfTheRoot(t *testing.T) {
	f := apitest.New(t, nil)
	at := func(seconds int64) domain.Micros { return apitest.October + domain.Micros(seconds*1_000_000) }
	root := domain.Observation{
		TraceID: "t1", ID: "root", Type: "SPAN", Name: "agent", Level: "DEFAULT", Environment: "default", StartTime: at(0), EndTime: at(9),
		UserID: "ann", SessionID: "chat", Version: "v7", Tags: []string{"vip"},
	}
	child := domain.Observation{
		TraceID: "t1", ID: "child", ParentID: "root", Type: "GENERATION", Name: "llm", Level: "ERROR", Environment: "default",
		StartTime: at(1), EndTime: at(2), TotalCost: domain.FloatOf(0.0219),
	}
	own := domain.Observation{
		TraceID: "t1", ID: "own", ParentID: "root", Type: "SPAN", Name: "tool", Level: "DEFAULT", Environment: "default",
		StartTime: at(3), UserID: "", SessionID: "", Version: "v8", Tags: []string{"beta"},
	}
	job := inherit.New(f.Catalog, f.Store, slog.New(slog.DiscardHandler))
	for _, sent := range [][]domain.Observation{{child}, {own}, {root}} {
		f.Keep(t, "project-a", sent, nil)
		if err := job.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}

	filterOf := func(condition string) string { return "?filter=" + url.QueryEscape("["+condition+"]") }
	for query, want := range map[string]string{
		"?userId=ann": "own child root", "?sessionId=chat": "own child root", "?version=v7": "root", "?version=v8": "own child",
		"?userId=bob": "", "?userId=": "",
		filterOf(`{"type":"string","column":"userId","operator":"starts with","value":"an"}`):                 "own child root",
		filterOf(`{"type":"null","column":"userId","operator":"is null","value":""}`):                         "",
		filterOf(`{"type":"string","column":"sessionId","operator":"=","value":"chat"}`):                      "own child root",
		filterOf(`{"type":"arrayOptions","column":"tags","operator":"all of","value":["vip"]}`):               "child root",
		filterOf(`{"type":"arrayOptions","column":"tags","operator":"any of","value":["beta"]}`):              "own child",
		filterOf(`{"type":"string","column":"version","operator":"=","value":"v8"}`):                          "own child",
		filterOf(`{"type":"arrayOptions","column":"tags","operator":"none of","value":["vip", "elsewhere"]}`): "own",
	} {
		if got := strings.Join(idsIn(t, f.Get(t, "/api/public/v2/observations"+query)), " "); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	shown := string(f.Get(t, "/api/public/v2/observations?fields=core,basic,trace_context&sessionId=chat"))
	if strings.Count(shown, `"userId":"ann"`) != 1 || strings.Count(shown, `"userId":""`) != 2 || strings.Count(shown, `"tags":[]`) != 1 ||
		strings.Count(shown, `"version":""`) != 1 {
		t.Errorf("observations are not shown as they were sent: %s", shown)
	}

	metric := `{"view":"observations","metrics":[{"measure":"count","aggregation":"count"},{"measure":"totalCost","aggregation":"sum"}],` +
		`"dimensions":[{"field":"%s"}],"filters":[%s],"fromTimestamp":"2000-01-01T00:00:00Z","toTimestamp":"2100-01-01T00:00:00Z"}`
	for query, want := range map[string]string{
		fmt.Sprintf(metric, "version", `{"type":"string","column":"userId","operator":"=","value":"ann"}`):  `"version":"v8","count_count":2`,
		fmt.Sprintf(metric, "name", `{"type":"string","column":"sessionId","operator":"=","value":"chat"}`): `"sum_totalCost":0.0219`,
	} {
		if got := string(f.Get(t, "/api/public/v2/metrics"+apitest.MetricsOf(query))); !strings.Contains(got, want) {
			t.Errorf("metrics by %s are %s, without %s", query, got, want)
		}
	}
	for path, want := range map[string][]string{
		"/api/public/sessions/chat":            {`"id":"t1"`},
		"/api/public/traces?userId=ann":        {`"id":"t1"`, `"version":"v8"`},
		"/api/public/observations?userId=ann":  {`"id":"child"`, `"id":"own"`, `"id":"root"`},
		"/api/public/metrics/daily?userId=ann": {`"countObservations":3`, `"totalCost":0.0219`},
	} {
		got := string(f.Get(t, path))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s is %s, without %s", path, got, part)
			}
		}
	}
	b := f.As(t, f.NewMember(t, "viewer@example.com", domain.RoleViewer).ID)
	for _, list := range []string{"users", "sessions"} {
		got := b.Ask(t, "POST", apitest.UIProject+"/query/"+list, `{}`, 200)
		for _, part := range []string{`"observations":3`, `"totalCost":0.0219`, `"errors":1`} {
			if !strings.Contains(got, part) {
				t.Errorf("the list of %s is %s, without %s", list, got, part)
			}
		}
	}

	root.UserID = "bob"
	f.Keep(t, "project-a", []domain.Observation{root}, nil)
	if err := job.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := idsIn(t, f.Get(t, "/api/public/v2/observations?userId=bob")); len(got) != 3 {
		t.Errorf("once the root names another user, it has %q", got)
	}
}
