package scores_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const queryScores = apitest.UIProject + "/query/scores"

// walkScores returns the ids of all scores that a query finds, page by page.
func walkScores(t *testing.T, who *apitest.Browser, query string) (ids []string) {
	t.Helper()
	cursor := ""
	for range 20 {
		body := strings.Replace(query, "{", `{"limit":2,`+cursor, 1)
		body = strings.Replace(body, ",}", "}", 1)
		var page struct {
			Data   []struct{ ID string }
			Cursor *string
		}
		if err := json.Unmarshal([]byte(who.Ask(t, "POST", queryScores, body, 200)), &page); err != nil {
			t.Fatal(err)
		}
		for _, s := range page.Data {
			ids = append(ids, s.ID)
		}
		if page.Cursor == nil {
			return ids
		}
		cursor = fmt.Sprintf(`"cursor":%q,`, *page.Cursor)
	}
	t.Fatal("no end")
	return nil
}

// TestQueryScores lists scores by time and by value, with conditions, page by page.
func TestQueryScores(t *testing.T) {
	f := apitest.New(t, nil)
	number := func(id string, at int, value float64) domain.Score {
		return domain.Score{
			ID: id, TraceID: "t", Timestamp: apitest.October + domain.Micros(at)*1_000_000, Name: "quality", Source: "API",
			DataType: domain.ScoreNumeric, Value: domain.FloatOf(value), Comment: "of " + id,
		}
	}
	category := func(id string, at int, text string) domain.Score {
		return domain.Score{
			ID: id, TraceID: "t", Timestamp: apitest.October + domain.Micros(at)*1_000_000, Name: "tone", Source: "EVAL",
			DataType: domain.ScoreCategorical, StringValue: text, Environment: "staging",
		}
	}
	f.Keep(t, "project-a", nil, []domain.Score{
		number("low", 1, -3), number("high", 2, 0.9), number("same", 3, 0.9), number("mid", 4, 0.5), category("curt", 5, "curt"),
		category("warm", 6, "warm"),
	})
	f.Keep(t, "project-a2", nil, []domain.Score{number("theirs", 1, 1)})
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	for _, c := range []struct{ query, want string }{
		{`{}`, "warm curt mid same high low"},
		{`{"order":{"column":"timestamp","direction":"asc"}}`, "low high same mid curt warm"},
		{`{"order":{"column":"value"}}`, "same high mid low warm curt"},
		{`{"order":{"column":"value","direction":"asc"}}`, "low mid same high curt warm"},
		{`{"filter":[{"type":"number","column":"value","operator":">=","value":0.5}],"order":{"column":"value"}}`, "same high mid"},
		{`{"filter":[{"type":"stringOptions","column":"stringValue","operator":"any of","value":["warm","cold"]}]}`, "warm"},
		{`{"filter":[{"type":"stringOptions","column":"name","operator":"none of","value":["quality"]}]}`, "warm curt"},
		{`{"environment":["default"],"order":{"column":"value","direction":"asc"}}`, "low mid same high"},
		{`{"filter":[{"type":"string","column":"comment","operator":"contains","value":"mid"}]}`, "mid"},
	} {
		if got := strings.Join(walkScores(t, viewer, c.query), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
	if got := viewer.Ask(t, "POST", queryScores, `{"limit":1}`, 200); !strings.Contains(got, `"value":"warm"`) ||
		!strings.Contains(got, `"subject":{"kind":"trace","id":"t"`) || !strings.Contains(got, `"authorUserId":null`) {
		t.Error(got)
	}
	for _, body := range []string{
		`{"order":{"column":"name"}}`, `{"limit":101}`, `{"cursor":"?"}`, `{"cursor":"e30x"}`, `{"search":"x"}`,
		`{"filter":[{"type":"string","column":"nothing","operator":"=","value":"x"}]}`, `{"from":"yesterday"}`,
	} {
		viewer.Ask(t, "POST", queryScores, body, 400)
	}
	f.Browser().Ask(t, "POST", queryScores, `{}`, 401)
}

// TestQueryScoresOfMany checks that every score is listed once, however many have the same value.
func TestQueryScoresOfMany(t *testing.T) {
	f := apitest.New(t, nil)
	var all []domain.Score
	for n := range 33 {
		all = append(all, domain.Score{
			ID: fmt.Sprintf("s%02d", n), TraceID: "t", Timestamp: apitest.October + domain.Micros(n/4), Name: "n", Source: "API",
			DataType: domain.ScoreNumeric, Value: domain.FloatOf(float64(n % 3)),
		})
	}
	f.Keep(t, "project-a", nil, all)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	ids := walkScores(t, member, `{"order":{"column":"value","direction":"asc"}}`)
	slices.Sort(ids)
	if len(ids) != len(all) || len(slices.Compact(ids)) != len(all) {
		t.Errorf("%d of %d: %v", len(ids), len(all), ids)
	}
}
