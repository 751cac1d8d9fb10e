package prompts_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const (
	uiPrompts = apitest.UIProject + "/prompts"
	uiBrowse  = apitest.UIProject + "/query/prompts"
	uiLabels  = apitest.UIProject + "/prompt-labels"
	uiDeleted = apitest.UIProject + "/deleted-prompts"
)

// people are the members of a project by their roles.
type people struct{ admin, member, viewer *apitest.Browser }

func newPeople(t *testing.T, f *apitest.Fixture) people {
	t.Helper()
	as := func(role domain.Role) *apitest.Browser {
		return f.As(t, f.NewMember(t, strings.ToLower(string(role))+"@a.test", role).ID)
	}
	return people{as(domain.RoleAdmin), as(domain.RoleMember), as(domain.RoleViewer)}
}

// ask returns the response to a request as a value.
func ask[T any](t *testing.T, b *apitest.Browser, method, path, body string, status int) (value T) {
	t.Helper()
	answer := b.Ask(t, method, path, body, status)
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	return value
}

// holds checks that a response contains some texts.
func holds(t *testing.T, answer string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(answer, text) {
			t.Errorf("%q is missing in %s", text, answer)
		}
	}
}

func saveText(t *testing.T, b *apitest.Browser, name, text string, base int, more string) {
	t.Helper()
	version := "null"
	if base > 0 {
		version = strconv.Itoa(base)
	}
	b.Ask(t, "POST", uiPrompts, fmt.Sprintf(`{"name":%q,"type":"text","prompt":%q,"baseVersion":%s%s}`, name, text, version, more), 201)
}

type heads struct {
	Folders []struct {
		Name    string
		Prompts int
	}
	Prompts []struct {
		Name   string
		Labels map[string]int
		Tags   []string
		Latest struct {
			Version   int
			CreatedBy struct{ ID string }
		}
	}
	Cursor *string
	Total  int
}

func (h heads) String() string {
	var names []string
	for _, folder := range h.Folders {
		names = append(names, fmt.Sprintf("%s/(%d)", folder.Name, folder.Prompts))
	}
	for _, p := range h.Prompts {
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

func TestUIBrowsePrompts(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "alone", "50% of \"it\"", 0, `,"tags":["Red"]`)
	saveText(t, p.member, "a/one", "first", 0, `,"labels":["production"]`)
	saveText(t, p.member, "a/two", "second", 0, "")
	saveText(t, p.member, "a/b/three", "third", 0, "")
	p.member.Ask(t, "POST", uiPrompts, `{"name":"chat","type":"chat","prompt":[{"role":"user","content":"say content"}]}`, 201)
	p.member.Ask(t, "POST", uiPrompts, `{"name":"chat2","type":"chat","prompt":[{"role":"user","content":"nothing"}]}`, 201)
	for body, want := range map[string]string{
		`{}`:                "a/(3) alone chat chat2",
		`{"folder":"a"}`:    "a/b/(1) a/one a/two",
		`{"folder":"a/b/"}`: "a/b/three",
		`{"folder":"A"}`:    "",
		`{"search":"o"}`:    "a/one a/two alone",
		`{"search":"RED"}`:  "alone",
		`{"search":"%"}`:    "",
		`{"search":"50% of \"IT","in":"content"}`:                     "alone",
		`{"search":"content","in":"content"}`:                         "chat",
		`{"search":"role","in":"content"}`:                            "",
		`{"label":"production"}`:                                      "a/one",
		`{"tag":"Red"}`:                                               "alone",
		`{"type":"chat"}`:                                             "chat chat2",
		`{"folder":"a","search":"t"}`:                                 "a/b/three a/two",
		`{"search":"t","sort":{"by":"name","direction":"desc"}}`:      "chat2 chat a/two a/b/three",
		`{"type":"chat","sort":{"by":"createdAt","direction":"asc"}}`: "chat chat2",
	} {
		if got := ask[heads](t, p.viewer, "POST", uiBrowse, body, 200).String(); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	id := ask[struct{ ID string }](t, p.viewer, "GET", uiPrompts+"/a%2Ftwo/versions/1", "", 200).ID
	for versionID, want := range map[string]string{id: "a/two", "none": ""} {
		if got := ask[heads](t, p.viewer, "POST", uiBrowse, fmt.Sprintf(`{"versionId":%q}`, versionID), 200).String(); got != want {
			t.Errorf("the prompt of version %s: %q, want %q", versionID, got, want)
		}
	}
	// Pages.
	var names []string
	cursor := "null"
	for range 4 {
		page := ask[heads](t, p.viewer, "POST", uiBrowse, `{"limit":1,"cursor":`+cursor+`}`, 200)
		names = append(names, page.String())
		if page.Cursor == nil {
			break
		}
		cursor = `"` + *page.Cursor + `"`
	}
	if got, want := strings.Join(names, ","), "a/(3) alone,chat,chat2"; got != want {
		t.Errorf("pages %q, want %q", got, want)
	}
	one := ask[heads](t, p.viewer, "POST", uiBrowse, `{"label":"production"}`, 200).Prompts[0]
	if one.Labels["production"] != 1 || one.Labels["latest"] != 1 || one.Latest.Version != 1 || one.Latest.CreatedBy.ID == "API" {
		t.Errorf("a prompt in the list: %+v", one)
	}
	for _, body := range []string{
		`{"limit":0}`, `{"limit":101}`, `{"cursor":"x!"}`, `{"in":"x"}`, `{"sort":{"by":"x","direction":"asc"}}`, `{"other":1}`,
	} {
		p.viewer.Ask(t, "POST", uiBrowse, body, 400)
	}

	// Names.
	check := func(name string) string {
		return p.viewer.Ask(t, "POST", uiPrompts+"/check-name", fmt.Sprintf(`{"name":%q}`, name), 200)
	}
	holds(t, check("a"), `"valid":true`, `"exists":false`, `"newest":null`, `"inFolder":3`)
	holds(t, check("a/one"), `"exists":true`, `"type":"text"`, `"newest":1`)
	holds(t, check("new"), `"valid":false`, "reserved")
	holds(t, check(""), `"valid":false`)
}

func TestUIPromptVersions(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "d/p", "one", 0, `,"labels":["production"],"commitMessage":"first"`)

	// What has not changed is not saved, whatever the order of keys.
	p.member.Ask(t, "POST", uiPrompts, `{"name":"d/q","type":"text","prompt":"x","config":{"a":1,"b":2}}`, 201)
	same := `{"name":"d/q","type":"text","prompt":"x","config":{"b":2,"a":1},"labels":["dev"],"baseVersion":1`
	holds(t, p.member.Ask(t, "POST", uiPrompts, same+`}`, 200), `"unchanged":true`, `"version":1`, `"labels":["latest"]`)
	holds(t, p.member.Ask(t, "POST", uiPrompts, same+`,"evenIfUnchanged":true}`, 201), `"unchanged":false`, `"version":2`)

	// Two people who edit at once.
	holds(t, p.member.Ask(t, "POST", uiPrompts, `{"name":"d/p","type":"text","prompt":"mine"}`, 409), "name already", `"newest":1`)
	saveText(t, p.admin, "d/p", "two", 1, `,"commitMessage":"theirs"`)
	holds(t, p.member.Ask(t, "POST", uiPrompts, `{"name":"d/p","type":"text","prompt":"mine","baseVersion":1}`, 409),
		`"newest":2`, `"commitMessage":"theirs"`, `"version":2`)
	saveText(t, p.member, "d/p", "mine", 2, "")
	p.member.Ask(t, "POST", uiPrompts, `{"name":"gone","type":"text","prompt":"x","baseVersion":3}`, 409)
	p.member.Ask(t, "POST", uiPrompts, `{"name":"d/p","type":"chat","prompt":[],"baseVersion":3}`, 400)
	p.member.Ask(t, "POST", uiPrompts, `{"name":"x|y","type":"text","prompt":"x"}`, 400)
	p.member.Ask(t, "POST", uiPrompts, `{"name":"r","type":"text","prompt":"@@@langfusePrompt:name=none|label=a@@@"}`, 400)
	p.viewer.Ask(t, "POST", uiPrompts, `{"name":"x","type":"text","prompt":"x"}`, 403)

	type list struct {
		Newest, Total    int
		Labels           map[string]int
		CanMoveProtected bool
		Cursor           *string
		Versions         []struct {
			Version int
			Hash    *string
			Labels  []string
		}
	}
	const versions = uiPrompts + "/d%2Fp/versions"
	all := ask[list](t, p.viewer, "GET", versions, "", 200)
	if all.Newest != 3 || all.Total != 3 || len(all.Versions) != 3 || all.Versions[0].Version != 3 || all.CanMoveProtected ||
		all.Labels["production"] != 1 || all.Versions[0].Hash == nil || *all.Versions[0].Hash == *all.Versions[1].Hash {
		t.Errorf("versions: %+v", all)
	}
	if page := ask[list](t, p.viewer, "GET", versions+"?limit=2", "", 200); page.Cursor == nil || len(page.Versions) != 2 {
		t.Errorf("the first page: %+v", page)
	} else if rest := ask[list](t, p.viewer, "GET", versions+"?limit=2&cursor="+*page.Cursor, "", 200); rest.Cursor != nil ||
		len(rest.Versions) != 1 || rest.Versions[0].Version != 1 {
		t.Errorf("the second page: %+v", rest)
	}
	for search, want := range map[string]int{"2": 2, "v1": 1, "PROD": 1, "theirs": 2, "99999999999": 0, "x": 0} {
		found := ask[list](t, p.viewer, "GET", versions+"?search="+search, "", 200)
		if len(found.Versions) != min(want, 1) || want > 0 && found.Versions[0].Version != want {
			t.Errorf("search %q: %+v", search, found.Versions)
		}
	}
	p.viewer.Ask(t, "GET", uiPrompts+"/none/versions", "", 404)
	p.viewer.Ask(t, "GET", versions+"?limit=101", "", 400)

	// One version, with its references.
	saveText(t, p.member, "outer", "see @@@langfusePrompt:name=d/p|label=production@@@", 0, "")
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/outer/versions/latest", "", 200), `"resolved":null`, `"label":"production"`, `"problem":null`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/outer/versions/1?resolve=true", "", 200), `"resolved":{"prompt":"see one"`, `"name":"d/p"`)
	p.viewer.Ask(t, "GET", uiPrompts+"/outer/versions/2", "", 404)
	p.viewer.Ask(t, "GET", uiPrompts+"/outer/versions/0", "", 404)
	p.viewer.Ask(t, "GET", uiPrompts+"/outer/versions/x", "", 400)

	// Labels move, and those that others refer to stay.
	holds(t, p.member.Ask(t, "PUT", versions+"/3/labels", `{"labels":["production","dev"]}`, 200),
		`{"label":"production","from":1,"to":3}`, `{"label":"dev","from":null,"to":3}`, `"production":3`)
	holds(t, p.member.Ask(t, "PUT", versions+"/3/labels", `{"labels":["dev"]}`, 409), `"dependents":[{"name":"outer","version":1,"latest":true`)
	p.member.Ask(t, "PUT", versions+"/3/labels", `{"labels":["latest"]}`, 400)
	p.member.Ask(t, "PUT", versions+"/3/labels", `{"labels":["UPPER"]}`, 400)
	p.member.Ask(t, "PUT", versions+"/9/labels", `{"labels":[]}`, 404)
	p.viewer.Ask(t, "PUT", versions+"/3/labels", `{"labels":[]}`, 403)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/d%2Fp/label-moves", "", 200), `"label":"production","from":1,"to":3`,
		`"label":"production","from":null,"to":1`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/d%2Fp/label-moves?limit=1", "", 200), `"cursor":"`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/d%2Fp/dependents", "", 200), `"by":{"label":"production"}`)

	holds(t, p.member.Ask(t, "PUT", uiPrompts+"/d%2Fp/tags", `{"tags":["a","a","b"]}`, 200), `{"tags":["a","b"]}`)
	p.member.Ask(t, "PUT", uiPrompts+"/none/tags", `{"tags":[]}`, 404)
	p.viewer.Ask(t, "PUT", uiPrompts+"/d%2Fp/tags", `{"tags":[]}`, 403)
	// A prompt of a megabyte.
	long := strings.Repeat("long ", 1<<20/5)
	saveText(t, p.member, "long", long, 0, "")
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/long/versions/1", "", 200), long)
}

func TestUIProtectedLabels(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "p", "one", 0, `,"labels":["production","dev"]`)
	saveText(t, p.member, "p", "two", 1, "")
	p.member.Ask(t, "PUT", uiPrompts+"/p/tags", `{"tags":["b","a"]}`, 200)
	saveText(t, p.member, "tagged", "three", 0, `,"tags":["b","c"]`)
	p.member.Ask(t, "PUT", uiLabels, `{"protected":["production"]}`, 403)
	p.admin.Ask(t, "PUT", uiLabels, `{"protected":["latest"]}`, 400)
	holds(t, p.admin.Ask(t, "PUT", uiLabels, `{"protected":["production"]}`, 200), `{"label":"production","prompts":1,"protected":true}`,
		`{"label":"dev","prompts":1,"protected":false}`)
	holds(t, p.viewer.Ask(t, "GET", uiLabels, "", 200), `"protected":["production"]`, `"tags":["a","b","c"]`)

	const version2 = uiPrompts + "/p/versions/2/labels"
	refused := []string{
		p.member.Ask(t, "PUT", version2, `{"labels":["production"]}`, 403),
		p.member.Ask(t, "PUT", uiPrompts+"/p/versions/1/labels", `{"labels":["dev"]}`, 403),
		p.member.Ask(t, "POST", uiPrompts, `{"name":"p","type":"text","prompt":"x","labels":["production"],"baseVersion":2}`, 403),
		p.member.Ask(t, "DELETE", uiPrompts+"/p?version=1", "", 403),
		p.member.Ask(t, "DELETE", uiPrompts+"/p", "", 403),
		p.member.Ask(t, "POST", uiPrompts+"/copy", `{"name":"p","to":"q","versions":"all","labels":"keep"}`, 403),
		p.member.Ask(t, "POST", apitest.UIProject+"/v2/prompts", `{"name":"n","prompt":"x","labels":["production"]}`, 403),
		p.member.Ask(t, "PATCH", apitest.UIProject+"/v2/prompts/p/versions/2", `{"newLabels":["production"]}`, 403),
		p.member.Ask(t, "DELETE", apitest.UIProject+"/v2/prompts/p", "", 403),
	}
	for _, answer := range refused {
		holds(t, answer, "project:admin", "production")
	}
	// What does not concern them is allowed, and administrators may do it.
	p.member.Ask(t, "PUT", version2, `{"labels":["dev"]}`, 200)
	p.admin.Ask(t, "PUT", version2, `{"labels":["dev","production"]}`, 200)
	p.member.Ask(t, "DELETE", uiPrompts+"/p?version=1", "", 200)
	d := ask[struct{ ID string }](t, p.admin, "DELETE", uiPrompts+"/p", "", 200)
	p.member.Ask(t, "POST", uiDeleted+"/"+d.ID+"/restore", "", 403)
	p.admin.Ask(t, "POST", uiDeleted+"/"+d.ID+"/restore", "", 200)
}

func TestUIRestorePrompts(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "part", "part", 0, "")
	saveText(t, p.member, "p", "one", 0, `,"labels":["production"],"tags":["t"]`)
	saveText(t, p.member, "p", "two @@@langfusePrompt:name=part|version=1@@@", 1, `,"labels":["dev"]`)
	p.viewer.Ask(t, "DELETE", uiPrompts+"/p", "", 403)
	p.member.Ask(t, "DELETE", uiPrompts+"/none", "", 404)
	p.member.Ask(t, "DELETE", uiPrompts+"/p?version=0", "", 400)
	holds(t, p.member.Ask(t, "DELETE", uiPrompts+"/part", "", 409), `"dependents":[{"name":"p","version":2`)

	d := ask[struct {
		ID       string
		Versions int
	}](t, p.member, "DELETE", uiPrompts+"/p", "", 200)
	if d.Versions != 2 {
		t.Errorf("the deletion: %+v", d)
	}
	// It is served to nobody, and its name can be used.
	p.viewer.Ask(t, "GET", uiPrompts+"/p/versions", "", 404)
	p.viewer.Ask(t, "GET", apitest.UIProject+"/v2/prompts/p", "", 404)
	if got := ask[heads](t, p.viewer, "POST", uiBrowse, `{}`, 200).String(); got != "part" {
		t.Errorf("after the deletion: %q", got)
	}
	holds(t, p.viewer.Ask(t, "GET", uiDeleted, "", 200), d.ID, `"first":1,"last":2,"labels":["dev","production"]`)
	saveText(t, p.member, "p", "new", 0, `,"labels":["production"]`)
	p.viewer.Ask(t, "POST", uiDeleted+"/"+d.ID+"/restore", "", 403)
	holds(t, p.member.Ask(t, "POST", uiDeleted+"/"+d.ID+"/restore", "", 200),
		`"versions":[{"was":1,"version":3},{"was":2,"version":2}]`, `"labels":["dev"]`, `"keptBack":["production"]`)
	p.member.Ask(t, "POST", uiDeleted+"/"+d.ID+"/restore", "", 404)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/p/versions/2?resolve=true", "", 200), `"resolved":{"prompt":"two part"`, `"labels":["dev"]`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/p/versions/latest", "", 200), `"version":3`, `"prompt":"one"`)

	// A version alone, whose label latest passes on and comes back.
	one := ask[struct{ ID string }](t, p.member, "DELETE", uiPrompts+"/p?version=3", "", 200)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/p/versions/latest", "", 200), `"version":2`)
	holds(t, p.member.Ask(t, "POST", uiDeleted+"/"+one.ID+"/restore", "", 200), `"versions":[{"was":3,"version":3}]`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/p/versions/latest", "", 200), `"version":3`)
	// Another type has taken the name.
	kind := ask[struct{ ID string }](t, p.member, "DELETE", uiPrompts+"/p", "", 200)
	p.member.Ask(t, "POST", uiPrompts, `{"name":"p","type":"chat","prompt":[]}`, 201)
	p.member.Ask(t, "POST", uiDeleted+"/"+kind.ID+"/restore", "", 409)
	// Another project cannot restore it.
	p.member.Ask(t, "POST", "/api/ui/projects/project-b/deleted-prompts/"+kind.ID+"/restore", "", 404)
}

func TestUICopyPrompts(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "f/part", "part", 0, `,"labels":["production"],"tags":["t"]`)
	saveText(t, p.member, "f/part", "part 2", 1, "")
	saveText(t, p.member, "f/whole", "a @@@langfusePrompt:name=f/part|version=2@@@ b", 0, "")
	const path = uiPrompts + "/copy"
	holds(t, p.member.Ask(t, "POST", path, `{"name":"f/part","to":"p","versions":"all","labels":"keep"}`, 200),
		`{"from":"f/part","to":"p","versions":[1,2]}`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/p/versions", "", 200), `"labels":{"latest":2,"production":1}`, `"tags":["t"]`)
	holds(t, p.member.Ask(t, "POST", path, `{"name":"f/part","to":"p","versions":"latest","labels":"drop"}`, 409), `"taken":["p"]`)

	folder := `{"folder":"f","to":"g","versions":"latest","labels":"drop","rewriteReferences":true`
	p.member.Ask(t, "POST", path, folder+`,"dryRun":true}`, 200)
	p.viewer.Ask(t, "GET", uiPrompts+"/g%2Fwhole/versions", "", 404)
	p.member.Ask(t, "POST", path, folder+`}`, 200)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/g%2Fwhole/versions/1?resolve=true", "", 200), `name=g/part|version=1`,
		`"prompt":"a part 2 b"`)
	for _, body := range []string{
		`{"to":"x","versions":"all","labels":"keep"}`, `{"name":"a","folder":"b","to":"x","versions":"all","labels":"keep"}`,
		`{"folder":"f","to":"f/x","versions":"all","labels":"keep"}`,
		`{"folder":"/","to":"all","versions":"all","labels":"keep"}`, `{"name":"p","to":"x|y","versions":"all","labels":"keep"}`,
		`{"name":"p","to":"x","versions":"some","labels":"keep"}`,
	} {
		p.member.Ask(t, "POST", path, body, 400)
	}
	p.member.Ask(t, "POST", path, `{"name":"none","to":"x","versions":"all","labels":"keep"}`, 404)
	p.viewer.Ask(t, "POST", path, `{"name":"p","to":"x","versions":"all","labels":"keep"}`, 403)
	// Projects that somebody cannot see are not there.
	p.member.Ask(t, "POST", path, `{"name":"p","to":"x","versions":"all","labels":"keep","targetProjectId":"nowhere"}`, 404)
}

func TestUIPromptFiles(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	saveText(t, p.member, "a/p", "one", 0, `,"labels":["production"],"config":{"x":1},"tags":["t"]`)
	saveText(t, p.member, "a/p", "two", 1, `,"commitMessage":"why"`)
	saveText(t, p.member, "b", "b", 0, "")
	const path = uiPrompts + "/export"
	if got, want := p.viewer.Ask(t, "GET", path+"?folder=a&versions=all", "", 200),
		`[{"name":"a/p","version":1,"type":"text","prompt":"one","config":{"x":1},"tags":["t"],"labels":["production"],"commitMessage":null},`+
			`{"name":"a/p","version":2,"type":"text","prompt":"two","config":{},"tags":["t"],"labels":["latest"],"commitMessage":"why"}]`; got != want {
		t.Errorf("the file of the folder: %s", got)
	}
	holds(t, p.viewer.Ask(t, "GET", path+"?label=production", "", 200), `"version":1`)
	file := p.viewer.Ask(t, "GET", path, "", 200)
	if strings.Count(file, `"name"`) != 2 {
		t.Errorf("the file of the latest versions: %s", file)
	}
	p.viewer.Ask(t, "GET", path+"?versions=some", "", 400)

	send := func(entries, more string, status int) string {
		return p.member.Ask(t, "POST", uiPrompts+"/import", `{"entries":`+entries+more+`}`, status)
	}
	if got := send(file, "", 200); strings.Count(got, `"unchanged"`) != 2 {
		t.Errorf("importing what is there: %s", got)
	}
	// Entries may refer to later ones; those that cannot be stored leave others alone.
	entries := `[{"name":"c","prompt":"@@@langfusePrompt:name=d|version=1@@@"},{"name":"d","prompt":"d","labels":["latest","x"]},` +
		`{"name":"b","type":"chat","prompt":[]},{"name":"a/p","prompt":"three"}]`
	for more, want := range map[string][]string{
		`,"dryRun":true`: {
			`{"index":0,"name":"c","outcome":"created","version":1,"message":null}`, `{"index":1,"name":"d","outcome":"created"`,
			`{"index":2,"name":"b","outcome":"failed","version":null,"message":"The versions of prompt`, `"version":3`,
		},
		`,"dryRun":true,"onExists":"skip"`: {`{"index":2,"name":"b","outcome":"skipped"`, `{"index":3,"name":"a/p","outcome":"skipped"`},
	} {
		holds(t, send(entries, more, 200), want...)
	}
	p.viewer.Ask(t, "GET", uiPrompts+"/c/versions", "", 404)
	send(entries, `,"labels":"keep"`, 200)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/d/versions", "", 200), `"labels":{"latest":1,"x":1}`)
	holds(t, p.viewer.Ask(t, "GET", uiPrompts+"/c/versions/1?resolve=true", "", 200), `"resolved":{"prompt":"d"`)
	holds(t, send(`[{"name":"e","prompt":"e"},{"name":"f|g","prompt":"x"}]`, "", 400), `"entries",1,"name"`)
	p.viewer.Ask(t, "GET", uiPrompts+"/e/versions", "", 404)
	send(`[]`, "", 400)
	p.viewer.Ask(t, "POST", uiPrompts+"/import", `{"entries":[{"name":"e","prompt":"e"}]}`, 403)
}

func TestUIPromptMetrics(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	start := time.Now().UTC().Add(-time.Hour).Truncate(time.Second)
	at := func(after time.Duration) string { return start.Add(after).Format(time.RFC3339Nano) }
	var rows []domain.Observation
	for n, level := range []string{"DEFAULT", "ERROR", "DEFAULT"} {
		rows = append(rows, domain.Observation{
			ID: "o" + strconv.Itoa(n), TraceID: "t", Type: "GENERATION", Level: level, PromptName: "p",
			PromptVersion: domain.OptInt{Value: int64(1 + n/2), Set: true},
			StartTime:     domain.MicrosOf(start), EndTime: domain.MicrosOf(start.Add(time.Duration(n+1) * time.Second)),
			InputTokens: 10, OutputTokens: 4, TotalCost: domain.OptFloat{Value: float64(n + 1), Set: true},
		})
	}
	f.Keep(t, "project-a", rows, []domain.Score{{
		ID: "s", TraceID: "t", ObservationID: "o2", Name: "good", Source: "API", DataType: domain.ScoreNumeric,
		Value: domain.OptFloat{Value: 0.5, Set: true}, Timestamp: domain.MicrosOf(start),
	}})

	body := fmt.Sprintf(`{"name":"p","from":%q,"to":%q,"buckets":10`, at(-time.Minute), start.Add(2*time.Hour).Format(time.RFC3339Nano))
	answer := p.viewer.Ask(t, "POST", uiPrompts+"/metrics", body+`}`, 200)
	holds(t, answer, `"version":2,"count":1,"errors":0,"latency":{"p50":3,"p95":3}`, `"version":1,"count":2,"errors":1,"latency":{"p50":1.5,`,
		`"tokens":{"input":10,"output":4}`, `"cost":{"mean":1.5,"p50":1.5,"sum":3}`,
		`{"name":"good","source":"API","dataType":"NUMERIC","count":1,"mean":0.5,"values":{}}`, `"version":1,"count":2,"errors":1,"p50":1.5,"cost":3}`,
		`"partial":false`)
	only := p.viewer.Ask(t, "POST", uiPrompts+"/metrics", body+`,"versions":[2]}`, 200)
	if strings.Contains(only, `"version":1`) {
		t.Errorf("versions that were not asked for: %s", only)
	}
	holds(t, p.viewer.Ask(t, "POST", apitest.UIProject+"/query/prompt-uses", `{"names":["p","q"]}`, 200), `"uses":{"p":3}`)
	p.viewer.Ask(t, "POST", apitest.UIProject+"/query/prompt-uses", `{"names":[]}`, 400)
	for _, body := range []string{
		fmt.Sprintf(`{"name":"p","from":%q,"to":%q}`, at(0), at(0)), body + `,"versions":[]}`, body + `,"versions":[0]}`,
		`{"name":"p","from":"2020-01-01T00:00:00Z","to":"2022-01-01T00:00:00Z"}`,
	} {
		p.viewer.Ask(t, "POST", uiPrompts+"/metrics", body, 400)
	}
}

func TestUISkillVersions(t *testing.T) {
	f := apitest.New(t, nil)
	p := newPeople(t, f)
	manifest := "---\\nname: s\\ndescription: d\\n---\\n"
	for range 2 {
		p.member.Ask(t, "POST", apitest.UIProject+"/unstable/skills",
			`{"files":[{"path":"SKILL.md","content":"`+manifest+`"}],"commitMessage":"why"}`, 200)
	}
	const path = apitest.UIProject + "/skills/s/versions"
	holds(t, p.viewer.Ask(t, "GET", path, "", 200), `"version":2`, `"labels":["latest"]`, `"description":"d","files":1`, `"cursor":null`)
	holds(t, p.viewer.Ask(t, "GET", path+"?limit=1", "", 200), `"cursor":"2"`)
	holds(t, p.viewer.Ask(t, "GET", path+"?limit=1&cursor=2", "", 200), `"version":1`)
	p.viewer.Ask(t, "GET", apitest.UIProject+"/skills/none/versions", "", 404)
	p.viewer.Ask(t, "GET", path+"?limit=0", "", 400)
}
