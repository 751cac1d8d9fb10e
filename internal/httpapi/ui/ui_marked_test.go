package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestMarkedTraces asks for traces by what people did to them: everything that selects traces agrees.
func TestMarkedTraces(t *testing.T) {
	f, b := apitest.NewExplored(t)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
		rows[n].Bookmarked = rows[n].TraceID == "t2"
		rows[n].Public = rows[n].TraceID == "t3"
	}
	f.Keep(t, "project-a", rows, nil)
	member.Ask(t, "PATCH", apitest.UIProject+"/traces/t1/marks", `{"bookmarked":true,"public":true}`, 200)
	member.Ask(t, "PATCH", apitest.UIProject+"/traces/t3/marks", `{"public":false}`, 200)
	for _, on := range []string{"t1", "t3", "t3"} {
		f.Ask(t, apitest.Post("comments", fmt.Sprintf(`{"projectId":"project-a","objectType":"TRACE","objectId":%q,"content":"look"}`, on)))
	}
	flag := func(column string, value bool) string {
		return fmt.Sprintf(`{"type":"boolean","column":%q,"operator":"=","value":%v}`, column, value)
	}
	comments := func(operator string, value int) string {
		return fmt.Sprintf(`{"type":"number","column":"commentCount","operator":%q,"value":%d}`, operator, value)
	}
	for _, c := range []struct{ filter, want string }{
		{flag("bookmarked", true), "t2/root t1/root"},
		{flag("bookmarked", false), "t3/orphan"},
		{`{"type":"null","column":"bookmarked","operator":"is null","value":""}`, "t3/orphan"},
		{flag("public", true), "t1/root"},
		{flag("public", false), "t3/orphan t2/root"},
		{flag("bookmarked", true) + "," + flag("public", true), "t1/root"},
		{comments(">", 0), "t3/orphan t1/root"},
		{comments("=", 1), "t1/root"},
		{comments("<", 2), "t2/root t1/root"},
		{`{"type":"null","column":"commentCount","operator":"is null","value":""}`, "t2/root"},
		{`{"type":"null","column":"commentCount","operator":"is not null","value":""}`, "t3/orphan t1/root"},
		{`{"type":"not","conditions":[` + comments(">", 0) + `,` + flag("bookmarked", true) + `]}`, "t3/orphan t2/root"},
	} {
		body := `{"conditionsOn":"traces","filter":[` + c.filter + `]`
		if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/traces", body+"}", 200)); got != c.want {
			t.Errorf("%s: %s, want %s", c.filter, got, c.want)
		}
		count := len(strings.Fields(c.want))
		wanted := fmt.Sprintf(`{"count":%d,"exact":true}`, count)
		if got := b.Ask(t, "POST", apitest.UIProject+"/query/count", body+`,"of":"traces"}`, 200); got != wanted {
			t.Errorf("%s: %s, want %s", c.filter, got, wanted)
		}
		if got := f.Ask(t, apitest.Post("deletions", body+"}")); !strings.Contains(got, fmt.Sprintf(`"traces":%d,`, count)) {
			t.Errorf("deletion of %s: %s", c.filter, got)
		}
	}
	list := b.Ask(t, "POST", apitest.UIProject+"/query/traces", `{}`, 200)
	for _, part := range []string{`"public":false,"comments":2}`, `"public":false,"comments":0}`, `"public":true,"comments":1}`} {
		if !strings.Contains(list, part) {
			t.Errorf("no row has %s: %s", part, list)
		}
	}
	// A mark that is taken back leaves what was sent.
	member.Ask(t, "PATCH", apitest.UIProject+"/traces/t3/marks", `{"public":null}`, 200)
	again := b.Ask(t, "POST", apitest.UIProject+"/query/traces", `{"conditionsOn":"traces","filter":[`+flag("public", true)+`]}`, 200)
	if got, _ := rowIDs(t, again); got != "t3/orphan t1/root" {
		t.Errorf("published: %s", got)
	}
	for _, wrong := range []string{
		`{"filter":[` + flag("bookmarked", true) + `]}`, `{"filter":[` + comments(">", 0) + `]}`,
		`{"conditionsOn":"sessions","filter":[` + flag("public", true) + `]}`,
		`{"conditionsOn":"traces","filter":[{"type":"has","conditions":[` + flag("bookmarked", true) + `]}]}`,
		`{"conditionsOn":"traces","filter":[{"type":"number","column":"public","operator":">","value":1}]}`,
		`{"conditionsOn":"traces","filter":[{"type":"boolean","column":"commentCount","operator":"=","value":true}]}`,
	} {
		b.Ask(t, "POST", apitest.UIProject+"/query/traces", wrong, 400)
	}
}
