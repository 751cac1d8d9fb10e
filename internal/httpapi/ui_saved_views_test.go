package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

const viewsPath = uiProject + "/views"

type savedView struct {
	ID, Name, Table               string
	Shared                        bool
	State                         domain.ViewState
	IsMyDefault, IsProjectDefault bool
}

// views returns the names of the views that somebody sees, with suffixes for defaults and shared views.
func (b *browser) views(t *testing.T, path string) string {
	t.Helper()
	var list struct{ Views []savedView }
	if err := json.Unmarshal([]byte(b.ask(t, "GET", path, "", 200)), &list); err != nil {
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

func (b *browser) keepView(t *testing.T, path, name string, shared bool) savedView {
	t.Helper()
	var v savedView
	answer := b.ask(t, "POST", path, fmt.Sprintf(`{"name":%q,"table":"traces","shared":%v,"state":{"filter":"name;string;;=;x","sort":"latency.desc","cols":"a,b","environment":["p"]}}`, name, shared), 201)
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestUISavedViews(t *testing.T) {
	f := newFixture(t, nil)
	viewer := f.as(t, f.newMember(t, "viewer@a.test", domain.RoleViewer).ID)
	member := f.as(t, f.newMember(t, "member@a.test", domain.RoleMember).ID)
	other := f.as(t, f.newMember(t, "other@a.test", domain.RoleMember).ID)

	mine := viewer.keepView(t, viewsPath, "mine", false)
	if mine.State.Filter != "name;string;;=;x" || mine.State.Columns != "a,b" || len(mine.State.Environment) != 1 || mine.State.DateRange != "" {
		t.Errorf("what is kept: %+v", mine.State)
	}
	if got := viewer.ask(t, "POST", viewsPath, `{"name":"all","table":"traces","shared":true,"state":{}}`, 403); !strings.Contains(got, "This needs the role MEMBER") {
		t.Error(got)
	}
	ours := member.keepView(t, viewsPath, "ours", true)
	member.keepView(t, viewsPath, "draft", false)
	for who, want := range map[*browser]string{viewer: "mine ours*", member: "draft ours*", other: "ours*"} {
		if got := who.views(t, viewsPath); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}

	// Nobody can access the views of others, and viewers cannot change shared ones.
	for _, who := range []*browser{member, other} {
		who.ask(t, "GET", viewsPath+"/"+mine.ID, "", 404)
		who.ask(t, "PATCH", viewsPath+"/"+mine.ID, `{"name":"x"}`, 404)
		who.ask(t, "DELETE", viewsPath+"/"+mine.ID, "", 404)
		who.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+mine.ID+`"}`, 404)
		who.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+mine.ID+`"}`, 404)
	}
	viewer.ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"name":"x"}`, 403)
	viewer.ask(t, "PATCH", viewsPath+"/"+mine.ID, `{"shared":true}`, 403)
	viewer.ask(t, "DELETE", viewsPath+"/"+ours.ID, "", 403)
	viewer.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+ours.ID+`"}`, 403)
	viewer.ask(t, "PUT", viewsPath+"/default", `{"table":"observations","for":"me","viewId":"`+mine.ID+`"}`, 404)

	// Defaults of a person and of the project.
	viewer.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+mine.ID+`"}`, 204)
	other.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":"`+ours.ID+`"}`, 204)
	member.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"project","viewId":"`+ours.ID+`"}`, 204)
	if got := viewer.views(t, viewsPath); got != "mine! ours#*" {
		t.Error(got)
	}
	viewer.ask(t, "PUT", viewsPath+"/default", `{"table":"traces","for":"me","viewId":null}`, 204)
	if got := viewer.views(t, viewsPath); got != "mine ours#*" {
		t.Error(got)
	}

	// Making a shared view private removes it for everybody else.
	got := member.ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"name":"  renamed ","shared":false,"state":{"search":"word"}}`, 200)
	if !strings.Contains(got, `"name":"renamed"`) || !strings.Contains(got, `"state":{"search":"word"}`) || !strings.Contains(got, `"isProjectDefault":false`) {
		t.Error(got)
	}
	if got := other.views(t, viewsPath); got != "" {
		t.Error(got)
	}
	member.ask(t, "PATCH", viewsPath+"/"+ours.ID, `{"shared":true}`, 200)
	if got := other.views(t, viewsPath); got != "renamed*" {
		t.Error(got)
	}
	member.ask(t, "DELETE", viewsPath+"/"+ours.ID, "", 204)
	member.ask(t, "GET", viewsPath+"/"+ours.ID, "", 404)

	// The audit log records only shared views.
	owner := f.as(t, f.newMember(t, "owner@a.test", domain.RoleOwner).ID)
	log := owner.ask(t, "GET", uiProject+"/audit-log", "", 200)
	for text, want := range map[string]int{`"resourceType":"savedView"`: 4, `"resourceType":"defaultView"`: 1, "draft": 0, mine.ID: 0} {
		if n := strings.Count(log, text); n != want {
			t.Errorf("%s is %d times in the log, want %d: %s", text, n, want, log)
		}
	}
}

func TestUISavedViewLimits(t *testing.T) {
	f := newFixture(t, nil)
	b := f.as(t, f.newMember(t, "member@a.test", domain.RoleMember).ID)
	long := strings.Repeat("x", 17<<10)
	for _, body := range []string{
		`{}`, `{"name":"","table":"traces","state":{}}`, `{"name":"` + long[:101] + `","table":"traces","state":{}}`, `{"name":"a","table":"scores","state":{}}`,
		`{"name":"a","table":"traces"}`, `{"name":"a","table":"traces","state":{"x":1}}`, `{"name":"a","table":"traces","state":{"filter":"` + long + `"}}`,
		`{"name":"a","table":"traces","state":{"cols":"` + long[:8193] + `"}}`, `{"name":"a","table":"traces","state":{"environment":[""]}}`, `{"name":"a","table":"traces","state":{},"id":"x"}`,
	} {
		b.ask(t, "POST", viewsPath, body, 400)
	}
	v := b.keepView(t, viewsPath, "a", false)
	for _, body := range []string{`{}`, `{"table":"observations"}`, `{"name":7}`} {
		b.ask(t, "PATCH", viewsPath+"/"+v.ID, body, 400)
	}
	for _, body := range []string{`{}`, `{"table":"traces","for":"all","viewId":null}`, `{"table":"traces","for":"me","viewId":7}`} {
		b.ask(t, "PUT", viewsPath+"/default", body, 400)
	}
	for range catalog.MaxOwnViews - 1 {
		b.keepView(t, viewsPath, "a", false)
	}
	body := `{"name":"one too many","table":"traces","state":{}}`
	if got := b.ask(t, "POST", viewsPath, body, 409); !strings.Contains(got, "100 of your own") {
		t.Error(got)
	}
	if names := b.views(t, viewsPath); strings.Count(names, "a") != catalog.MaxOwnViews || strings.Contains(names, "many") {
		t.Error(names)
	}
	b.keepView(t, viewsPath, "shared", true)
}

// TestUISavedViewIsolation: a view of one project is not accessible from another.
func TestUISavedViewIsolation(t *testing.T) {
	f := newFixture(t, nil)
	a := newBelongingsOfA(t, f)
	user := f.newMember(t, "owner@a.test", domain.RoleOwner)
	b := f.as(t, user.ID)
	const next = "/api/ui/projects/project-a2/views"
	for _, shared := range []bool{false, true} {
		v := b.keepView(t, viewsPath, "canary of the catalog", shared)
		a.checkHidden(t, b.ask(t, "GET", next, "", 200))
		a.checkHidden(t, b.ask(t, "GET", next+"/"+v.ID, "", 404))
		b.ask(t, "PATCH", next+"/"+v.ID, `{"name":"x"}`, 404)
		b.ask(t, "DELETE", next+"/"+v.ID, "", 404)
		for _, whose := range []string{"me", "project"} {
			b.ask(t, "PUT", next+"/default", `{"table":"traces","for":"`+whose+`","viewId":"`+v.ID+`"}`, 404)
		}
	}
	if got := b.views(t, viewsPath); got != "canary of the catalog canary of the catalog*" {
		t.Error(got)
	}
}
