package ui_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const viewsPath = apitest.UIProject + "/views"

type savedView struct {
	ID, Name, Table               string
	Shared                        bool
	State                         domain.ViewState
	IsMyDefault, IsProjectDefault bool
}

// views returns the names of the views that somebody sees, with suffixes for defaults and shared views.
func views(t *testing.T, b *apitest.Browser, path string) string {
	t.Helper()
	var list struct{ Views []savedView }
	if err := json.Unmarshal([]byte(b.Ask(t, "GET", path, "", 200)), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range list.Views {
		name := v.Name
		if v.IsMyDefault {
			name += "!"
		}
		if v.IsProjectDefault {
			name += "#"
		}
		if v.Shared {
			name += "*"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func keepView(t *testing.T, b *apitest.Browser, path, name string, shared bool) savedView {
	t.Helper()
	var v savedView
	answer := b.Ask(t, "POST", path,
		fmt.Sprintf(`{"name":%q,"table":"traces","shared":%v,"state":{"filter":"name;string;;=;x","sort":"latency.desc","cols":"a,b","environment":["p"]}}`, name, shared), 201)
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestUISavedViews(t *testing.T) {
	f := apitest.New(t, nil)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	other := f.As(t, f.NewMember(t, "other@a.test", domain.RoleMember).ID)

	mine := keepView(t, viewer, viewsPath, "mine", false)
	if mine.State.Filter != "name;string;;=;x" || mine.State.Columns != "a,b" || len(mine.State.Environment) != 1 ||
		mine.State.DateRange != "" {
		t.Errorf("what is kept: %+v", mine.State)
	}
	if got := viewer.Ask(t, "POST", viewsPath, `{"name":"all","table":"traces","shared":true,"state":{}}`, 403); !strings.Contains(got,
		"This needs the role MEMBER") {
		t.Error(got)
	}
	ours := keepView(t, member, viewsPath, "ours", true)
	keepView(t, member, viewsPath, "draft", false)
	for who, want := range map[*apitest.Browser]string{viewer: "mine ours*", member: "draft ours*", other: "ours*"} {
		if got := views(t, who, viewsPath); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}

	// Nobody can access the views of others, and viewers cannot change shared ones.
	for _, who := range []*apitest.Browser{member, other} {
		who.Ask(t, "GET", viewsPath+"/"+mine.ID, "", 404)
		who.Ask(t, "PATCH", viewsPath+"/"+mine.ID, `{"name":"x"}`, 404)
		who.Ask(t, "DELETE", viewsPath+"/"+mine.ID, "", 404)
		who.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+mine.ID+`"}`, 404)
		who.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+mine.ID+`"}`, 404)
	}
	viewer.Ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"name":"x"}`, 403)
	viewer.Ask(t, "PATCH", viewsPath+"/"+mine.ID, `{"shared":true}`, 403)
	viewer.Ask(t, "DELETE", viewsPath+"/"+ours.ID, "", 403)
	viewer.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+ours.ID+`"}`, 403)
	viewer.Ask(t, "PUT", viewsPath+"/default", `{"table":"observations","for":"me","viewId":"`+mine.ID+`"}`, 404)

	// Defaults of a person and of the project.
	viewer.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+mine.ID+`"}`, 204)
	other.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+ours.ID+`"}`, 204)
	member.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+ours.ID+`"}`, 204)
	if got := views(t, viewer, viewsPath); got != "mine! ours#*" {
		t.Error(got)
	}
	viewer.Ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":null}`, 204)
	if got := views(t, viewer, viewsPath); got != "mine ours#*" {
		t.Error(got)
	}

	// Making a shared view private removes it for everybody else.
	got := member.Ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"name":"  renamed ","shared":false,"state":{"search":"word"}}`, 200)
	if !strings.Contains(got, `"name":"renamed"`) || !strings.Contains(got, `"state":{"search":"word"}`) ||
		!strings.Contains(got, `"isProjectDefault":false`) {
		t.Error(got)
	}
	if got := views(t, other, viewsPath); got != "" {
		t.Error(got)
	}
	member.Ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"shared":true}`, 200)
	if got := views(t, other, viewsPath); got != "renamed*" {
		t.Error(got)
	}
	member.Ask(t, "DELETE", viewsPath+"/"+ours.ID, "", 204)
	member.Ask(t, "GET", viewsPath+"/"+ours.ID, "", 404)

	// The audit log records only shared views.
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	log := owner.Ask(t, "GET", apitest.UIProject+"/audit-log", "", 200)
	for text, want := range map[string]int{`"resourceType":"savedView"`: 4, `"resourceType":"defaultView"`: 1, "draft": 0, mine.ID: 0} {
		if n := strings.Count(log, text); n != want {
			t.Errorf("%s is %d times in the log, want %d: %s", text, n, want, log)
		}
	}
}

func TestUISavedViewLimits(t *testing.T) {
	f := apitest.New(t, nil)
	b := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	long := strings.Repeat("x", 17<<10)
	for _, body := range []string{
		`{}`, `{"name":"","table":"traces","state":{}}`, `{"name":"` + long[:101] + `","table":"traces","state":{}}`,
		`{"name":"a","table":"scores","state":{}}`,
		`{"name":"a","table":"traces"}`, `{"name":"a","table":"traces","state":{"x":1}}`,
		`{"name":"a","table":"traces","state":{"filter":"` + long + `"}}`,
		`{"name":"a","table":"traces","state":{"cols":"` + long[:8193] + `"}}`,
		`{"name":"a","table":"traces","state":{"environment":[""]}}`, `{"name":"a","table":"traces","state":{},"id":"x"}`,
	} {
		b.Ask(t, "POST", viewsPath, body, 400)
	}
	v := keepView(t, b, viewsPath, "a", false)
	for _, body := range []string{`{}`, `{"table":"observations"}`, `{"name":7}`} {
		b.Ask(t, "PATCH", viewsPath+"/"+v.ID, body, 400)
	}
	for _, body := range []string{`{}`, `{"table":"traces","for":"all","viewId":null}`, `{"table":"traces","for":"me","viewId":7}`} {
		b.Ask(t, "PUT", viewsPath+"/default", body, 400)
	}
	for range catalog.MaxOwnViews - 1 {
		keepView(t, b, viewsPath, "a", false)
	}
	body := `{"name":"one too many","table":"traces","state":{}}`
	if got := b.Ask(t, "POST", viewsPath, body, 409); !strings.Contains(got, "100 of your own") {
		t.Error(got)
	}
	if names := views(t, b, viewsPath); strings.Count(names, "a") != catalog.MaxOwnViews || strings.Contains(names, "many") {
		t.Error(names)
	}
	keepView(t, b, viewsPath, "shared", true)
}

// TestUISavedViewIsolation: a view of one project is not accessible from another.
func TestUISavedViewIsolation(t *testing.T) {
	f := apitest.New(t, nil)
	a := apitest.NewBelongingsOfA(t, f)
	user := f.NewMember(t, "owner@a.test", domain.RoleOwner)
	b := f.As(t, user.ID)
	const next = "/api/ui/projects/project-a2/views"
	for _, shared := range []bool{false, true} {
		v := keepView(t, b, viewsPath, "canary of the catalog", shared)
		a.CheckHidden(t, b.Ask(t, "GET", next, "", 200))
		a.CheckHidden(t, b.Ask(t, "GET", next+"/"+v.ID, "", 404))
		b.Ask(t, "PATCH", next+"/"+v.ID, `{"name":"x"}`, 404)
		b.Ask(t, "DELETE", next+"/"+v.ID, "", 404)
		for _, whose := range []string{"me", "project"} {
			b.Ask(t, "PUT", next+"/default", `{"table":"traces","for":"`+whose+`","viewId":"`+v.ID+`"}`, 404)
		}
	}
	if got := views(t, b, viewsPath); got != "canary of the catalog canary of the catalog*" {
		t.Error(got)
	}
}
