package prompts_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
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

func remove(path string) apitest.Scenario {
	return apitest.Scenario{Name: "delete", Method: "DELETE", Path: "/api/public/" + path, Status: 204}
}

const noPrompt = `{"message":"Prompt not found: %s","error":"LangfuseNotFoundError"}`

func notThere(which string) string { return fmt.Sprintf(noPrompt, which) }

func TestPrompts(t *testing.T) {
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Get("v2/prompts/p").Gives(404, notThere("'p' with label 'production'")),
		// Labels: in the given order, followed by latest, which only the newest version has.
		apitest.Post("v2/prompts", `{"name":"p","prompt":"one","labels":["production"]}`).Gives(201,
			written("p", 1, "one", `["production","latest"]`, `[]`)),
		apitest.Get("v2/prompts/p").Gives(200, read("p", 1, "one", `["production","latest"]`, `[]`)),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"two","type":"text","tags":["x","y","x"]}`).Gives(201,
			written("p", 2, "two", `["latest"]`, `["x","y"]`)),
		apitest.Get("v2/prompts/p").Gives(200, read("p", 1, "one", `["production"]`, `["x","y"]`)),
		apitest.Get("v2/prompts/p?label=latest").Gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		apitest.Get("v2/prompts/p?version=2").Gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		apitest.Get("v2/prompts/p?version=2&resolve=false").Gives(200, read("p", 2, "two", `["latest"]`, `["x","y"]`)),
		// 0 and empty strings count as absent.
		apitest.Get("v2/prompts/p?version=0").Says(200, `"version":1`),
		apitest.Get("v2/prompts/p?version=&label=").Says(200, `"version":1`),
		apitest.Get("v2/prompts/p?version=0&label=latest").Says(200, `"version":2`),
		apitest.Get("v2/prompts/p?version=3").Gives(404, notThere("'p' with version 3")),
		apitest.Get("v2/prompts/p?version=-1").Gives(404, notThere("'p' with version -1")),
		apitest.Get("v2/prompts/p?label=dev").Gives(404, notThere("'p' with label 'dev'")),
		apitest.Get("v2/prompts/p?version=1&label=latest").Gives(400,
			`{"message":"Cannot specify both version and label","error":"InvalidRequestError"}`),
		apitest.Get("v2/prompts/p?version=x").Says(400, `"path":["version"]`),
		apitest.Get("v2/prompts/p?version=1.5").Says(400, `"path":["version"]`),
		apitest.Get("v2/prompts/p?version=99999999999").Says(400, `"path":["version"]`),
		apitest.Get("v2/prompts/p?resolve=yes").Says(400, `Invalid option: expected one of \"true\"|\"false\"`),
		// Tags: inherited if absent or null, replaced on all versions if given, cleared by an empty list.
		apitest.Post("v2/prompts", `{"name":"p","prompt":"","tags":null,"config":null,"commitMessage":null,"labels":null,"version":77}`).Gives(201,
			written("p", 3, "", `["latest"]`, `["x","y"]`)),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"four","tags":["z"]}`).Says(201, `"tags":["z"]`),
		apitest.Get("v2/prompts/p").Says(200, `"tags":["z"]`),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"five","tags":[],"labels":["dev","production"]}`).Says(201, `"tags":[]`,
			`"labels":["dev","production","latest"]`),
		apitest.Get("v2/prompts/p?version=1").Gives(200, read("p", 1, "one", `[]`, `[]`)),
		// The label latest may be given, and appears once.
		apitest.Post("v2/prompts", `{"name":"p","prompt":"six","labels":["latest","a","a"]}`).Says(201, `"labels":["latest","a"]`),
		{Path: "/api/public/v2/prompts/p", Key: "neighbour", Status: 404},
		{Path: "/api/public/v2/prompts", Key: "neighbour", Status: 200, Contains: []string{`"data":[]`}},
	})
}

func TestPromptContents(t *testing.T) {
	chat := `[{"role":"system","content":"You are {{who}}"},{"type":"placeholder","name":"history"},{"role":"","content":""}]`
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("v2/prompts", `{"name":"c","type":"chat","prompt":[{"role":"system","content":"You are {{who}}","type":"chatmessage","x":1},`+
			`{"type":"placeholder","name":"history","y":2},{"role":"","content":""}],"labels":["production"],"config":{"temperature": 0.10},"commitMessage":"first"}`).
			Says(201, `"prompt":`+chat, `"type":"chat"`, `"config":{"temperature":0.10}`, `"commitMessage":"first"`),
		apitest.Get("v2/prompts/c").Says(200, `"prompt":`+chat, `"isActive":true`, `"config":{"temperature":0.10}`, `"commitMessage":"first"`),
		apitest.Post("v2/prompts", `{"name":"empty","type":"chat","prompt":[]}`).Says(201, `"prompt":[]`),
		// All versions have the same type.
		apitest.Post("v2/prompts", `{"name":"c","prompt":"text"}`).Says(400, `"error":"InvalidRequestError"`, "Use another name"),
		apitest.Post("v2/prompts", `{"name":"c","type":"text","prompt":"text"}`).Says(400, `"error":"InvalidRequestError"`),
		// A config may be any JSON.
		apitest.Post("v2/prompts", `{"name":"k","prompt":"","config":[1,"a",null]}`).Says(201, `"config":[1,"a",null]`),
		apitest.Post("v2/prompts", `{"name":"k","prompt":"","config":false}`).Says(201, `"config":false`),
		apitest.Post("v2/prompts", `{"name":"k","prompt":"","config":"text"}`).Says(201, `"config":"text"`),
		// Content is returned unchanged.
		apitest.Post("v2/prompts", `{"name":"odd","prompt":"<b>\u0000\n\"q\" \\ é 😀 &"}`).Says(201, `"prompt":"<b>\u0000\n\"q\" \\ é 😀 &"`),
		apitest.Get("v2/prompts/odd?label=latest").Says(200, `"prompt":"<b>\u0000\n\"q\" \\ é 😀 &"`),
	})
}

func TestPromptValidation(t *testing.T) {
	text := func(name, members, issue string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"prompt":"p",` + members + `}`, Status: 400,
			Contains: []string{`"message":"Invalid request data"`, issue},
		}
	}
	chat := func(name, messages, issue string) apitest.Scenario {
		s := text(name, "", issue)
		s.Body = `{"name":"n","type":"chat","prompt":` + messages + `}`
		return s
	}
	fits := func(name, members string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"prompt":"p",` + members + `}`, Status: 201,
		}
	}
	long := func(n int) string { return strings.Repeat("a", n) }
	apitest.Run(t, []apitest.Scenario{
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
		text("the directory itself", `"name":"."`, `"path":["name"],"message":"The name is . or .., which no URL can contain"`),
		text("the directory above", `"name":" .. "`, `no URL can contain`),
		fits("dots within a folder", `"name":"a/.."`),
		fits("reserved as a folder", `"name":"metrics/a"`),
		fits("reserved at the end", `"name":"a/new"`),
		{
			Name: "trimmed", Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"name":" a b\n","prompt":"p"}`,
			Status: 201, Contains: []string{`"name":"a b"`},
		},
		fits("the longest name", `"name":"`+long(1000)+`"`),

		text("empty label", `"name":"n","labels":[""]`, `"code":"too_small","minimum":1,"inclusive":true,"path":["labels",0]`),
		text("long label", `"name":"n","labels":["`+long(37)+`"]`, `"code":"too_big","maximum":36,"inclusive":true,"path":["labels",0]`),
		text("upper case label", `"name":"n","labels":["ok","Prod"]`,
			`"code":"invalid_format","format":"regex","pattern":"/^[a-z0-9_\\-.]+$/","path":["labels",1]`),
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
		chat("a placeholder with a wrong name", `[{"role":"user","content":"c"},{"type":"placeholder","name":"1a"}]`,
			`"pattern":"/^[a-zA-Z][a-zA-Z0-9_]*$/","path":["prompt",1,"name"]`),
		chat("a placeholder with a name of other letters", `[{"type":"placeholder","name":"é"}]`, `"path":["prompt",0,"name"]`),
		chat("a long placeholder", `[{"type":"placeholder","name":"`+long(256)+`"}]`, `"maximum":255`),
		chat("variable and placeholder", `[{"role":"user","content":"x {{a_1}}"},{"type":"placeholder","name":"a_1"}]`,
			`"path":["prompt"],"message":"The name a_1 is used both as a variable and as a placeholder"`),
		{
			Name: "no variable because of blanks", Method: "POST", Path: "/api/public/v2/prompts", Key: "project",
			Body:   `{"name":"n","type":"chat","prompt":[{"role":"user","content":"{{ a }} {{1a}} {a}"},{"type":"placeholder","name":"a"}]}`,
			Status: 201,
		},
		{
			Name: "no object", Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `[]`, Status: 400,
			Contains: []string{`expected object, received array`},
		},
		{
			Name: "too large", Method: "POST", Path: "/api/public/v2/prompts", Key: "project",
			Body: `{"name":"n","prompt":"` + long(4<<20) + `"}`, Status: 413,
		},
	})
}

// TestPromptNames uses every character that has a meaning in paths in a name.
func TestPromptNames(t *testing.T) {
	for _, name := range []string{
		"a/b/c", "?", "#x", "100%", "%2F", "[a]", "{b}", `"q"`, `back\slash`, "a;b:c", "a&b=c+d", "é ü 日本", "a b", "...", ".a", "versions",
	} {
		t.Run(name, func(t *testing.T) {
			quoted, err := respond.Marshal(name)
			if err != nil {
				t.Fatal(err)
			}
			path := "v2/prompts/" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
			apitest.Sequence(t, []apitest.Scenario{
				apitest.Post("v2/prompts", `{"name":`+string(quoted)+`,"prompt":"p"}`).Says(201, `"name":`+string(quoted)),
				apitest.Patch(path+"/versions/1", `{"newLabels":["production"]}`).Says(200, `"name":`+string(quoted),
					`"labels":["production","latest"]`),
				apitest.Get(path).Says(200, `"name":`+string(quoted)),
				apitest.Get("v2/prompts?name="+url.QueryEscape(name)).Says(200, `"name":`+string(quoted)),
				remove(path),
				apitest.Get(path).Says(404),
			})
		})
	}
}

func TestPromptLabels(t *testing.T) {
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("v2/prompts", `{"name":"p","prompt":"1","labels":["a"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"2","labels":["b"]}`).Says(201),
		// New labels are prepended, and removed from other versions.
		apitest.Patch("v2/prompts/p/versions/1", `{"newLabels":["production","b","production"]}`).Gives(200,
			written("p", 1, "1", `["production","b","a"]`, `[]`)),
		apitest.Get("v2/prompts/p?version=2").Says(200, `"labels":["latest"]`),
		apitest.Get("v2/prompts/p").Says(200, `"version":1`, `"isActive":true`),
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":["production"]}`).Says(200, `"labels":["production","latest"]`, `"isActive":null`),
		apitest.Get("v2/prompts/p").Says(200, `"version":2`),
		// An empty list removes nothing.
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":[]}`).Says(200, `"labels":["production","latest"]`),
		// Any string is a valid label here.
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":["Grüße & more"]}`).Says(200, `"labels":["Grüße & more","production","latest"]`),
		apitest.Get("v2/prompts/p?label=Gr%C3%BC%C3%9Fe%20%26%20more").Says(200, `"version":2`),
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":["x","latest"]}`).Says(400, `"path":["newLabels",1]`),
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":["`+strings.Repeat("x", 256)+`"]}`).Says(400, `"maximum":255`),
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":["\u0000"]}`).Says(400, `U+0000`),
		apitest.Patch("v2/prompts/p/versions/2", `{}`).Says(400, `"path":["newLabels"]`),
		apitest.Patch("v2/prompts/p/versions/2", `{"newLabels":"x"}`).Says(400, `"path":["newLabels"]`),
		apitest.Patch("v2/prompts/p/versions/3", `{"newLabels":["x"]}`).Gives(404,
			`{"message":"Prompt 'p' version 3 not found in project","error":"LangfuseNotFoundError"}`),
		apitest.Patch("v2/prompts/q/versions/1", `{"newLabels":["x"]}`).Gives(404,
			`{"message":"Prompt 'q' version 1 not found in project","error":"LangfuseNotFoundError"}`),
		apitest.Patch("v2/prompts/p/versions/0", `{"newLabels":["x"]}`).Says(404, `version 0 not found`),
		apitest.Patch("v2/prompts/p/versions/x", `{"newLabels":["x"]}`).Says(400, `"path":["version"]`),
		apitest.Patch("v2/prompts/p/versions/1e99", `{"newLabels":["x"]}`).Says(400, `"path":["version"]`),
	})
}

func TestTooManyPromptLabels(t *testing.T) {
	f := apitest.Sequence(t, []apitest.Scenario{apitest.Post("v2/prompts", `{"name":"p","prompt":"1"}`).Says(201)})
	for part := range 10 {
		labels := make([]string, 100)
		for n := range labels {
			labels[n] = fmt.Sprintf(`"l%d"`, 100*part+n)
		}
		s := apitest.Patch("v2/prompts/p/versions/1", `{"newLabels":[`+strings.Join(labels, ",")+`]}`)
		if part == 9 { // with latest, these are one too many
			s = s.Gives(400, "")
		}
		f.Ask(t, s)
	}
}

func TestPromptList(t *testing.T) {
	empty := `{"data":[],"meta":{"page":1,"limit":10,"totalPages":0,"totalItems":0},"pagination":{"page":1,"limit":10,"totalPages":0,"totalItems":0}}`
	one := `"meta":{"page":1,"limit":10,"totalPages":1,"totalItems":1},"pagination":{"page":1,"limit":10,"totalPages":1,"totalItems":1}}`
	f := apitest.Sequence(t, []apitest.Scenario{
		apitest.Get("v2/prompts").Gives(200, empty),
		apitest.Post("v2/prompts", `{"name":"b","prompt":"1","labels":["dev"],"config":{"v":1},"tags":["x"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"b","prompt":"2","labels":["production"],"config":{"v":2}}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"b","prompt":"3","labels":["alpha"],"config":{"v":3}}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"a","type":"chat","prompt":[],"labels":["dev"]}`).Says(201),
		apitest.Get("v2/prompts?name=b").Gives(200,
			`{"data":[{"name":"b","type":"text","versions":[1,2,3],"labels":["alpha","dev","latest","production"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":3}}],`+one),
		// Filters select versions before they are grouped.
		apitest.Get("v2/prompts?name=b&label=dev").Gives(200,
			`{"data":[{"name":"b","type":"text","versions":[1],"labels":["dev"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":1}}],`+one),
		apitest.Get("v2/prompts?version=2").Gives(200,
			`{"data":[{"name":"b","type":"text","versions":[2],"labels":["production"],"tags":["x"],"lastUpdatedAt":"TIME","lastConfig":{"v":2}}],`+one),
		apitest.Get("v2/prompts?tag=x").Says(200, `"data":[{"name":"b"`, one),
		apitest.Get("v2/prompts?tag=y").Gives(200, empty),
		apitest.Get("v2/prompts?name=nope").Gives(200, empty),
		apitest.Get("v2/prompts?name=%00").Gives(200, empty),
		apitest.Get("v2/prompts?label=dev").Says(200, `"data":[{"name":"a","type":"chat","versions":[1],"labels":["dev","latest"]`, `},{"name":"b"`,
			`"totalItems":2`),
		apitest.Get("v2/prompts?label=dev&limit=1&page=2").Says(200, `"data":[{"name":"b"`,
			`"meta":{"page":2,"limit":1,"totalPages":2,"totalItems":2}`),
		apitest.Get("v2/prompts?name=&label=&tag=&version=&page=&limit=").Says(200, `"totalItems":2`),
		apitest.Get("v2/prompts?limit=101").Says(400, `"path":["limit"]`),
		apitest.Get("v2/prompts?page=0").Says(400, `"path":["page"]`),
		apitest.Get("v2/prompts?version=x").Says(400, `"path":["version"]`),
		apitest.Get("v2/prompts?fromUpdatedAt=yesterday").Says(400, `"path":["fromUpdatedAt"]`),
		apitest.Get("v2/prompts?fromUpdatedAt=2020-01-01T00:00:00Z&toUpdatedAt=2100-01-01T00:00:00%2B02:00").Says(200, `"totalItems":2`),
		apitest.Get("v2/prompts?fromUpdatedAt=2100-01-01T00:00:00Z").Gives(200, empty),
		apitest.Get("v2/prompts?toUpdatedAt=2020-01-01T00:00:00Z").Gives(200, empty),
	})
	// The bounds: from is inclusive, to is exclusive.
	p, err := f.Catalog.Prompt(t.Context(), domain.OfProject("project-a"), domain.PromptReference{Name: "a", Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := url.QueryEscape(p.UpdatedAt.Format("2006-01-02T15:04:05.000Z"))
	if got := f.Ask(t, apitest.Get("v2/prompts?name=a&fromUpdatedAt="+at)); !strings.Contains(got, `"totalItems":1`) {
		t.Errorf("from its own time: %s", got)
	}
	if got := f.Ask(t, apitest.Get("v2/prompts?name=a&toUpdatedAt="+at)); !strings.Contains(got, `"totalItems":0`) {
		t.Errorf("to its own time: %s", got)
	}
}

func TestDeletePrompts(t *testing.T) {
	gone := `{"message":"Prompt not found","error":"LangfuseNotFoundError"}`
	used := func(by string) string {
		return `{"message":"Other prompts depend on prompt versions that would be deleted: ` + by +
			`. Delete the dependent prompts first.","error":"InvalidRequestError"}`
	}
	apitest.Sequence(t, []apitest.Scenario{
		remove("v2/prompts/p").Gives(404, gone),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"1","labels":["a"],"tags":["t"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"2","labels":["b"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"3"}`).Says(201),
		remove("v2/prompts/p?version=1&label=a").Gives(400,
			`{"message":"Cannot specify both version and label","error":"InvalidRequestError"}`),
		remove("v2/prompts/p?version=9").Gives(404, gone),
		remove("v2/prompts/p?label=nope").Gives(404, gone),
		remove("v2/prompts/p?version=x").Says(400, `"path":["version"]`),
		// latest moves to the highest remaining version, however the deleted one was named.
		remove("v2/prompts/p?label=latest"),
		apitest.Get("v2/prompts/p?label=latest").Says(200, `"version":2`, `"labels":["b","latest"]`),
		remove("v2/prompts/p?version=1"),
		apitest.Get("v2/prompts/p?version=1").Says(404),
		apitest.Get("v2/prompts/p?label=latest").Says(200, `"version":2`, `"tags":["t"]`),
		// The next number follows the highest remaining version, and a new prompt starts again at 1.
		apitest.Post("v2/prompts", `{"name":"p","prompt":"3 again"}`).Says(201, `"version":3`),
		remove("v2/prompts/p"),
		apitest.Get("v2/prompts/p?label=latest").Says(404),
		apitest.Post("v2/prompts", `{"name":"p","prompt":"new"}`).Says(201, `"version":1`, `"tags":[]`),
		// Versions that other prompts depend on cannot be deleted.
		apitest.Post("v2/prompts", `{"name":"p","prompt":"2","labels":["stable"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"byVersion","prompt":"@@@langfusePrompt:name=p|version=1@@@"}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"byLabel","prompt":"@@@langfusePrompt:name=p|label=stable@@@"}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"byLatest","prompt":"@@@langfusePrompt:name=p|label=latest@@@"}`).Says(201),
		remove("v2/prompts/p?version=1").Gives(400, used("byVersion (version 1)")),
		remove("v2/prompts/p?version=2").Gives(400, used("byLabel (version 1)")),
		remove("v2/prompts/p?label=stable").Gives(400, used("byLabel (version 1)")),
		remove("v2/prompts/p").Gives(400, used("byLabel (version 1), byLatest (version 1), byVersion (version 1)")),
		remove("v2/prompts/byLabel"),
		remove("v2/prompts/p?label=stable"), // latest moves to another version
		apitest.Get("v2/prompts/byLatest?label=latest").Says(200, `"prompt":"new"`),
		remove("v2/prompts/byVersion?version=1"),
		remove("v2/prompts/p?version=1").Gives(400, used("byLatest (version 1)")), // nowhere to move to
		remove("v2/prompts/byLatest"),
		remove("v2/prompts/p"),
	})
}

func TestPromptDependencies(t *testing.T) {
	f := apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("v2/prompts", `{"name":"base","prompt":"Say \"hi\"\n\\o/ {{you}}","labels":["production","stable"]}`).Says(201),
		apitest.Post("v2/prompts", `{"name":"mid","prompt":"<@@@langfusePrompt:name=base|label=production@@@>","labels":["production"]}`).
			Says(201, `"prompt":"<@@@langfusePrompt:name=base|label=production@@@>"`),
		// Text and chat, by version and by label, several times.
		apitest.Post("v2/prompts",
			`{"name":"top/text","prompt":"@@@langfusePrompt:name=mid|version=1@@@ @@@langfusePrompt:name=base|version=1@@@ @@@langfusePrompt:name=base|label=stable@@@ @@@langfusePrompt:name=mid|version=1@@@","labels":["production"]}`).Says(201),
		apitest.Get("v2/prompts/top%2Ftext").Says(200,
			`"prompt":"<Say \"hi\"\n\\o/ {{you}}> Say \"hi\"\n\\o/ {{you}} Say \"hi\"\n\\o/ {{you}} <Say \"hi\"\n\\o/ {{you}}>"`,
			`"resolutionGraph":{"root":{"name":"top/text","version":1,"id":"ID"},"dependencies":{`,
			`:[{"id":"ID","name":"mid","version":1},{"id":"ID","name":"base","version":1}]`),
		apitest.Get("v2/prompts/top%2Ftext?resolve=false").Says(200, `"prompt":"@@@langfusePrompt:name=mid|version=1@@@ `,
			`"resolutionGraph":null`),
		apitest.Get("v2/prompts/mid").Says(200, `"dependencies":{"ID":[{"id":"ID","name":"base","version":1}]}}`),
		apitest.Post("v2/prompts",
			`{"name":"chat","type":"chat","prompt":[{"role":"system","content":"A @@@langfusePrompt:name=mid|label=production@@@"},{"type":"placeholder","name":"h"}],"labels":["production"]}`).Says(201),
		apitest.Get("v2/prompts/chat").Says(200,
			`"prompt":[{"role":"system","content":"A <Say \"hi\"\n\\o/ {{you}}>"},{"type":"placeholder","name":"h"}]`),
		// Prompts follow the labels that they refer to.
		apitest.Post("v2/prompts", `{"name":"base","prompt":"new","labels":["production"]}`).Says(201),
		apitest.Get("v2/prompts/chat").Says(200, `"content":"A <new>"`, `"name":"base","version":2`),
		apitest.Get("v2/prompts/top%2Ftext").Says(200, `"prompt":"<new> Say \"hi\"`),
		// Malformed tags are plain text.
		apitest.Post("v2/prompts",
			`{"name":"literal","prompt":"@@@langfusePrompt:name=x@@@ @@@langfusePrompt:label=a|name=x@@@ @@@langfusePrompt:name=x|version=0@@@ @@@langfusePrompt:name=x|version=1|label=a@@@ @@@langfusePrompt:name=|label=a@@@ @@@langfusePrompt:name=x|label=@@@ @@@langfusePrompt:name=x|v=1@@@ @@@langfusePrompt:name=x|label=a","labels":["production"]}`).Says(201),
		apitest.Get("v2/prompts/literal").Says(200, `"prompt":"@@@langfusePrompt:name=x@@@ @@@langfusePrompt:label=a|name=x@@@ `,
			`"resolutionGraph":null`),
		// References that cannot be resolved are rejected.
		apitest.Post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=nope|label=production@@@"}`).
			Gives(400, `{"message":"Prompt dependency not found: 'nope' with label 'production'","error":"InvalidRequestError"}`),
		apitest.Post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=base|version=9@@@"}`).Says(400,
			`Prompt dependency not found: 'base' with version 9`),
		apitest.Post("v2/prompts", `{"name":"x","prompt":"@@@langfusePrompt:name=chat|version=1@@@"}`).Says(400,
			`Prompt dependency is not a text prompt: 'chat' with version 1`, `"InvalidRequestError"`),
		apitest.Post("v2/prompts", `{"name":"base","prompt":"@@@langfusePrompt:name=base|version=1@@@"}`).Says(400,
			`Circular dependency: prompt 'base' depends on itself`),
		apitest.Post("v2/prompts", `{"name":"base","prompt":"@@@langfusePrompt:name=mid|version=1@@@"}`).Says(400,
			`Circular dependency: prompt 'base' depends on itself`),
		apitest.Get("v2/prompts/x?label=latest").Says(404),
	})
	// Nothing of the rejected prompts was stored.
	if got := f.Ask(t, apitest.Get("v2/prompts?name=base")); !strings.Contains(got, `"versions":[1,2]`) {
		t.Errorf("after refused versions: %s", got)
	}
}

func TestPromptDepth(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/prompts", `{"name":"p1","prompt":"x","labels":["production"]}`).Gives(201, ""))
	for n := 2; n <= 6; n++ {
		status := 201
		if n == 6 {
			status = 400
		}
		f.Ask(t,
			apitest.Post("v2/prompts",
				fmt.Sprintf(`{"name":"p%d","prompt":"@@@langfusePrompt:name=p%d|label=production@@@","labels":["production"]}`, n,
					n-1)).Gives(status, ""))
	}
	if got := f.Ask(t, apitest.Get("v2/prompts/p5")); !strings.Contains(got, `"prompt":"x"`) {
		t.Errorf("five in a chain: %s", got)
	}
	// A chain that becomes too long later, or loses its end, is detected when it is read.
	f.Ask(t, apitest.Post("v2/prompts", `{"name":"p0","prompt":"y"}`).Gives(201, ""))
	f.Ask(t, apitest.Post("v2/prompts", `{"name":"p1","prompt":"@@@langfusePrompt:name=p0|version=1@@@","labels":["production"]}`).Gives(201, ""))
	if got := f.Ask(t, apitest.Get("v2/prompts/p5").Gives(409, "")); !strings.Contains(got,
		`at most 5 prompts can stand in a chain","error":"LangfuseConflictError"`) {
		t.Errorf("six in a chain: %s", got)
	}
	f.Ask(t, apitest.Get("v2/prompts/p5?resolve=false"))
	f.Ask(t, apitest.Get("v2/prompts/p5").Gives(409, "")) // from the cache
	f.Ask(t, apitest.Patch("v2/prompts/p1/versions/1", `{"newLabels":["production"]}`))
	f.Ask(t, apitest.Get("v2/prompts/p5"))
}

func TestTooManyReferences(t *testing.T) {
	var text strings.Builder
	for n := range 101 {
		fmt.Fprintf(&text, "@@@langfusePrompt:name=p|version=%d@@@", n+1)
	}
	apitest.New(t, nil).Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"name":"n","prompt":"` + text.String() + `"}`,
		Status: 400, Contains: []string{"A prompt can name at most 100 other prompts"},
	})
}

func TestPromptAccess(t *testing.T) {
	var scenarios []apitest.Scenario
	for _, s := range []apitest.Scenario{
		{Method: "GET", Path: "/v2/prompts"},
		{Method: "POST", Path: "/v2/prompts", Body: `{"name":"x","prompt":"y"}`},
		{Method: "GET", Path: "/v2/prompts/x"},
		{Method: "DELETE", Path: "/v2/prompts/x"},
		{Method: "PATCH", Path: "/v2/prompts/x/versions/1", Body: `{"newLabels":[]}`},
		{Method: "GET", Path: "/prompts?name=x"},
		{Method: "POST", Path: "/prompts", Body: `{"name":"x","prompt":"y","isActive":true}`},
	} {
		s.Path = "/api/public" + s.Path
		denied := `{"message":"Access denied - need to use basic auth with secret key to ` + s.Method +
			` prompts","error":"ForbiddenError"}`
		permission := map[string]string{"GET": "prompts:read", "DELETE": "prompts:delete"}[s.Method]
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
			{
				"a key without the permission", "limited", "", 403,
				`{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission ` + permission +
					`","error":"ForbiddenError"}`,
			},
			{
				"a wrong key", "", "Basic eDp5", 401,
				`{"message":"Invalid credentials. Confirm that you've configured the correct host.","error":"UnauthorizedError"}`,
			},
		} {
			s := s
			s.Name, s.Key, s.Status, s.Want = s.Method+" "+s.Path+" with "+try.name, try.key, try.status, try.want
			if try.bearer != "" {
				s.Header = map[string]string{"Authorization": try.bearer}
			}
			scenarios = append(scenarios, s)
		}
	}
	scenarios = append(scenarios,
		apitest.Scenario{
			Name: "another method", Method: "PUT", Path: "/api/public/v2/prompts/x", Key: "project", Status: 405,
			Want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`,
		},
		apitest.Scenario{Name: "versions cannot be read so", Path: "/api/public/v2/prompts/x/versions/1", Key: "project", Status: 405},
	)
	apitest.Run(t, scenarios)
}

func TestDeprecatedPrompts(t *testing.T) {
	successor := map[string]string{"Deprecation": "@1767225600", "Link": `</api/public/v2/prompts>; rel="successor-version"`}
	f := apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("prompts", `{"name":"p","prompt":"1","isActive":true}`).Gives(201, written("p", 1, "1", `["production","latest"]`, `[]`)),
		apitest.Post("prompts", `{"name":"p","prompt":"2","isActive":false,"labels":["dev"]}`).Gives(201,
			written("p", 2, "2", `["dev","latest"]`, `[]`)),
		apitest.Post("prompts", `{"name":"p","prompt":"3"}`).Says(400, `"invalid_union"`, `"path":["isActive"]`),
		apitest.Post("prompts", `{"name":"c","type":"chat","prompt":[],"isActive":true}`).Says(201, `"type":"chat"`,
			`"labels":["production","latest"]`),
		apitest.Post("prompts", `[]`).Says(400, `expected object, received array`),
		apitest.Get("prompts?name=p").Gives(200, read("p", 1, "1", `["production"]`, `[]`)),
		apitest.Get("prompts?name=p&version=2").Gives(200, read("p", 2, "2", `["dev","latest"]`, `[]`)),
		apitest.Get("prompts?name=q").Gives(404, notThere("'q' with label 'production'")),
		apitest.Get("prompts").Says(400, `"path":["name"]`),
	})
	f.Run(t, apitest.Scenario{Path: "/api/public/prompts?name=p", Key: "project", Status: 200, WantHeader: successor})
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/prompts", Key: "project", Body: `{"name":"p","prompt":"3","isActive":true}`, Status: 201,
		WantHeader: successor,
	})
	f.Run(t, apitest.Scenario{Path: "/api/public/v2/prompts/p", Key: "project", Status: 200, WantHeader: map[string]string{"Deprecation": ""}})
}

func TestPromptComments(t *testing.T) {
	f := apitest.Sequence(t, []apitest.Scenario{apitest.Post("v2/prompts", `{"name":"p","prompt":"1"}`).Says(201)})
	p, err := f.Catalog.Prompt(t.Context(), domain.OfProject("project-a"), domain.PromptReference{Name: "p", Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	comment := func(key, id string, status int) {
		t.Helper()
		f.Ask(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/comments", Key: key, Status: status,
			Body: `{"projectId":"x","objectType":"PROMPT","objectId":"` + id + `","content":"c"}`,
		})
	}
	comment("project", p.ID, 200)
	comment("project", "p", 404)
	comment("neighbour", p.ID, 404)
}

// TestPromptsAtOnce creates versions concurrently: all of them are created, with consecutive numbers.
func TestPromptsAtOnce(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.Limits.Concurrent = 32 })
	const writers = 16
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			w := httptest.NewRecorder()
			s := apitest.Post("v2/prompts", `{"name":"p","prompt":"x","labels":["production"]}`)
			s.Key = "project"
			f.ServeHTTP(w, s.Request())
			if w.Code != 201 {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
	}
	work.Wait()
	if got := f.Ask(t, apitest.Get("v2/prompts")); !strings.Contains(got,
		`"versions":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"labels":["latest","production"]`) {
		t.Errorf("after %d creations at once: %s", writers, got)
	}
	if got := f.Ask(t, apitest.Get("v2/prompts/p")); !strings.Contains(got, `"version":16`) {
		t.Errorf("in production: %s", got)
	}
}
