package httpapi

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// written returns the response to a write of a text prompt, with ids and times replaced.
func written(name string, version int, text, labels, tags string) string {
	return fmt.Sprintf(`{"id":"ID",TIMES,"projectId":"project-a","createdBy":"API","prompt":%q,"name":%q,"version":%d,"type":"text","isActive":null,`+
		`"config":{},"tags":%s,"labels":%s,"commitMessage":null}`, text, name, version, tags, labels)
}

// read returns the response to a read of it.
func read(name string, version int, text, labels, tags string) string {
	answer := written(name, version, text, labels, tags)
	active := strconv.FormatBool(strings.Contains(labels, `"production"`))
	return strings.TrimSuffix(strings.Replace(answer, `"isActive":null`, `"isActive":`+active, 1), "}") + `,"resolutionGraph":null}`
}

func patch(path, body string) scenario {
	return scenario{name: body, method: "PATCH", path: "/api/public/" + path, body: body}
}

func remove(path string) scenario {
	return scenario{name: "delete", method: "DELETE", path: "/api/public/" + path, status: 204}
}

const noPrompt = `{"message":"Prompt not found: %s","error":"LangfuseNotFoundError"}`

func notThere(which string) string { return fmt.Sprintf(noPrompt, which) }

func TestPrompts(t *testing.T) {
	sequence(t, []scenario{
		get("v2/prompts/p").gives(404, notThere("'p' with label 'production'")),
		// Labels: in the given order, followed by latest, which only the newest version has.
		post("v2/prompts", `{"name":"p","prompt":"one","labels":["production"]}`).gives(201, written("p", 1, "one", `["production","latest"]`, `[]`)),
		get("v2/prompts/p").gives(200, read("p", 1, "one", `["production","latest"]`, `[]`)),
		post("v2/prompts", `{"name":"p","prompt":"two","type":"text","tags":["x","y","x"]}`).gives(201, written("p", 2, "two", `["latest"]`, `["x","y"]`)),
		get("v2/prompts/p").gives(200, read("p", 1, "one", `["production"]`, `["x","y"]`)),
		get("v2/prompts/p?label=latest").gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		get("v2/prompts/p?version=2").gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		get("v2/prompts/p?version=2&resolve=false").gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		// 0 and empty strings count as absent.
		get("v2/prompts/p?version=0").says(200, `"version":1`),
		get("v2/prompts/p?version=&label=").says(200, `"version":1`),
		get("v2/prompts/p?version=0&label=latest").says(200, `"version":2`),
		get("v2/prompts/p?version=3").gives(404, notThere("'p' with version 3")),
		get("v2/prompts/p?version=-1").gives(404, notThere("'p' with version -1")),
		get("v2/prompts/p?label=dev").gives(404, notThere("'p' with label 'dev'")),
		get("v2/prompts/p?version=1&label=latest").gives(400, `{"message":"Cannot specify both version and label","error":"InvalidRequestError"}`),
		get("v2/prompts/p?version=x").says(400, `"path":["version"]`),
		get("v2/prompts/p?version=1.5").says(400, `"path":["version"]`),
		get("v2/prompts/p?version=99999999999").says(400, `"path":["version"]`),
		get("v2/prompts/p?resolve=yes").says(400, `Invalid option: expected one of \"true\"|\"false\"`),
		// Tags: inherited if absent or null, replaced on all versions if given, cleared by an empty list.
		post("v2/prompts", `{"name":"p","prompt":"","tags":null,"config":null,"commitMessage":null,"labels":null,"version":77}`).gives(201, written("p", 3, "", `["latest"]`, `["x","y"]`)),
		post("v2/prompts", `{"name":"p","prompt":"four","tags":["z"]}`).says(201, `"tags":["z"]`),
		get("v2/prompts/p").says(200, `"tags":["z"]`),
		post("v2/prompts", `{"name":"p","prompt":"five","tags":[],"labels":["dev","production"]}`).says(201, `"tags":[]`, `"labels":["dev","production","latest"]`),
		get("v2/prompts/p?version=1").gives(200, read("p", 1, "one", `[]`, `[]`)),
		// The label latest may be given, and appears once.
		post("v2/prompts", `{"name":"p","prompt":"six","labels":["latest","a","a"]}`).says(201, `"labels":["latest","a"]`),
		{path: "/api/public/v2/prompts/p", key: "neighbour", status: 404},
		{path: "/api/public/v2/prompts", key: "neighbour", status: 200, contains: []string{`"data":[]`}},
	})
}

func TestPromptContents(t *testing.T) {
	chat := `[{"role":"system","content":"You are {{who}}"},{"type":"placeholder","name":"history"},{"role":"","content":""}]`
	sequence(t, []scenario{
		post("v2/prompts", `{"name":"c","type":"chat","prompt":[{"role":"system","content":"You are {{who}}","type":"chatmessage","x":1},`+
			`{"type":"placeholder","name":"history","y":2},{"role":"","content":""}],"labels":["production"],"config":{"temperature": 0.10},"commitMessage":"first"}`).
			says(201, `"prompt":`+chat, `"type":"chat"`, `"config":{"temperature":0.10}`, `"commitMessage":"first"`),
		get("v2/prompts/c").says(200, `"prompt":`+chat, `"isActive":true`, `"config":{"temperature":0.10}`, `"commitMessage":"first"`),
		post("v2/prompts", `{"name":"empty","type":"chat","prompt":[]}`).says(201, `"prompt":[]`),
		// All versions have the same type.
		post("v2/prompts", `{"name":"c","prompt":"text"}`).says(400, `"error":"InvalidRequestError"`, "Use another name"),
		post("v2/prompts", `{"name":"c","type":"text","prompt":"text"}`).says(400, `"error":"InvalidRequestError"`),
		// A config may be any JSON.
		post("v2/prompts", `{"name":"k","prompt":"","config":[1,"a",null]}`).says(201, `"config":[1,"a",null]`),
		post("v2/prompts", `{"name":"k","prompt":"","config":false}`).says(201, `"config":false`),
		post("v2/prompts", `{"name":"k","prompt":"","config":"text"}`).says(201, `"config":"text"`),
		// Content is returned unchanged.
		post("v2/prompts", `{"name":"odd","prompt":"<b>\u0000\n\"q\" \\ é 😀 &"}`).says(201, `"prompt":"<b>\u0000\n\"q\" \\ é 😀 &"`),
		get("v2/prompts/odd?label=latest").says(200, `"prompt":"<b>\u0000\n\"q\" \\ é 😀 &"`),
	})
}

func TestPromptValidation(t *testing.T) {
	text := func(name, members, issue string) scenario {
		return scenario{name: name, method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"prompt":"p",` + members + `}`, status: 400, contains: []string{`"message":"Invalid request data"`, issue}}
	}
	chat := func(name, messages, issue string) scenario {
		s := text(name, "", issue)
		s.body = `{"name":"n","type":"chat","prompt":` + messages + `}`
		return s
	}
	fits := func(name, members string) scenario {
		return scenario{name: name, method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"prompt":"p",` + members + `}`, status: 201}
	}
	long := func(n int) string { return strings.Repeat("a", n) }
	runScenarios(t, []scenario{
		text("no name", `"x":1`, `"code":"invalid_union","errors":[[{"expected":"string","code":"invalid_type","path":["name"]`),
		text("empty name", `"name":""`, `"code":"too_small"`),
		text("blank name", `"name":"  "`, `"code":"too_small"`),
		text("long name", `"name":"`+long(1001)+`"`, `"code":"too_big"`),
		text("name of many bytes", `"name":"`+strings.Repeat("é", 1000)+`x"`, `"too_big"`),
		text("markup", `"name":"a<b>c"`, `"path":["name"],"message":"The name contains an HTML tag"`),
		text("a bar", `"name":"a|b"`, `"path":["name"],"message":"The name contains the character |"`),
		text("a slash in front", `"name":"/a"`, `"path":["name"],"message":"The name begins or ends with a slash"`),
		text("a slash at the end", `"name":"a/"`, `"path":["name"],"message":"The name begins or ends with a slash"`),
		text("two slashes", `"name":"a//b"`, `"path":["name"],"message":"The name contains two slashes in a row"`),
		text("a zero", `"name":"a\u0000b"`, `U+0000`),
		text("new", `"name":"new"`, `"path":["name"],"message":"The name new is reserved"`),
		text("metrics", `"name":"metrics"`, `reserved`),
		text("prompt-detail", `"name":" prompt-detail "`, `reserved`),
		fits("reserved as a folder", `"name":"metrics/a"`),
		fits("reserved at the end", `"name":"a/new"`),
		{name: "trimmed", method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"name":" a b\n","prompt":"p"}`, status: 201, contains: []string{`"name":"a b"`}},
		fits("the longest name", `"name":"`+long(1000)+`"`),

		text("empty label", `"name":"n","labels":[""]`, `"code":"too_small","minimum":1,"inclusive":true,"path":["labels",0]`),
		text("long label", `"name":"n","labels":["`+long(37)+`"]`, `"code":"too_big","maximum":36,"inclusive":true,"path":["labels",0]`),
		text("upper case label", `"name":"n","labels":["ok","Prod"]`, `"code":"invalid_format","format":"regex","pattern":"/^[a-z0-9_\\-.]+$/","path":["labels",1]`),
		text("label with a blank", `"name":"n","labels":["a b"]`, `"invalid_format"`),
		text("labels that are no list", `"name":"n","labels":"production"`, `"invalid_union"`),
		text("too many labels", `"name":"n","labels":[`+strings.Repeat(`"a",`, 100)+`"b"]`, `"maximum":100`),
		fits("all characters of labels", `"name":"n","labels":["`+long(30)+`0_-.9z"]`),
		text("tags that are no texts", `"name":"n","tags":[1]`, `"invalid_union"`),
		text("a long tag", `"name":"n","tags":["`+long(256)+`"]`, `"maximum":255`),
		text("too many tags", `"name":"n","tags":[`+strings.Repeat(`"a",`, 100)+`"b"]`, `"maximum":100`),
		text("long commit message", `"name":"n","commitMessage":"`+long(501)+`"`, `"code":"too_big","maximum":500`),
		fits("the longest commit message", `"name":"n","commitMessage":"`+long(500)+`"`),

		text("unknown type", `"name":"n","type":"other"`, `"invalid_union"`),
		text("chat that is a text", `"name":"n","type":"chat"`, `"invalid_union"`),
		chat("messages that are none", `[1]`, `"code":"invalid_union"`),
		chat("a message without content", `[{"role":"user"}]`, `"path":["content"]`),
		chat("a message without a role", `[{"content":"c"}]`, `"path":["role"]`),
		chat("content that is no text", `[{"role":"user","content":[]}]`, `expected string, received array`),
		chat("a placeholder without a name", `[{"type":"placeholder"}]`, `"path":["name"]`),
		chat("a placeholder with a wrong name", `[{"role":"user","content":"c"},{"type":"placeholder","name":"1a"}]`, `"pattern":"/^[a-zA-Z][a-zA-Z0-9_]*$/","path":["prompt",1,"name"]`),
		chat("a placeholder with a name of other letters", `[{"type":"placeholder","name":"é"}]`, `"path":["prompt",0,"name"]`),
		chat("a long placeholder", `[{"type":"placeholder","name":"`+long(256)+`"}]`, `"maximum":255`),
		chat("variable and placeholder", `[{"role":"user","content":"x {{a_1}}"},{"type":"placeholder","name":"a_1"}]`, `"path":["prompt"],"message":"The name a_1 is used both as a variable and as a placeholder"`),
		{
			name: "no variable because of blanks", method: "POST", path: "/api/public/v2/prompts", key: "project",
			body: `{"name":"n","type":"chat","prompt":[{"role":"user","content":"{{ a }} {{1a}} {a}"},{"type":"placeholder","name":"a"}]}`, status: 201,
		},
		{name: "no object", method: "POST", path: "/api/public/v2/prompts", key: "project", body: `[]`, status: 400, contains: []string{`expected object, received array`}},
		{name: "too large", method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"name":"n","prompt":"` + long(1<<20) + `"}`, status: 413},
	})
}

// TestPromptNames uses every character that has a meaning in paths in a name.
func TestPromptNames(t *testing.T) {
	for _, name := range []string{"a/b/c", "?", "#x", "100%", "%2F", "[a]", "{b}", `"q"`, `back\slash`, "a;b:c", "a&b=c+d", "é ü 日本", "a b", ".", "..", "versions"} {
		t.Run(name, func(t *testing.T) {
			quoted, err := respond.Marshal(name)
			if err != nil {
				t.Fatal(err)
			}
			path := "v2/prompts/" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
			if strings.Trim(name, ".") == "" {
				path = "v2/prompts/" + strings.ReplaceAll(name, ".", "%2E")
			}
			sequence(t, []scenario{
				post("v2/prompts", `{"name":`+string(quoted)+`,"prompt":"p"}`).says(201, `"name":`+string(quoted)),
				patch(path+"/versions/1", `{"newLabels":["production"]}`).says(200, `"name":`+string(quoted), `"labels":["production","latest"]`),
				get(path).says(200, `"name":`+string(quoted)),
				get("v2/prompts?name="+url.QueryEscape(name)).says(200, `"name":`+string(quoted)),
				remove(path),
				get(path).says(404),
			})
		})
	}
}

func TestPromptLabels(t *testing.T) {
	sequence(t, []scenario{
		post("v2/prompts", `{"name":"p","prompt":"1","labels":["a"]}`).says(201),
		post("v2/prompts", `{"name":"p","prompt":"2","labels":["b"]}`).says(201),
		// New labels are prepended, and removed from other versions.
		patch("v2/prompts/p/versions/1", `{"newLabels":["production","b","production"]}`).gives(200, written("p", 1, "1", `["production","b","a"]`, `[]`)),
		get("v2/prompts/p?version=2").says(200, `"labels":["latest"]`),
		get("v2/prompts/p").says(200, `"version":1`, `"isActive":true`),
		patch("v2/prompts/p/versions/2", `{"newLabels":["production"]}`).says(200, `"labels":["production","latest"]`, `"isActive":null`),
		get("v2/prompts/p").says(200, `"version":2`),
		// An empty list removes nothing.
		patch("v2/prompts/p/versions/2", `{"newLabels":[]}`).says(200, `"labels":["production","latest"]`),
		// Any string is a valid label here.
		patch("v2/prompts/p/versions/2", `{"newLabels":["Grüße & more"]}`).says(200, `"labels":["Grüße & more","production","latest"]`),
		get("v2/prompts/p?label=Gr%C3%BC%C3%9Fe%20%26%20more").says(200, `"version":2`),
		patch("v2/prompts/p/versions/2", `{"newLabels":["x","latest"]}`).says(400, `"path":["newLabels",1]`),
		patch("v2/prompts/p/versions/2", `{"newLabels":["`+strings.Repeat("x", 256)+`"]}`).says(400, `"maximum":255`),
		patch("v2/prompts/p/versions/2", `{"newLabels":["\u0000"]}`).says(400, `U+0000`),
		patch("v2/prompts/p/versions/2", `{}`).says(400, `"path":["newLabels"]`),
		patch("v2/prompts/p/versions/2", `{"newLabels":"x"}`).says(400, `"path":["newLabels"]`),
		patch("v2/prompts/p/versions/3", `{"newLabels":["x"]}`).gives(404, `{"message":"Prompt 'p' version 3 not found in project","error":"LangfuseNotFoundError"}`),
		patch("v2/prompts/q/versions/1", `{"newLabels":["x"]}`).gives(404, `{"message":"Prompt 'q' version 1 not found in project","error":"LangfuseNotFoundError"}`),
		patch("v2/prompts/p/versions/0", `{"newLabels":["x"]}`).says(404, `version 0 not found`),
		patch("v2/prompts/p/versions/x", `{"newLabels":["x"]}`).says(400, `"path":["version"]`),
		patch("v2/prompts/p/versions/1e99", `{"newLabels":["x"]}`).says(400, `"path":["version"]`),
	})
}

func TestTooManyPromptLabels(t *testing.T) {
	f := sequence(t, []scenario{post("v2/prompts", `{"name":"p","prompt":"1"}`).says(201)})
	for part := range 10 {
		labels := make([]string, 100)
		for n := range labels {
			labels[n] = fmt.Sprintf(`"l%d"`, 100*part+n)
		}
		s := patch("v2/prompts/p/versions/1", `{"newLabels":[`+strings.Join(labels, ",")+`]}`)
		if part == 9 { // with latest, these are one too many
			s = s.gives(400, "")
		}
		f.ask(t, s)
	}
}

func TestPromptList(t *testing.T) {
	empty := `{"data":[],"meta":{"page":1,"limit":10,"totalPages":0,"totalItems":0},"pagination":{"page":1,"limit":10,"totalPages":0,"totalItems":0}}`
	one := `"meta":{"page":1,"limit":10,"totalPages":1,"totalItems":1},"pagination":{"page":1,"limit":10,"totalPages":1,"totalItems":1}}`
	f := sequence(t, []scenario{
		get("v2/prompts").gives(200, empty),
		post("v2/prompts", `{"name":"b","prompt":"1","labels":["dev"],"config":{"v":1},"tags":["x"]}`).says(201),
		post("v2/prompts", `{"name":"b","prompt":"2","labels":["production"],"config":{"v":2}}`).says(201),
		post("v2/prompts", `{"name":"b","prompt":"3","labels":["alpha"],"config":{"v":3}}`).says(201),
		post("v2/prompts", `{"name":"a","type":"chat","prompt":[],"labels":["dev"]}`).says(201),
		get("v2/prompts?name=b").gives(200, `{"data":[{"name":"b","type":"text","versions":[1,2,3],"labels":["alpha","dev","latest","production"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":3}}],`+one),
		// Filters select versions before they are grouped.
		get("v2/prompts?name=b&label=dev").gives(200, `{"data":[{"name":"b","type":"text","versions":[1],"labels":["dev"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":1}}],`+one),
		get("v2/prompts?version=2").gives(200, `{"data":[{"name":"b","type":"text","versions":[2],"labels":["production"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":2}}],`+one),
		get("v2/prompts?tag=x").says(200, `"data":[{"name":"b"`, one),
		get("v2/prompts?tag=y").gives(200, empty),
		get("v2/prompts?name=nope").gives(200, empty),
		get("v2/prompts?name=%00").gives(200, empty),
		get("v2/prompts?label=dev").says(200, `"data":[{"name":"a","type":"chat","versions":[1],"labels":["dev","latest"]`, `},{"name":"b"`, `"totalItems":2`),
		get("v2/prompts?label=dev&limit=1&page=2").says(200, `"data":[{"name":"b"`, `"meta":{"page":2,"limit":1,"totalPages":2,"totalItems":2}`),
		get("v2/prompts?name=&label=&tag=&version=&page=&limit=").says(200, `"totalItems":2`),
		get("v2/prompts?limit=101").says(400, `"path":["limit"]`),
		get("v2/prompts?page=0").says(400, `"path":["page"]`),
		get("v2/prompts?version=x").says(400, `"path":["version"]`),
		get("v2/prompts?fromUpdatedAt=yesterday").says(400, `"path":["fromUpdatedAt"]`),
		get("v2/prompts?fromUpdatedAt=2020-01-01T00:00:00Z&toUpdatedAt=2100-01-01T00:00:00%2B02:00").says(200, `"totalItems":2`),
		get("v2/prompts?fromUpdatedAt=2100-01-01T00:00:00Z").gives(200, empty),
		get("v2/prompts?toUpdatedAt=2020-01-01T00:00:00Z").gives(200, empty),
	})
	// The bounds: from is inclusive, to is exclusive.
	p, err := f.Catalog.Prompt(t.Context(), domain.OfProject("project-a"), domain.PromptReference{Name: "a", Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := url.QueryEscape(p.UpdatedAt.Format("2006-01-02T15:04:05.000Z"))
	if got := f.ask(t, get("v2/prompts?name=a&fromUpdatedAt="+at)); !strings.Contains(got, `"totalItems":1`) {
		t.Errorf("from its own time: %s", got)
	}
	if got := f.ask(t, get("v2/prompts?name=a&toUpdatedAt="+at)); !strings.Contains(got, `"totalItems":0`) {
		t.Errorf("to its own time: %s", got)
	}
}

func TestDeletePrompts(t *testing.T) {
	gone := `{"message":"Prompt not found","error":"LangfuseNotFoundError"}`
	used := func(by string) string {
		return `{"message":"Other prompts depend on prompt versions that would be deleted: ` + by + `. Delete the dependent prompts first.","error":"InvalidRequestError"}`
	}
	sequence(t, []scenario{
		remove("v2/prompts/p").gives(404, gone),
		post("v2/prompts", `{"name":"p","prompt":"1","labels":["a"],"tags":["t"]}`).says(201),
		post("v2/prompts", `{"name":"p","prompt":"2","labels":["b"]}`).says(201),
		post("v2/prompts", `{"name":"p","prompt":"3"}`).says(201),
		remove("v2/prompts/p?version=1&label=a").gives(400, `{"message":"Cannot specify both version and label","error":"InvalidRequestError"}`),
		remove("v2/prompts/p?version=9").gives(404, gone),
		remove("v2/prompts/p?label=nope").gives(404, gone),
		remove("v2/prompts/p?version=x").says(400, `"path":["version"]`),
		// latest moves to the highest remaining version, however the deleted one was named.
		remove("v2/prompts/p?label=latest"),
		get("v2/prompts/p?label=latest").says(200, `"version":2`, `"labels":["b","latest"]`),
		remove("v2/prompts/p?version=1"),
		get("v2/prompts/p?version=1").says(404),
		get("v2/prompts/p?label=latest").says(200, `"version":2`, `"tags":["t"]`),
		// The next number follows the highest remaining version, and a new prompt starts again at 1.
		post("v2/prompts", `{"name":"p","prompt":"3 again"}`).says(201, `"version":3`),
		remove("v2/prompts/p"),
		get("v2/prompts/p?label=latest").says(404),
		post("v2/prompts", `{"name":"p","prompt":"new"}`).says(201, `"version":1`, `"tags":[]`),
		// Versions that other prompts depend on cannot be deleted.
		post("v2/prompts", `{"name":"p","prompt":"2","labels":["stable"]}`).says(201),
		post("v2/prompts", `{"name":"byVersion","prompt":"@@@langfusePrompt:name=p|version=1@@@"}`).says(201),
		post("v2/prompts", `{"name":"byLabel","prompt":"@@@langfusePrompt:name=p|label=stable@@@"}`).says(201),
		post("v2/prompts", `{"name":"byLatest","prompt":"@@@langfusePrompt:name=p|label=latest@@@"}`).says(201),
		remove("v2/prompts/p?version=1").gives(400, used("byVersion (version 1)")),
		remove("v2/prompts/p?version=2").gives(400, used("byLabel (version 1)")),
		remove("v2/prompts/p?label=stable").gives(400, used("byLabel (version 1)")),
		remove("v2/prompts/p").gives(400, used("byLabel (version 1), byLatest (version 1), byVersion (version 1)")),
		remove("v2/prompts/byLabel"),
		remove("v2/prompts/p?label=stable"), // latest moves to another version
		get("v2/prompts/byLatest?label=latest").says(200, `"prompt":"new"`),
		remove("v2/prompts/byVersion?version=1"),
		remove("v2/prompts/p?version=1").gives(400, used("byLatest (version 1)")), // nowhere to move to
		remove("v2/prompts/byLatest"),
		remove("v2/prompts/p"),
	})
}

func TestPromptDependencies(t *testing.T) {
	f := sequence(t, []scenario{
		post("v2/prompts", `{"name":"base","prompt":"Say \"hi\"\n\\o/ {{you}}","labels":["production","stable"]}`).says(201),
		post("v2/prompts", `{"name":"mid","prompt":"<@@@langfusePrompt:name=base|label=production@@@>","labels":["production"]}`).
			says(201, `"prompt":"<@@@langfusePrompt:name=base|label=production@@@>"`),
		// Text and chat, by version and by label, several times.
		post("v2/prompts", `{"name":"top/text","prompt":"@@@langfusePrompt:name=mid|version=1@@@ @@@langfusePrompt:name=base|version=1@@@ @@@langfusePrompt:name=base|label=stable@@@ @@@langfusePrompt:name=mid|version=1@@@","labels":["production"]}`).says(201),
		get("v2/prompts/top%2Ftext").says(200, `"prompt":"<Say \"hi\"\n\\o/ {{you}}> Say \"hi\"\n\\o/ {{you}} Say \"hi\"\n\\o/ {{you}} <Say \"hi\"\n\\o/ {{you}}>"`,
			`"resolutionGraph":{"root":{"name":"top/text","version":1,"id":"ID"},"dependencies":{`, `:[{"id":"ID","name":"mid","version":1},{"id":"ID","name":"base","version":1}]`),
		get("v2/prompts/top%2Ftext?resolve=false").says(200, `"prompt":"@@@langfusePrompt:name=mid|version=1@@@ `, `"resolutionGraph":null`),
		get("v2/prompts/mid").says(200, `"dependencies":{"ID":[{"id":"ID","name":"base","version":1}]}}`),
		post("v2/prompts", `{"name":"chat","type":"chat","prompt":[{"role":"system","content":"A @@@langfusePrompt:name=mid|label=production@@@"},{"type":"placeholder","name":"h"}],"labels":["production"]}`).says(201),
		get("v2/prompts/chat").says(200, `"prompt":[{"role":"system","content":"A <Say \"hi\"\n\\o/ {{you}}>"},{"type":"placeholder","name":"h"}]`),
		// Prompts follow the labels that they refer to.
		post("v2/prompts", `{"name":"base","prompt":"new","labels":["production"]}`).says(201),
		get("v2/prompts/chat").says(200, `"content":"A <new>"`, `"name":"base","version":2`),
		get("v2/prompts/top%2Ftext").says(200, `"prompt":"<new> Say \"hi\"`),
		// Malformed tags are plain text.
		post("v2/prompts", `{"name":"literal","prompt":"@@@langfusePrompt:name=x@@@ @@@langfusePrompt:label=a|name=x@@@ @@@langfusePrompt:name=x|version=0@@@ @@@langfusePrompt:name=x|version=1|label=a@@@ @@@langfusePrompt:name=|label=a@@@ @@@langfusePrompt:name=x|label=@@@ @@@langfusePrompt:name=x|v=1@@@ @@@langfusePrompt:name=x|label=a","labels":["production"]}`).says(201),
		get("v2/prompts/literal").says(200, `"prompt":"@@@langfusePrompt:name=x@@@ @@@langfusePrompt:label=a|name=x@@@ `, `"resolutionGraph":null`),
		// References that cannot be resolved are rejected.
		post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=nope|label=production@@@"}`).
			gives(400, `{"message":"Prompt dependency not found: 'nope' with label 'production'","error":"InvalidRequestError"}`),
		post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=base|version=9@@@"}`).says(400, `Prompt dependency not found: 'base' with version 9`),
		post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=chat|version=1@@@"}`).says(400, `Prompt dependency is not a text prompt: 'chat' with version 1`, `"InvalidRequestError"`),
		post("v2/prompts", `{"name":"base","prompt":"@@@langfusePrompt:name=base|version=1@@@"}`).says(400, `Circular dependency: prompt 'base' depends on itself`),
		post("v2/prompts", `{"name":"base","prompt":"@@@langfusePrompt:name=mid|version=1@@@"}`).says(400, `Circular dependency: prompt 'base' depends on itself`),
		get("v2/prompts/x?label=latest").says(404),
	})
	// Nothing of the rejected prompts was stored.
	if got := f.ask(t, get("v2/prompts?name=base")); !strings.Contains(got, `"versions":[1,2]`) {
		t.Errorf("after refused versions: %s", got)
	}
}

func TestPromptDepth(t *testing.T) {
	f := newFixture(t, nil)
	f.ask(t, post("v2/prompts", `{"name":"p1","prompt":"x","labels":["production"]}`).gives(201, ""))
	for n := 2; n <= 6; n++ {
		status := 201
		if n == 6 {
			status = 400
		}
		f.ask(t, post("v2/prompts", fmt.Sprintf(`{"name":"p%d","prompt":"@@@langfusePrompt:name=p%d|label=production@@@","labels":["production"]}`, n, n-1)).gives(status, ""))
	}
	if got := f.ask(t, get("v2/prompts/p5")); !strings.Contains(got, `"prompt":"x"`) {
		t.Errorf("five in a chain: %s", got)
	}
	// A chain that becomes too long later, or loses its end, is detected when it is read.
	f.ask(t, post("v2/prompts", `{"name":"p0","prompt":"y"}`).gives(201, ""))
	f.ask(t, post("v2/prompts", `{"name":"p1","prompt":"@@@langfusePrompt:name=p0|version=1@@@","labels":["production"]}`).gives(201, ""))
	if got := f.ask(t, get("v2/prompts/p5").gives(409, "")); !strings.Contains(got, `at most 5 prompts can stand in a chain","error":"LangfuseConflictError"`) {
		t.Errorf("six in a chain: %s", got)
	}
	f.ask(t, get("v2/prompts/p5?resolve=false"))
	f.ask(t, get("v2/prompts/p5").gives(409, "")) // from the cache
	f.ask(t, patch("v2/prompts/p1/versions/1", `{"newLabels":["production"]}`))
	f.ask(t, get("v2/prompts/p5"))
}

func TestTooManyReferences(t *testing.T) {
	var text strings.Builder
	for n := range 101 {
		fmt.Fprintf(&text, "@@@langfusePrompt:name=p|version=%d@@@", n+1)
	}
	newFixture(t, nil).run(t, scenario{
		method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"name":"n","prompt":"` + text.String() + `"}`,
		status: 400, contains: []string{"A prompt can name at most 100 other prompts"},
	})
}

func TestPromptAccess(t *testing.T) {
	var scenarios []scenario
	for _, s := range []scenario{
		{method: "GET", path: "/v2/prompts"},
		{method: "POST", path: "/v2/prompts", body: `{"name":"x","prompt":"y"}`},
		{method: "GET", path: "/v2/prompts/x"},
		{method: "DELETE", path: "/v2/prompts/x"},
		{method: "PATCH", path: "/v2/prompts/x/versions/1", body: `{"newLabels":[]}`},
		{method: "GET", path: "/prompts?name=x"},
		{method: "POST", path: "/prompts", body: `{"name":"x","prompt":"y","isActive":true}`},
	} {
		s.path = "/api/public" + s.path
		denied := `{"message":"Access denied - need to use basic auth with secret key to ` + s.method + ` prompts","error":"ForbiddenError"}`
		permission := map[string]string{"GET": "prompts:read", "DELETE": "prompts:delete"}[s.method]
		if permission == "" {
			permission = "prompts:write"
		}
		for _, try := range []struct {
			name, key, bearer string
			status            int
			want              string
		}{
			{"an organization key", "organization", "", 403, denied},
			{"a public key alone", "", "Bearer pk-lf-a", 403, denied},
			{"a key without the permission", "limited", "", 403, `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission ` + permission + `","error":"ForbiddenError"}`},
			{"a wrong key", "", "Basic eDp5", 401, `{"message":"Invalid credentials. Confirm that you've configured the correct host.","error":"UnauthorizedError"}`},
		} {
			s := s
			s.name, s.key, s.status, s.want = s.method+" "+s.path+" with "+try.name, try.key, try.status, try.want
			if try.bearer != "" {
				s.header = map[string]string{"Authorization": try.bearer}
			}
			scenarios = append(scenarios, s)
		}
	}
	scenarios = append(scenarios,
		scenario{name: "another method", method: "PUT", path: "/api/public/v2/prompts/x", key: "project", status: 405, want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`},
		scenario{name: "versions cannot be read so", path: "/api/public/v2/prompts/x/versions/1", key: "project", status: 405},
	)
	runScenarios(t, scenarios)
}

func TestDeprecatedPrompts(t *testing.T) {
	successor := map[string]string{"Deprecation": "@1767225600", "Link": `</api/public/v2/prompts>; rel="successor-version"`}
	f := sequence(t, []scenario{
		post("prompts", `{"name":"p","prompt":"1","isActive":true}`).gives(201, written("p", 1, "1", `["production","latest"]`, `[]`)),
		post("prompts", `{"name":"p","prompt":"2","isActive":false,"labels":["dev"]}`).gives(201, written("p", 2, "2", `["dev","latest"]`, `[]`)),
		post("prompts", `{"name":"p","prompt":"3"}`).says(400, `"invalid_union"`, `"path":["isActive"]`),
		post("prompts", `{"name":"c","type":"chat","prompt":[],"isActive":true}`).says(201, `"type":"chat"`, `"labels":["production","latest"]`),
		post("prompts", `[]`).says(400, `expected object, received array`),
		get("prompts?name=p").gives(200, read("p", 1, "1", `["production"]`, `[]`)),
		get("prompts?name=p&version=2").gives(200, read("p", 2, "2", `["dev","latest"]`, `[]`)),
		get("prompts?name=q").gives(404, notThere("'q' with label 'production'")),
		get("prompts").says(400, `"path":["name"]`),
	})
	f.run(t, scenario{path: "/api/public/prompts?name=p", key: "project", status: 200, wantHeader: successor})
	f.run(t, scenario{method: "POST", path: "/api/public/prompts", key: "project", body: `{"name":"p","prompt":"3","isActive":true}`, status: 201, wantHeader: successor})
	f.run(t, scenario{path: "/api/public/v2/prompts/p", key: "project", status: 200, wantHeader: map[string]string{"Deprecation": ""}})
}

func TestPromptComments(t *testing.T) {
	f := sequence(t, []scenario{post("v2/prompts", `{"name":"p","prompt":"1"}`).says(201)})
	p, err := f.Catalog.Prompt(t.Context(), domain.OfProject("project-a"), domain.PromptReference{Name: "p", Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	comment := func(key, id string, status int) {
		t.Helper()
		f.ask(t, scenario{
			method: "POST", path: "/api/public/comments", key: key, status: status,
			body: `{"projectId":"x","objectType":"PROMPT","objectId":"` + id + `","content":"c"}`,
		})
	}
	comment("project", p.ID, 200)
	comment("project", "p", 404)
	comment("neighbour", p.ID, 404)
}

// TestPromptsAtOnce creates versions concurrently: all of them are created, with consecutive numbers.
func TestPromptsAtOnce(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Limits.Concurrent = 32 })
	const writers = 16
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			w := httptest.NewRecorder()
			s := post("v2/prompts", `{"name":"p","prompt":"x","labels":["production"]}`)
			s.key = "project"
			f.ServeHTTP(w, s.request())
			if w.Code != 201 {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
	}
	work.Wait()
	if got := f.ask(t, get("v2/prompts")); !strings.Contains(got, `"versions":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"labels":["latest","production"]`) {
		t.Errorf("after %d creations at once: %s", writers, got)
	}
	if got := f.ask(t, get("v2/prompts/p")); !strings.Contains(got, `"version":16`) {
		t.Errorf("in production: %s", got)
	}
}
