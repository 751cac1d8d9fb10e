package ui_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestWholeTraces asks for traces by conditions on observations, and by conditions on traces: everything that selects
// traces agrees. Without saying so, conditions are on observations.
func TestWholeTraces(t *testing.T) {
	f, b := apitest.NewExplored(t)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
	}
	rows[0].PromptVersion, rows[1].PromptVersion = domain.IntOf(1), domain.IntOf(3)
	f.Keep(t, "project-a", rows, nil)
	option := func(column, operator, value string) string {
		return fmt.Sprintf(`{"type":"stringOptions","column":%q,"operator":%q,"value":[%q]}`, column, operator, value)
	}
	number := func(column, operator string, value float64) string {
		return fmt.Sprintf(`{"type":"number","column":%q,"operator":%q,"value":%v}`, column, operator, value)
	}
	group := func(op string, conditions ...string) string {
		return fmt.Sprintf(`{"type":%q,"conditions":[%s]}`, op, strings.Join(conditions, ","))
	}
	for _, c := range []struct{ name, filter, ofObservations, ofTraces string }{
		{"errors", option("level", "any of", "ERROR"), "t1/root", "t1/root"},
		{"no errors", option("level", "none of", "ERROR"), "t3/orphan t2/root t1/root", "t3/orphan t2/root"},
		{"a long time", number("latency", ">", 3), "t1/root", "t1/root"},
		{"a short time", number("latency", "<", 3), "t2/root t1/root", "t3/orphan t2/root"},
		{"two observations", option("type", "any of", "TOOL") + "," + option("model", "any of", "gpt-x"), "", "t1/root"},
		{"one observation", group("has", option("type", "any of", "TOOL"), option("model", "any of", "gpt-x")), "", ""},
		{"a range within one observation", number("promptVersion", ">", 0) + "," + number("promptVersion", "<", 2), "t1/root", "t1/root"},
		{"a range between two observations", number("promptVersion", ">", 1) + "," + number("promptVersion", "<", 3), "", ""},
		{
			"none such", group("not", group("has", option("type", "any of", "TOOL"), option("level", "any of", "ERROR"))),
			"t3/orphan t2/root t1/root", "t3/orphan t2/root",
		},
		{"either", group("any", option("userId", "any of", "bob"), number("totalCost", ">", 0.2)), "t3/orphan t2/root t1/root", "t3/orphan t2/root t1/root"},
		{
			"either of two", group("any", option("environment", "any of", "staging"), group("all", number("totalTokens", ">", 1), number("latency", ">", 2))),
			"t2/root", "t2/root t1/root",
		},
		{
			"all of no tags", `{"type":"arrayOptions","column":"tags","operator":"all of","value":[]}`,
			"t3/orphan t2/root t1/root", "t3/orphan t2/root t1/root",
		},
		{
			"none of no tags", group("not", `{"type":"arrayOptions","column":"tags","operator":"none of","value":[]}`),
			"", "",
		},
		{"a word and a cost", `{"type":"string","column":"output","operator":"matches","value":"needle"},` + number("totalCost", ">", 0.2), "", "t1/root"},
	} {
		for on, want := range map[string]string{`"observations"`: c.ofObservations, "null": c.ofObservations, `"traces"`: c.ofTraces} {
			body := `{"conditionsOn":` + on + `,"filter":[` + c.filter + `]`
			if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/traces", body+"}", 200)); got != want {
				t.Errorf("%s on %s: %s, want %s", c.name, on, got, want)
			}
			count := len(strings.Fields(want))
			wanted := fmt.Sprintf(`{"count":%d,"exact":true}`, count)
			if got := b.Ask(t, "POST", apitest.UIProject+"/query/count", body+`,"of":"traces"}`, 200); got != wanted {
				t.Errorf("%s on %s: %s, want %s", c.name, on, got, wanted)
			}
			if got := f.Ask(t, apitest.Post("deletions", body+"}")); !strings.Contains(got, fmt.Sprintf(`"traces":%d,`, count)) {
				t.Errorf("deletion of %s on %s: %s", c.name, on, got)
			}
			if on != `"traces"` {
				continue
			}
			histogram := b.Ask(t, "POST", apitest.UIProject+"/query/histogram", body+`,"buckets":2}`, 200)
			if got := strings.Count(histogram, `"count":0,`); got == 2 && count > 0 || got < 2 && count == 0 && strings.Contains(histogram, "count") {
				t.Errorf("histogram of %s: %s", c.name, histogram)
			}
		}
	}
	facets := b.Ask(t, "POST", apitest.UIProject+"/query/facets", `{"conditionsOn":"traces","columns":["userId"],"filter":[`+
		option("level", "none of", "ERROR")+`]}`, 200)
	if facets != `{"facets":{"userId":[{"value":"bob","count":2}]},"partial":false}` {
		t.Errorf("facets of traces without errors: %s", facets)
	}
	for _, wrong := range []string{
		`{"conditionsOn":"spans"}`, `{"filter":[{"type":"any","conditions":[]}]}`, `{"filter":[{"type":"any"}]}`,
		`{"filter":[` + number("errorCount", ">", 0) + `]}`,
		`{"conditionsOn":"traces","filter":[{"type":"string","column":"observationCount","operator":"=","value":"x"}]}`,
		`{"conditionsOn":"traces","filter":[{"type":"string","column":"colour","operator":"=","value":"x"}]}`,
	} {
		b.Ask(t, "POST", apitest.UIProject+"/query/traces", wrong, 400)
	}
	var many, tags []string
	for n := range 65 {
		many = append(many, option("model", "any of", fmt.Sprint("m", n)))
		tags = append(tags, strconv.Quote(fmt.Sprint("tag", n)))
	}
	tooMany := b.Ask(t, "POST", apitest.UIProject+"/query/traces", `{"conditionsOn":"traces","filter":[`+group("any", many...)+`]}`, 400)
	if !strings.Contains(tooMany, "too many conditions") {
		t.Errorf("65 flags: %s", tooMany)
	}
	tooMany = b.Ask(t, "POST", apitest.UIProject+"/query/traces",
		`{"conditionsOn":"traces","filter":[{"type":"arrayOptions","column":"tags","operator":"all of","value":[`+strings.Join(tags, ",")+`]}]}`, 400)
	if !strings.Contains(tooMany, "too many conditions") {
		t.Errorf("65 tags: %s", tooMany)
	}
}
