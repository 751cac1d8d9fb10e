package datasets_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

type uiImported struct {
	Created, Changed, Unchanged int
	Refused                     []struct {
		Row    int
		Reason string
	}
	Previews []struct {
		Row                                 int
		ID, Input, ExpectedOutput, Metadata *string
	}
}

func (r uiImported) reasons() (texts []string) {
	for _, refused := range r.Refused {
		texts = append(texts, fmt.Sprintf("%d %s", refused.Row, refused.Reason))
	}
	return texts
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestCellsAreImported(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "v@a.test", domain.RoleViewer).ID)
	id := newDataset(t, member, `{"name":"qa","inputSchema":"{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\"}}}"}`)
	one := uiDatasets + "/" + id
	body := func(isDryRun bool, rows ...[]string) string {
		return asJSON(t, map[string]any{
			"dryRun": isDryRun, "columns": []string{"q", "n", "answer", "tags"}, "previews": 1,
			"mapping": map[string]any{"input": []string{"q", "n"}, "expectedOutput": []string{"answer"}, "metadata": []string{"tags"}},
			"rows":    rows,
		})
	}
	rows := [][]string{
		{"What?", "12345678901234567890", "=1+1", `["a"]`},
		{"7", "", "x", ""},
		{"", "", "x", ""},
		{"too", "few"},
		{"What?", "12345678901234567890", "=1+1", `["a"]`},
	}
	refused := []string{"1 Input /q must be string", "2 An item needs an input", "3 It has 2 cells, and there are 4 columns"}
	for _, isDryRun := range []bool{true, false} {
		got := ask[uiImported](t, member, "POST", one+"/import", body(isDryRun, rows...), 200)
		reasons := got.reasons()
		slices.Sort(reasons)
		if got.Created != 1 || got.Changed != 0 || got.Unchanged != 1 || !slices.Equal(reasons, refused) {
			t.Errorf("imported %+v", got)
		}
		if p := got.Previews[0]; p.ID != nil || *p.Input != `{"q":"What?","n":12345678901234567890}` || *p.ExpectedOutput != `"=1+1"` {
			t.Errorf("the preview is %+v", p)
		}
		if items := ask[uiHeads](t, member, "POST", uiBrowse, `{}`, 200).Datasets[0].Items; isDryRun == (items > 0) {
			t.Errorf("%d items after the import, of which a dry run is %v", items, isDryRun)
		}
	}

	// Nothing doubles, and what somebody has edited meanwhile stays.
	item := ask[struct{ Items []uiItem }](t, member, "POST", one+"/items/query", `{}`, 200).Items[0]
	member.Ask(t, "POST", one+"/items", fmt.Sprintf(`{"id":%q,"base":%q,"expectedOutput":"2"}`, item.ID, item.UpdatedAt), 200)
	if again := ask[uiImported](t, member, "POST", one+"/import", body(false, rows[0]), 200); again.Unchanged != 1 || again.Changed > 0 {
		t.Errorf("again: %+v", again)
	}
	holds(t, viewer.Ask(t, "GET", one+"/items/"+item.ID, "", 200), `"expectedOutput":"2"`)

	// Cells can be text, whatever they look like.
	other := newDataset(t, member, `{"name":"text"}`)
	text := ask[uiImported](t, member, "POST", uiDatasets+"/"+other+"/import",
		`{"columns":["a"],"cells":"text","mapping":{"input":["a"]},"rows":[["{\"x\":1}"]],"previews":1}`, 200)
	if *text.Previews[0].Input != `"{\"x\":1}"` {
		t.Errorf("the text became %s", *text.Previews[0].Input)
	}

	viewer.Ask(t, "POST", one+"/import", body(true, rows[0]), 403)
	member.Ask(t, "POST", uiDatasets+"/nope/import", body(true, rows[0]), 404)
	for _, wrong := range []string{
		`{"columns":["a"],"mapping":{"input":["a","a"]},"rows":[["1"]]}`, `{"mapping":{"metadata":["a","a"]},"rows":["{}"]}`,
		`{}`, `{"mapping":{},"rows":[]}`, `{"mapping":{},"rows":{}}`, `{"columns":["a","a"],"mapping":{},"rows":[["1","2"]]}`,
		`{"columns":["a"],"mapping":{"input":["b"]},"rows":[["1"]]}`, `{"columns":["a"],"mapping":{"id":"b"},"rows":[["1"]]}`,
		`{"mapping":{"x":[]},"rows":["{}"]}`, `{"mapping":{},"rows":["{}"],"previews":21}`, `{"mapping":{},"rows":["{}"],"more":1}`,
		`{"mapping":{},"rows":[` + strings.Repeat(`"{}",`, 1000) + `"{}"]}`, `{"mapping":{},"rows":["{}"],"cells":"html"}`,
	} {
		member.Ask(t, "POST", one+"/import", wrong, 400)
	}
}

// TestLongNamesOfColumns: names of columns become part of each item. What they make of the rows counts, not only the rows.
func TestLongNamesOfColumns(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	one := uiDatasets + "/" + newDataset(t, member, `{"name":"qa"}`)
	var columns []string
	for n := range 500 {
		columns = append(columns, strings.Repeat("\u00e9", 995)+fmt.Sprintf("%05d", n))
	}
	rows := func(count int) (rows [][]string) {
		for n := range count {
			rows = append(rows, slices.Repeat([]string{strconv.Itoa(n)}, len(columns)))
		}
		return rows
	}
	body := func(count int, mapping map[string][]string) string {
		return asJSON(t, map[string]any{"dryRun": true, "columns": columns, "mapping": mapping, "rows": rows(count)})
	}
	onlyInput := map[string][]string{"input": columns}
	if got := ask[uiImported](t, member, "POST", one+"/import", body(2, onlyInput), 200); got.Created != 2 {
		t.Errorf("imported %+v", got)
	}
	all := map[string][]string{"input": columns, "expectedOutput": columns, "metadata": columns}
	got := ask[uiImported](t, member, "POST", one+"/import", body(1, all), 200)
	if got.Created != 1 {
		t.Errorf("imported %+v", got)
	}
	member.Ask(t, "POST", one+"/import", body(500, onlyInput), 503)
}

func TestObjectsAreImportedByTheirIDs(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	id := newDataset(t, member, `{"name":"qa"}`)
	other := newDataset(t, member, `{"name":"other"}`)
	one := uiDatasets + "/" + id
	send := func(datasetID string, rows ...string) uiImported {
		return ask[uiImported](t, member, "POST", uiDatasets+"/"+datasetID+"/import", asJSON(t, map[string]any{
			"mapping": map[string]any{"id": "key", "input": []string{"in"}, "expectedOutput": []string{"out"}}, "rows": rows,
		}), 200)
	}
	got := send(id, `{"key":"a","in":{"n": 1.50},"out":"x"}`, ` {"key":7,"in":"two"} `, `[1]`, `{`, `{"in":1}`, `{"key":{},"in":1}`,
		`{"key":"a","in":2}`, `{"key":"`+strings.Repeat("k", 256)+`","in":2}`, `{"key":"m","in":"@@@langfuseMedia:type=image/png|id=none|source=file@@@"}`)
	reasons := got.reasons()
	slices.Sort(reasons)
	want := []string{
		"2 The row is no JSON object", "3 The row is not valid JSON", "4 The id is empty", "5 The id is a list or an object",
		"6 An earlier row has the same id", "7 The id has 256 characters, and can have 1 to 255",
		"8 Dataset item references unknown media: none",
	}
	if got.Created != 2 || !slices.Equal(reasons, want) {
		t.Errorf("imported %+v with %q", got, reasons)
	}
	holds(t, member.Ask(t, "GET", one+"/items/a", "", 200), `"input":"{\"n\":1.50}"`, `"expectedOutput":"\"x\""`)
	holds(t, member.Ask(t, "GET", one+"/items/7", "", 200), `"input":"\"two\""`)

	// The row says what the item is: what it has no value for is removed.
	if got := send(id, `{"key":"a","in":{"n":1.50}}`, `{"key":"7","in":"two"}`); got.Changed != 1 || got.Unchanged != 1 {
		t.Errorf("imported again: %+v", got)
	}
	holds(t, member.Ask(t, "GET", one+"/items/a", "", 200), `"expectedOutput":null`)
	if got := send(other, `{"key":"a","in":1}`).reasons(); !slices.Equal(got, []string{"0 An item of another dataset has this id"}) {
		t.Errorf("in another dataset: %q", got)
	}
	if got := send(id, `["a"]`, `"a"`).reasons(); len(got) != 2 {
		t.Errorf("no objects: %q", got)
	}
}

// TestExportedItemsAreImportedAsTheyWere exports items that are hard to write, and imports them elsewhere.
func TestExportedItemsAreImportedAsTheyWere(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "v@a.test", domain.RoleViewer).ID)
	id := newDataset(t, member, `{"name":"qa"}`)
	one := uiDatasets + "/" + id
	inputs := []string{
		`"plain"`, `"=1+1"`, `"12"`, `12.50`, `-3`, `"a\"b, c"`, `"line\nline"`, `""`, `{"q":[1,null]}`, `"true"`, `true`, `" x "`, `"'+1"`,
	}
	for _, input := range inputs {
		member.Ask(t, "POST", one+"/items", asJSON(t, map[string]string{"input": input}), 200)
	}
	answer := viewer.Ask(t, "GET", one+"/export?format=csv", "", 200)
	for _, text := range []string{
		"id,input,expectedOutput,metadata,status,sourceTraceId,sourceObservationId,updatedAt\r\n", ",plain,", `,"""=1+1""",`, `,"""12""",`, ",12.50,",
		`,"a""b, c",`, `,"""'+1""",`,
	} {
		if !strings.Contains(answer, text) {
			t.Errorf("%q is missing in %s", text, answer)
		}
	}
	lines := strings.Split(strings.TrimSpace(viewer.Ask(t, "GET", one+"/export", "", 200)), "\n")
	if len(lines) != len(inputs) {
		t.Fatalf("exported %q", lines)
	}
	var found []string
	for _, line := range lines {
		var item struct{ Input json.RawMessage }
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		found = append(found, string(item.Input))
	}
	slices.Sort(found)
	slices.Sort(inputs)
	if !slices.Equal(found, inputs) {
		t.Errorf("exported %q, want %q", found, inputs)
	}
	var list []struct{ ID, Status string }
	if err := json.Unmarshal([]byte(viewer.Ask(t, "GET", one+"/export?format=json", "", 200)), &list); err != nil || len(list) != len(inputs) {
		t.Errorf("the list has %d, %v", len(list), err)
	}

	empty := uiDatasets + "/" + newDataset(t, member, `{"name":"empty"}`)
	holds(t, viewer.Ask(t, "GET", empty+"/export?format=json", "", 200), "[\n\n]\n")
	if got := viewer.Ask(t, "GET", empty+"/export?format=jsonl", "", 200); got != "" {
		t.Errorf("no items are %q", got)
	}
	viewer.Ask(t, "GET", one+"/export?format=xml", "", 400)
	viewer.Ask(t, "GET", uiDatasets+"/nope/export", "", 404)
}

func TestItemsAreChangedTogether(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "o@a.test", domain.RoleOwner).ID)
	viewer := f.As(t, f.NewMember(t, "v@a.test", domain.RoleViewer).ID)
	id := newDataset(t, owner, `{"name":"qa"}`)
	items := uiDatasets + "/" + id + "/items"
	a := ask[uiItem](t, owner, "POST", items, `{"input":"1"}`, 200)
	b := ask[uiItem](t, owner, "POST", items, `{"input":"2"}`, 200)
	both := fmt.Sprintf(`{"ids":[%q,%q,"none"],"status":"ARCHIVED"}`, a.ID, b.ID)
	holds(t, owner.Ask(t, "POST", items+"/status", both, 200), `"changed":2`, `"unchanged":0`, `"missing":1`)
	holds(t, owner.Ask(t, "POST", items+"/status", both, 200), `"changed":0`, `"unchanged":2`, `"missing":1`)
	holds(t, owner.Ask(t, "POST", items+"/status", fmt.Sprintf(`{"ids":[%q],"status":"ACTIVE"}`, a.ID), 200), `"changed":1`)
	holds(t, owner.Ask(t, "POST", items+"/delete", fmt.Sprintf(`{"ids":[%q]}`, b.ID), 200), `"changed":1`)

	holds(t, viewer.Ask(t, "GET", items+"/"+b.ID+"/versions", "", 200), `"status":"DELETED"`, `"status":"ARCHIVED"`, `"hasMore":false`)
	holds(t, viewer.Ask(t, "GET", items+"/"+b.ID+"?version="+b.UpdatedAt, "", 200), `"status":"ACTIVE"`, `"input":"2"`)
	holds(t, viewer.Ask(t, "GET", items+"/"+b.ID+"/versions?before="+b.UpdatedAt, "", 200), `"versions":[]`)
	viewer.Ask(t, "GET", items+"/"+b.ID, "", 404)
	viewer.Ask(t, "GET", items+"/none/versions", "", 404)
	viewer.Ask(t, "GET", items+"/"+b.ID+"?version=yesterday", "", 400)
	viewer.Ask(t, "GET", items+"/"+b.ID+"/versions?before=x", "", 400)

	one := uiDatasets + "/" + id
	type version struct {
		At                       string
		Items, Archived, Deleted int
	}
	found := ask[struct{ Versions []version }](t, viewer, "GET", one+"/versions", "", 200).Versions
	if len(found) != 5 || found[0].Deleted != 1 || found[2].Archived != 2 || found[2].Items != 2 || found[4].At != a.UpdatedAt {
		t.Errorf("the versions are %+v", found)
	}
	holds(t, viewer.Ask(t, "GET", one+"/versions?before="+found[4].At, "", 200), `"versions":[]`)
	holds(t, viewer.Ask(t, "POST", items+"/query", fmt.Sprintf(`{"version":%q,"search":%q}`, found[3].At, b.ID), 200), `"status":"ACTIVE"`)
	if lines := viewer.Ask(t, "GET", one+"/export?version="+found[2].At, "", 200); strings.Count(lines, `"status":"ARCHIVED"`) != 2 {
		t.Errorf("exported %s", lines)
	}
	viewer.Ask(t, "GET", one+"/versions?before=x", "", 400)
	viewer.Ask(t, "GET", one+"/export?version=x", "", 400)
	viewer.Ask(t, "POST", items+"/query", `{"version":"x"}`, 400)
	viewer.Ask(t, "GET", uiDatasets+"/nope/versions", "", 404)

	viewer.Ask(t, "POST", items+"/status", both, 403)
	viewer.Ask(t, "POST", items+"/delete", `{"ids":["a"]}`, 403)
	owner.Ask(t, "POST", uiDatasets+"/nope/items/delete", `{"ids":["a"]}`, 404)
	owner.Ask(t, "POST", uiDatasets+"/nope/items/status", both, 404)
	for _, wrong := range []string{`{}`, `{"ids":[]}`, `{"ids":[1]}`, `{"ids":[""]}`, `{"ids":["a"],"more":1}`} {
		owner.Ask(t, "POST", items+"/delete", wrong, 400)
	}
	owner.Ask(t, "POST", items+"/status", fmt.Sprintf(`{"ids":[%q],"status":"DELETED"}`, a.ID), 400)
	owner.Ask(t, "POST", items+"/delete", `{"ids":[`+strings.Repeat(`"a",`, 1000)+`"a"]}`, 400)
}

// TestDatasetsOfOtherProjects asks for a dataset below a project that it is not in, and that the same person may see.
func TestDatasetsOfOtherProjects(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "o@a.test", domain.RoleOwner).ID)
	id := newDataset(t, owner, `{"name":"qa"}`)
	item := ask[uiItem](t, owner, "POST", uiDatasets+"/"+id+"/items", `{"input":"1"}`, 200)
	elsewhere := "/api/ui/projects/project-a2/datasets/"
	theirs := ask[struct{ ID string }](t, owner, "POST", elsewhere+"create", `{"name":"qa"}`, 201).ID
	const rows = `{"mapping":{"input":["a"]},"rows":["{\"a\":1}"]}`
	ids := fmt.Sprintf(`{"ids":[%q]}`, item.ID)
	owner.Ask(t, "POST", elsewhere+id+"/import", rows, 404)
	owner.Ask(t, "GET", elsewhere+id+"/export", "", 404)
	owner.Ask(t, "GET", elsewhere+id+"/versions", "", 404)
	owner.Ask(t, "POST", elsewhere+id+"/items/delete", ids, 404)
	owner.Ask(t, "GET", elsewhere+id+"/items/"+item.ID+"/versions", "", 404)
	holds(t, owner.Ask(t, "POST", elsewhere+theirs+"/items/delete", ids, 200), `"changed":0`)
	owner.Ask(t, "GET", elsewhere+theirs+"/items/"+item.ID+"?version="+item.UpdatedAt, "", 404)
	holds(t, owner.Ask(t, "GET", uiDatasets+"/"+id+"/items/"+item.ID, "", 200), `"status":"ACTIVE"`)
}

// TestBrokenItemsAreNamed shows that a schema is refused with the items that break it, up to a hundred.
func TestBrokenItemsAreNamed(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	one := uiDatasets + "/" + newDataset(t, member, `{"name":"qa"}`)
	var rows []string
	for n := range 101 {
		rows = append(rows, fmt.Sprintf(`{"key":"item%03d","in":%d}`, n, n))
	}
	ask[uiImported](t, member, "POST", one+"/import",
		asJSON(t, map[string]any{"mapping": map[string]any{"id": "key", "input": []string{"in"}}, "rows": rows}), 200)
	answer := member.Ask(t, "PATCH", one, `{"inputSchema":"{\"type\":\"string\"}"}`, 400)
	holds(t, answer, "Items that do not match it: 101. The first 100 are:", "item000 (must be string)")
	if got := strings.Count(answer, "must be string"); got != 100 {
		t.Errorf("%d items are named", got)
	}
}
