package datasets_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const (
	uiDatasets = apitest.UIProject + "/datasets"
	uiBrowse   = apitest.UIProject + "/query/datasets"
)

// ask returns the response to a request as a value.
func ask[T any](t *testing.T, b *apitest.Browser, method, path, body string, status int) (value T) {
	t.Helper()
	answer := b.Ask(t, method, path, body, status)
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	return value
}

func holds(t *testing.T, answer string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(answer, text) {
			t.Errorf("%q is missing in %s", text, answer)
		}
	}
}

type uiHeads struct {
	Folders  []struct{ Name string }
	Datasets []struct {
		ID, Name string
		Items    int
	}
	Cursor *string
	Total  int
}

func (h uiHeads) names() (names []string) {
	for _, f := range h.Folders {
		names = append(names, f.Name+"/")
	}
	for _, d := range h.Datasets {
		names = append(names, d.Name)
	}
	return names
}

type uiItem struct{ ID, Status, Input, UpdatedAt string }

func newDataset(t *testing.T, b *apitest.Browser, body string) string {
	t.Helper()
	return ask[struct{ ID string }](t, b, "POST", uiDatasets+"/create", body, 201).ID
}

func TestDatasetsAreBrowsedInFolders(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	for _, name := range []string{"b", "a/x", "a/deep/y", "C"} {
		newDataset(t, member, fmt.Sprintf(`{"name":%q,"description":"about %s"}`, name, name))
	}
	for body, want := range map[string][]string{
		`{}`:                   {"a/", "b", "C"},
		`{"folder":"a"}`:       {"a/deep/", "a/x"},
		`{"search":"ABOUT a"}`: {"a/deep/y", "a/x"},
		`{"search":"%"}`:       nil,
		`{"sort":{"by":"name","direction":"desc"}}`: {"a/", "C", "b"},
	} {
		if got := ask[uiHeads](t, member, "POST", uiBrowse, body, 200).names(); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", body, got, want)
		}
	}
	first := ask[uiHeads](t, member, "POST", uiBrowse, `{"limit":1}`, 200)
	second := ask[uiHeads](t, member, "POST", uiBrowse, fmt.Sprintf(`{"limit":1,"cursor":%q}`, *first.Cursor), 200)
	if got := second.names(); !slices.Equal(got, []string{"C"}) || second.Cursor != nil || second.Total != 2 {
		t.Errorf("the second page is %q", got)
	}
	member.Ask(t, "POST", uiBrowse, `{"cursor":"?"}`, 400)
	member.Ask(t, "POST", uiBrowse, `{"more":1}`, 400)
}

func TestDatasetsAreChangedAndDeleted(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "v@a.test", domain.RoleViewer).ID)
	id := newDataset(t, member, `{"name":"qa","metadata":"{\"n\": 12345678901234567890}"}`)
	other := newDataset(t, member, `{"name":"other"}`)
	one := uiDatasets + "/" + id

	holds(t, member.Ask(t, "POST", uiDatasets+"/create", `{"name":"qa"}`, 400), `"path":["name"]`, "Another dataset has this name")
	holds(t, member.Ask(t, "POST", uiDatasets+"/create", `{"name":"a//b"}`, 400), `"path":["name"]`, "two slashes in a row")
	holds(t, member.Ask(t, "POST", uiDatasets+"/create", `{}`, 400), `"path":["name"]`)
	holds(t, member.Ask(t, "PATCH", one, `{"name":"other"}`, 400), "Another dataset has this name")
	holds(t, member.Ask(t, "PATCH", one, `{"inputSchema":"{"}`, 400), `"path":["inputSchema"]`, "not valid JSON")
	holds(t, member.Ask(t, "PATCH", one, `{"inputSchema":"{\"type\":1}"}`, 400), `"path":["inputSchema"]`, "not a valid JSON Schema")
	holds(t, viewer.Ask(t, "GET", one+"/details", "", 200), `"name":"qa"`, `{\"n\":12345678901234567890}`)
	holds(t, viewer.Ask(t, "GET", uiDatasets+"/qa/details", "", 200), id)
	viewer.Ask(t, "PATCH", one, `{"name":"x"}`, 403)
	viewer.Ask(t, "DELETE", one, "", 403)
	viewer.Ask(t, "POST", uiDatasets+"/create", `{"name":"x"}`, 403)

	ask[uiItem](t, member, "POST", one+"/items", `{"input":"{\"q\":1}"}`, 200)
	holds(t, member.Ask(t, "PATCH", one, `{"inputSchema":"{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\"}}}"}`, 400),
		`"path":["inputSchema"]`, "Items that do not match it: 1.", "/q: must be string")
	holds(t, member.Ask(t, "PATCH", one, `{"name":"renamed","description":"d","inputSchema":"{\"type\":\"object\"}","metadata":""}`, 200),
		`"name":"renamed"`, `"description":"d"`, `"metadata":null`, `{\"type\":\"object\"}`, `"items":1`)
	holds(t, member.Ask(t, "PATCH", one, `{"inputSchema":""}`, 200), `"inputSchema":null`, `"description":"d"`)

	member.Ask(t, "DELETE", one, "", 204)
	member.Ask(t, "DELETE", one, "", 404)
	member.Ask(t, "GET", one+"/details", "", 404)
	member.Ask(t, "PATCH", one, `{"name":"x"}`, 404)
	member.Ask(t, "POST", one+"/items", `{"input":"1"}`, 404)
	member.Ask(t, "POST", one+"/items/query", `{}`, 404)
	holds(t, member.Ask(t, "GET", uiDatasets+"/"+other+"/details", "", 200), `"name":"other"`)
}

func TestItemsAreSavedAndBrowsed(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "m@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "v@a.test", domain.RoleViewer).ID)
	id := newDataset(t, member, `{"name":"qa","inputSchema":"{\"type\":\"object\",\"required\":[\"q\"],\"properties\":{\"q\":{\"type\":\"string\"}}}"}`)
	other := newDataset(t, member, `{"name":"other"}`)
	items := uiDatasets + "/" + id + "/items"

	holds(t, member.Ask(t, "POST", items, `{"input":"{\"q\":1}"}`, 400), `"path":["input"]`, "/q: must be string")
	holds(t, member.Ask(t, "POST", items, `{"input":"plain"}`, 400), `"path":["input"]`, "Text needs quotes")
	holds(t, member.Ask(t, "POST", items, `{"expectedOutput":"1"}`, 400), `"path":["input"]`, "An item needs an input")
	viewer.Ask(t, "POST", items, `{"input":"{\"q\":\"x\"}"}`, 403)

	first := ask[uiItem](t, member, "POST", items, `{"input":"{\"q\": \"What is 50% of C:\\\\x?\"}","expectedOutput":"1.50"}`, 200)
	second := ask[uiItem](t, member, "POST", items, `{"input":"{\"q\":\"two\"}"}`, 200)
	if first.Input != `{"q":"What is 50% of C:\\x?"}` {
		t.Errorf("stored %s", first.Input)
	}
	item := items + "/" + first.ID
	holds(t, viewer.Ask(t, "GET", item, "", 200), `"expectedOutput":"1.50"`)
	viewer.Ask(t, "GET", uiDatasets+"/"+other+"/items/"+first.ID, "", 404)

	holds(t, member.Ask(t, "POST", items, fmt.Sprintf(`{"id":%q,"input":"1"}`, first.ID), 400), `"path":["base"]`)
	change := fmt.Sprintf(`{"id":%q,"base":%q,"expectedOutput":"","status":"ARCHIVED"}`, first.ID, first.UpdatedAt)
	holds(t, member.Ask(t, "POST", items, change, 200), `"expectedOutput":null`, `"status":"ARCHIVED"`)
	holds(t, member.Ask(t, "POST", items, change, 409), "changed or deleted")

	type page struct {
		Items  []uiItem
		Cursor *string
	}
	ids := func(body string) (ids []string) {
		for _, i := range ask[page](t, viewer, "POST", items+"/query", body, 200).Items {
			ids = append(ids, i.ID)
		}
		return ids
	}
	for body, want := range map[string][]string{
		`{}`:                             {first.ID, second.ID},
		`{"status":"ACTIVE"}`:            {second.ID},
		`{"status":"ARCHIVED"}`:          {first.ID},
		`{"search":"TWO"}`:               {second.ID},
		`{"search":"50%"}`:               {first.ID},
		`{"search":"c:\\x"}`:             {first.ID},
		`{"search":"_"}`:                 nil,
		`{"search":"` + second.ID + `"}`: {second.ID},
	} {
		if got := ids(body); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", body, got, want)
		}
	}
	cursor := ask[page](t, viewer, "POST", items+"/query", `{"limit":1}`, 200).Cursor
	if got := ids(fmt.Sprintf(`{"limit":1,"cursor":%q}`, *cursor)); !slices.Equal(got, []string{second.ID}) {
		t.Errorf("the second page has %q", got)
	}
	viewer.Ask(t, "POST", items+"/query", `{"status":"DELETED"}`, 400)
	member.Ask(t, "DELETE", apitest.UIProject+"/dataset-items/"+first.ID, "", 200)
	if got := ids(`{}`); !slices.Equal(got, []string{second.ID}) {
		t.Errorf("after the deletion: %q", got)
	}
}
