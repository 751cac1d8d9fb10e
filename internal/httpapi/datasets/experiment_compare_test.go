package datasets_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const (
	queryExperiments = apitest.UIProject + "/query/experiments"
	compareRuns      = apitest.UIProject + "/experiments/compare"
	compareItems     = apitest.UIProject + "/experiments/compare/items"
)

// comparedRuns returns a baseline, a candidate that is worse on one item, lacks one, fails on one and repeats one, and
// their scores.
func comparedRuns() (rows []domain.Observation, scores []domain.Score) {
	run := func(experiment, item string, repetition int, output string, quality float64) {
		n := len(rows)
		id := fmt.Sprintf("%016x", n+1)
		o := domain.Observation{
			TraceID: fmt.Sprintf("%032x", n+1), ID: id, Type: "SPAN", Level: "DEFAULT", Environment: "sdk-experiment",
			StartTime: apitest.October + domain.Micros(n)*1_000_000, EndTime: apitest.October + domain.Micros(n)*1_000_000 + 100_000,
			ExperimentID: experiment, ExperimentName: "run " + experiment, ExperimentDatasetID: "ds-1", ExperimentItemID: item,
			ExperimentItemRootSpanID: id, Input: "input of " + item, Output: output, ExperimentItemExpectedOutput: "expected of " + item,
			TotalCost: domain.FloatOf(0.5),
		}
		if output == "" {
			o.Level = "ERROR"
		}
		rows = append(rows, o)
		tone := "warm"
		if quality < 0.5 {
			tone = "curt"
		}
		for name, score := range map[string]domain.Score{
			"quality": {DataType: domain.ScoreNumeric, Value: domain.FloatOf(quality), ObservationID: id},
			"tone":    {DataType: domain.ScoreCategorical, StringValue: tone},
		} {
			score.ID, score.Name, score.Source, score.TraceID = fmt.Sprint(name, n, repetition), name, "API", o.TraceID
			score.Timestamp, score.Environment = o.StartTime, "default"
			scores = append(scores, score)
		}
	}
	for n := range 4 {
		run("base", fmt.Sprint("item-", n), 0, fmt.Sprint("answer ", n), 0.75)
	}
	run("next", "item-0", 0, "answer 0", 0.75)
	run("next", "item-1", 0, "another answer", 0.25)
	run("next", "item-2", 0, "", 0.75)
	run("next", "item-2", 1, "answer 2", 1)
	run("next", "item-9", 0, "new", 1)
	child := rows[0]
	child.ID, child.ParentID = "child", child.ID
	rows = append(rows, child)
	return rows, scores
}

func TestQueryExperiments(t *testing.T) {
	f := apitest.New(t, nil)
	rows, scores := comparedRuns()
	f.Keep(t, "project-a", rows, scores)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	for _, c := range []struct{ body, want string }{
		{`{}`, "next base"},
		{`{"search":"run b"}`, "base"},
		{`{"search":"nothing"}`, ""},
		{`{"datasetId":"ds-1"}`, "next base"},
		{`{"datasetId":"ds-2"}`, ""},
	} {
		var found struct{ Experiments []struct{ ID string } }
		decodeInto(t, viewer.Ask(t, "POST", queryExperiments, c.body, 200), &found)
		var ids []string
		for _, e := range found.Experiments {
			ids = append(ids, e.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
	got := viewer.Ask(t, "POST", queryExperiments, `{"search":"next"}`, 200)
	for _, part := range []string{
		`"figures":{"items":4,"runs":5,"errors":1,"cost":2.5,"latency":100,`,
		`{"key":"NUMERIC:API:quality","items":4,"mean":0.71875,"labels":[]}`,
		`{"key":"CATEGORICAL:API:tone","items":4,"mean":null,"labels":[{"label":"warm","items":3},{"label":"curt","items":1}]}`,
		`"isWhole":true`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
	for _, body := range []string{`{"search":""}`, `{"datasetId":""}`, `{"nothing":1}`} {
		viewer.Ask(t, "POST", queryExperiments, body, 400)
	}
	f.Browser().Ask(t, "POST", queryExperiments, `{}`, 401)
}

func TestCompareExperiments(t *testing.T) {
	f := apitest.New(t, nil)
	rows, scores := comparedRuns()
	f.Keep(t, "project-a", rows, scores)
	f.Keep(t, "project-a2", []domain.Observation{{
		TraceID: "theirs", ID: "theirs", StartTime: apitest.October, ExperimentID: "theirs", ExperimentItemID: "i",
		ExperimentItemRootSpanID: "theirs",
	}}, nil)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	got := viewer.Ask(t, "POST", compareRuns, `{"baseline":"base","candidates":["next"]}`, 200)
	for _, part := range []string{
		`"items":4,"shared":3`,
		`"id":"next","name":"run next","datasetId":"ds-1"`,
		`"items":4,"runs":5,"errors":1,"cost":2.5`,
		// Item 0 is the same, item 1 is worse, and the two repetitions of item 2 are better on average.
		`"paired":3,"onlyBaseline":1,"onlyCandidate":0,"leftOut":0,"improved":1,"regressed":1,"unchanged":1,"baseline":0.75,`,
		`"verdict":"too-few"`,
		`"changes":{"paired":3,"onlyBaseline":1,"onlyCandidate":0,"mixed":0,"changed":1,"transitions":[{"from":"warm","to":"warm","items":2},` +
			`{"from":"warm","to":"curt","items":1}]}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
	if all := viewer.Ask(t, "POST", compareRuns, `{"baseline":"base","candidates":["next"],"items":"all"}`, 200); !strings.Contains(all,
		`"items":5,"shared":3`) {
		t.Error(all)
	}
	for _, body := range []string{
		`{}`, `{"baseline":""}`, `{"baseline":"a","candidates":["a"]}`, `{"baseline":"a","candidates":["b","b"]}`,
		`{"baseline":"a","candidates":["0","1","2","3","4","5","6","7","8","9"]}`, `{"baseline":"a","items":"some"}`,
		`{"baseline":"a","lowerIsBetter":["quality"]}`,
	} {
		viewer.Ask(t, "POST", compareRuns, body, 400)
		viewer.Ask(t, "POST", compareItems, body, 400)
	}
	for _, path := range []string{compareRuns, compareItems} {
		viewer.Ask(t, "POST", path, `{"baseline":"nothing"}`, 404)
		viewer.Ask(t, "POST", path, `{"baseline":"base","candidates":["theirs"]}`, 404)
		f.Browser().Ask(t, "POST", path, `{"baseline":"base"}`, 401)
	}
}

func TestCompareExperimentItems(t *testing.T) {
	f := apitest.New(t, nil)
	rows, scores := comparedRuns()
	f.Keep(t, "project-a", rows, scores)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	const runs = `{"baseline":"base","candidates":["next"]`
	const quality = `"NUMERIC:API:quality"`
	for _, c := range []struct{ rest, want string }{
		{``, "item-0 item-1 item-2 item-3"},
		{`,"items":"all"`, "item-0 item-1 item-2 item-3 item-9"},
		{`,"only":"regressions"`, "item-1"},
		{`,"only":"improvements"`, "item-2"},
		{`,"only":"regressions","lowerIsBetter":[` + quality + `]`, "item-2"},
		{`,"only":"disagreements"`, "item-1 item-2"},
		{`,"only":"disagreements","measure":"CATEGORICAL:API:tone"`, "item-1"},
		{`,"only":"improvements","measure":"cost"`, "item-0"}, // the baseline has two observations there
		{`,"only":"missing"`, "item-3"},
		{`,"only":"missing","items":"all"`, "item-3 item-9"},
		{`,"only":"errors"`, "item-2"},
		{`,"order":{"measure":` + quality + `,"by":"difference","direction":"asc"}`, "item-1 item-0 item-2 item-3"},
		{`,"order":{"measure":` + quality + `,"by":"difference","direction":"desc"}`, "item-2 item-0 item-1 item-3"},
		{`,"order":{"measure":` + quality + `,"by":"difference","direction":"desc","candidate":1}`, "item-2 item-0 item-1 item-3"},
		{`,"order":{"measure":` + quality + `,"by":"difference","direction":"desc","candidate":2}`, "item-0 item-1 item-2 item-3"},
		{`,"order":{"measure":"cost","by":"baseline","direction":"desc"}`, "item-0 item-1 item-2 item-3"},
	} {
		if got := itemsOf(t, viewer, runs+c.rest); got != c.want {
			t.Errorf("%s: %q, want %q", c.rest, got, c.want)
		}
	}
	got := viewer.Ask(t, "POST", compareItems, runs+`,"only":"errors"}`, 200)
	for _, part := range []string{
		`"itemId":"item-2","input":{"text":"input of item-2","isCut":false},"expected":{"text":"expected of item-2","isCut":false}`,
		`"output":null,"isError":true,"latency":100,"cost":0.5},`,
		`{"key":"NUMERIC:API:quality","mean":0.875,"label":null,"change":1}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
	for _, rest := range []string{
		`,"only":"nothing"`, `,"limit":101`, `,"cursor":"x"`, `,"cursor":"-1"`, `,"measure":"quality"`,
		`,"order":{"measure":"cost"}`, `,"order":{"measure":"cost","by":"mood","direction":"asc"}`,
	} {
		viewer.Ask(t, "POST", compareItems, runs+rest+"}", 400)
	}
}

// itemsOf returns the ids of all items of a comparison, page by page.
func itemsOf(t *testing.T, who *apitest.Browser, query string) string {
	t.Helper()
	var ids []string
	cursor := ""
	for range 10 {
		var page struct {
			Rows   []struct{ ItemID string }
			Cursor *string
		}
		decodeInto(t, who.Ask(t, "POST", compareItems, query+cursor+`,"limit":2}`, 200), &page)
		for _, row := range page.Rows {
			ids = append(ids, row.ItemID)
		}
		if page.Cursor == nil {
			return strings.Join(ids, " ")
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Cursor)
	}
	t.Fatal("no end")
	return ""
}

func decodeInto(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err, text)
	}
}

// TestCompareLinkedRuns compares runs that older clients made by linking items with traces.
func TestCompareLinkedRuns(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	for _, item := range []string{"i1", "i2"} {
		f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"set","id":"`+item+`","input":1}`))
	}
	f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "t1", ID: "root", StartTime: apitest.October, EndTime: apitest.October + 5_000, Input: "asked", Output: "whole trace"},
		{TraceID: "t1", ID: "call", ParentID: "root", StartTime: apitest.October, TotalCost: domain.FloatOf(0.25)},
		{TraceID: "t2", ID: "root2", StartTime: apitest.October},
		{TraceID: "t2", ID: "part", ParentID: "root2", StartTime: apitest.October, Output: "one observation"},
	}, nil)
	for _, link := range []string{`"datasetItemId":"i1","traceId":"t1"`, `"datasetItemId":"i2","traceId":"t2","observationId":"part"`} {
		f.Ask(t, apitest.Post("dataset-run-items", `{"runName":"by hand",`+link+`}`))
	}
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	d, err := f.Catalog.Dataset(t.Context(), domain.OfProject("project-a"), "set")
	if err != nil {
		t.Fatal(err)
	}
	query := fmt.Sprintf(`{"baseline":%q}`, domain.ExperimentID("project-a", d.ID, "by hand"))
	if got := viewer.Ask(t, "POST", compareRuns, query, 200); !strings.Contains(got, `"name":"by hand"`) ||
		!strings.Contains(got, `"items":2,"runs":2,"errors":0,"cost":0.25`) {
		t.Error(got)
	}
	got := viewer.Ask(t, "POST", compareItems, query, 200)
	for _, part := range []string{
		`"output":{"text":"whole trace","isCut":false},"isError":false,"latency":5,"cost":0.25}`,
		`"observationId":"part","output":{"text":"one observation","isCut":false}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
}
