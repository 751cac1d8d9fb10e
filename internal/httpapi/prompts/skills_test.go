package prompts_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

const (
	skillsPath = "unstable/skills"
	noPath     = "A path is relative to the skill"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func TestSkills(t *testing.T) {
	pdf, script := apitest.Manifest("pdf", "Reads PDF files"), "print('héllo')\x00"
	file := func(path, kind, content string) string {
		return fmt.Sprintf(`{"id":"ID","path":%q,"blobId":"ID","sha256Hash":%q,"contentType":%q,"contentLength":%d}`, path, hashOf(content),
			kind, len(content))
	}
	version := func(number int, labels, tags, files string) string {
		return fmt.Sprintf(`{"id":"ID",TIMES,"projectId":"project-a","createdBy":"API","name":"pdf","description":"Reads PDF files",`+
			`"frontmatter":{"description":"Reads PDF files","name":"pdf"},"version":%d,"tags":%s,"labels":%s,"commitMessage":null,"files":[%s]}`, number, tags, labels, files)
	}
	first := file("SKILL.md", "text/markdown", pdf) + "," + file("scripts/run.py", "text/plain", script)
	both := url.QueryEscape(hashOf(script) + "," + hashOf(pdf) + "," + hashOf(script))
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Get(skillsPath+"/pdf").Gives(404, `{"message":"Skill not found: 'pdf' with label 'production'","error":"LangfuseNotFoundError"}`),
		apitest.Post(skillsPath, apitest.SkillFiles("SKILL.md", pdf, "scripts/run.py", script)).Gives(200, version(1, `["latest"]`, `[]`, first)),
		apitest.Get(skillsPath + "/pdf").Says(404),
		apitest.Get(skillsPath+"/pdf?label=latest").Gives(200, version(1, `["latest"]`, `[]`, first)),
		apitest.Get(skillsPath+"/pdf?version=1").Gives(200, version(1, `["latest"]`, `[]`, first)),
		apitest.Get(skillsPath+"/pdf?version=1&label=latest").Says(400, "Cannot specify both version and label"),
		apitest.Get(skillsPath+"/pdf?version=x").Says(400, `"path":["version"]`),
		apitest.Get(skillsPath+"/files/content?sha256Hashes="+both).Gives(200,
			fmt.Sprintf(`{"data":[{"sha256Hash":%q,"content":"print('héllo')\u0000"},{"sha256Hash":%q,"content":%q}]}`, hashOf(script),
				hashOf(pdf), pdf)),
		// A file, even the manifest, may be given by the hash of existing content.
		apitest.Post(skillsPath, `{"files":[{"path":"a.json","content":"{}"},{"path":"SKILL.md","sha256Hash":"`+hashOf(pdf)+
			`"}],"commitMessage":"why"}`).
			Says(200, `"version":2`, `"labels":["latest"]`, `"commitMessage":"why"`, `"path":"a.json"`, `"contentType":"application/json"`),
		apitest.Post(skillsPath, `{"files":[{"path":"SKILL.md","sha256Hash":"`+hashOf("nothing")+`"}]}`).Says(400,
			"The project has no content with the SHA-256 "+hashOf("nothing")),
		// Labels are replaced, and removed from other versions.
		apitest.Patch(skillsPath+"/pdf/versions/1", `{"labels":["production","a","a"]}`).Gives(200, version(1, `["production","a"]`, `[]`, first)),
		apitest.Get(skillsPath+"/pdf").Says(200, `"version":1`),
		apitest.Patch(skillsPath+"/pdf/versions/2", `{"labels":["production"]}`).Says(200, `"labels":["production","latest"]`),
		apitest.Get(skillsPath+"/pdf").Says(200, `"version":2`),
		apitest.Get(skillsPath+"/pdf?label=a").Gives(200, version(1, `["a"]`, `[]`, first)),
		apitest.Patch(skillsPath+"/pdf/versions/1", `{"labels":[]}`).Gives(200, version(1, `[]`, `[]`, first)),
		apitest.Patch(skillsPath+"/pdf/versions/1", `{"labels":["latest"]}`).Says(400, "The label latest always belongs to the newest version"),
		apitest.Patch(skillsPath+"/pdf/versions/1", `{"labels":["Upper"]}`).Says(400, `"path":["labels",0]`),
		apitest.Patch(skillsPath+"/pdf/versions/1", `{}`).Says(400, `"path":["labels"]`),
		apitest.Patch(skillsPath+"/pdf/versions/9", `{"labels":[]}`).Gives(404,
			`{"message":"Skill 'pdf' version 9 not found in project","error":"LangfuseNotFoundError"}`),
		apitest.Patch(skillsPath+"/pdf/versions/0", `{"labels":[]}`).Says(404),
		apitest.Patch(skillsPath+"/pdf/versions/x", `{"labels":[]}`).Says(400, `"path":["skillVersion"]`),
		// Tags belong to all versions; the response is the latest.
		apitest.Patch(skillsPath+"/pdf", `{"tags":["x","y","x"]}`).Says(200, `"version":2`, `"tags":["x","y"]`),
		apitest.Get(skillsPath+"/pdf?version=1").Gives(200, version(1, `[]`, `["x","y"]`, first)),
		apitest.Patch(skillsPath+"/pdf", `{"tags":null}`).Says(400, `"path":["tags"]`),
		apitest.Patch(skillsPath+"/nope", `{"tags":[]}`).Gives(404, `{"message":"Skill not found: 'nope'","error":"LangfuseNotFoundError"}`),
		// Lists.
		apitest.Post(skillsPath, apitest.SkillWith("web-search", "Finds things")).Says(200, `"name":"web-search"`),
		apitest.Get(skillsPath).Says(200,
			`{"data":[{"name":"pdf","description":"Reads PDF files","tags":["x","y"],"latestVersion":2,"latestVersionCreatedAt":"`,
			`"productionVersion":2},{"name":"web-search"`,
			`"productionVersion":null}],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1,"hasNextPage":false}}`),
		apitest.Get(skillsPath+"?limit=1").Says(200, `"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2,"hasNextPage":true}`),
		apitest.Get(skillsPath+"?limit=1&page=2").Says(200, `{"data":[{"name":"web-search"`, `"hasNextPage":false`),
		apitest.Get(skillsPath+"?search=pDf+FILES").Says(200, `"totalItems":1`, `"name":"pdf"`),
		apitest.Get(skillsPath+"?search=WEB-").Says(200, `"totalItems":1`, `"name":"web-search"`),
		apitest.Get(skillsPath+"?search=%25").Says(200, `"totalItems":0`),
		apitest.Get(skillsPath+"?search=%00").Says(200, `"totalItems":0`),
		apitest.Get(skillsPath+"?tag=y&name=pdf").Says(200, `"totalItems":1`),
		apitest.Get(skillsPath+"?tag=y&name=web-search").Says(200, `"totalItems":0`),
		apitest.Get(skillsPath+"?fromUpdatedAt=2020-01-01T00:00:00Z&toUpdatedAt=2200-01-01T00:00:00Z").Says(200, `"totalItems":2`),
		apitest.Get(skillsPath+"?toUpdatedAt=2020-01-01T00:00:00Z").Says(200, `"totalItems":0`),
		apitest.Get(skillsPath+"?fromUpdatedAt=yesterday").Says(400, `"path":["fromUpdatedAt"]`),
		apitest.Get(skillsPath+"?limit=0").Says(400, `"path":["limit"]`),
		// Deletion removes contents that no other version uses, and keeps the others; the label latest moves.
		{Method: "DELETE", Path: "/api/public/" + skillsPath + "/pdf/versions/2", Key: "project", Status: 200, Want: `{"deleted":true}`},
		{Method: "DELETE", Path: "/api/public/" + skillsPath + "/pdf/versions/2", Key: "project", Status: 404},
		apitest.Get(skillsPath+"/pdf?label=latest").Gives(200, version(1, `["latest"]`, `["x","y"]`, first)),
		apitest.Get(skillsPath+"/files/content?sha256Hashes="+url.QueryEscape(hashOf("{}"))).Gives(404,
			`{"message":"The project has no content with one of the hashes","error":"LangfuseNotFoundError"}`),
		apitest.Get(skillsPath+"/files/content?sha256Hashes="+url.QueryEscape(hashOf(pdf))).Says(200, `"content":"---\nname: pdf\n`),
		{Method: "DELETE", Path: "/api/public/" + skillsPath + "/pdf/versions/1", Key: "project", Status: 200},
		apitest.Post(skillsPath, apitest.SkillFiles("SKILL.md", pdf)).Says(200, `"version":1`, `"tags":[]`),
		// Other projects see nothing of it.
		{Path: "/api/public/" + skillsPath + "/pdf?version=1", Key: "neighbour", Status: 404},
		{Path: "/api/public/" + skillsPath, Key: "neighbour", Status: 200, Contains: []string{`"data":[]`}},
		{Path: "/api/public/" + skillsPath + "/files/content?sha256Hashes=" + url.QueryEscape(hashOf(pdf)), Key: "neighbour", Status: 404},
		{
			Method: "POST", Path: "/api/public/" + skillsPath, Key: "neighbour", Body: `{"files":[{"path":"SKILL.md","sha256Hash":"` +
				hashOf(pdf) + `"}]}`,
			Status: 400, Contains: []string{"The project has no content"},
		},
		{Path: "/api/public/" + skillsPath, Key: "limited", Status: 403, Contains: []string{"prompts:read"}},
		{
			Method: "POST", Path: "/api/public/" + skillsPath, Key: "limited", Body: apitest.SkillWith("a", "b"), Status: 403,
			Contains: []string{"prompts:write"},
		},
	})
}

func TestSkillValidation(t *testing.T) {
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/" + skillsPath, Key: "project", Body: body, Status: status, Contains: parts,
		}
	}
	head := func(name, front string, status int, parts ...string) apitest.Scenario {
		return create(name, apitest.SkillFiles("SKILL.md", front), status, parts...)
	}
	at := func(path string) string { return apitest.SkillFiles("SKILL.md", apitest.Manifest("a", "b"), path, "x") }
	hashes := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = hashOf(strconv.Itoa(i))
		}
		return url.QueryEscape(strings.Join(list, ","))
	}
	contents := func(name, list string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/api/public/" + skillsPath + "/files/content" + list, Key: "project", Status: status, Contains: parts,
		}
	}
	many := func(n int) string {
		pairs := []string{"SKILL.md", apitest.Manifest("many", "files")}
		for i := range n - 1 {
			pairs = append(pairs, fmt.Sprint("f", i), "x")
		}
		return apitest.SkillFiles(pairs...)
	}
	const needsName, needsDescription = "the frontmatter needs a name", "the frontmatter needs a description"
	apitest.Run(t, []apitest.Scenario{
		create("no files", `{}`, 400, `"path":["files"]`),
		create("no manifest", apitest.SkillFiles("a.md", "x"), 400, "A skill needs a file SKILL.md"),
		create("none", `{"files":[]}`, 400, "A skill needs a file SKILL.md"),
		create("a manifest elsewhere", apitest.SkillFiles("a/SKILL.md", apitest.Manifest("a", "b")), 400, "A skill needs a file SKILL.md"),
		create("twice", apitest.SkillFiles("SKILL.md", apitest.Manifest("a", "b"), "SKILL.md", "x"), 400, "The path SKILL.md is there twice"),
		create("neither content nor hash", `{"files":[{"path":"SKILL.md"}]}`, 400, `"path":["files",0,"content"]`),
		create("no content", `{"files":[{"path":"SKILL.md","content":1}]}`, 400, `"path":["files",0,"content"]`),
		create("no hash", `{"files":[{"path":"SKILL.md","sha256Hash":"abc"}]}`, 400, `"path":["files",0,"sha256Hash"]`, "44 characters"),
		create("a hash of another base64", `{"files":[{"path":"SKILL.md","sha256Hash":"`+strings.Repeat("_", 43)+`="}]}`, 400,
			"44 characters"),
		create("no list", `{"files":"x"}`, 400, `"path":["files"]`),
		create("a long message", `{"files":[],"commitMessage":"`+strings.Repeat("x", 501)+`"}`, 400, `"path":["commitMessage"]`),
		create("too many files", many(201), 400, `"maximum":200`),
		create("many files", many(200), 200, `"path":"f198"`),
		create("a long file", apitest.SkillFiles("SKILL.md", apitest.Manifest("a", "b"), "x", strings.Repeat("x", 1<<20+1)), 400,
			`"path":["files",1,"content"]`, `"maximum":1048576`),
		create("the longest file", apitest.SkillFiles("SKILL.md", apitest.Manifest("long", "b"), "x", strings.Repeat("x", 1<<20)), 200,
			`"contentLength":1048576`),
		create("too long a body", apitest.SkillFiles("SKILL.md", strings.Repeat("x", 8<<20)), 413),

		create("up", at("../x"), 400, noPath), create("up within", at("a/../x"), 400, noPath), create("absolute", at("/x"), 400, noPath),
		create("here", at("."), 400, noPath), create("two slashes", at("a//b"), 400, noPath),
		create("a slash at the end", at("a/"), 400, noPath),
		create("backslash", at(`a\b`), 400, noPath), create("a drive", at("c:x"), 400, noPath),
		create("no path", at(""), 400, `"path":["files",1,"path"]`),
		create("a long path", at(strings.Repeat("a", 501)), 400, `"maximum":500`), create("a zero", at("a\x00"), 400, "U+0000"),
		create("the longest path", at(strings.Repeat("a", 500)), 200),

		head("no frontmatter", "# Hello", 400, "SKILL.md: it begins with a frontmatter"),
		head("an open one", "---\nname: a\ndescription: b\n", 400, "it begins with a frontmatter"),
		head("an empty one", "---\n---\n", 400, needsName),
		head("windows", "\ufeff---\r\nname: win\r\ndescription: b\r\n---\r\n", 200, `"name":"win"`),
		head("the end of the file", "---\nname: end\ndescription: b\n---", 200, `"name":"end"`),
		head("no YAML", "---\n\t{\n---\n", 400, "the frontmatter is not an object in YAML"),
		head("a list", "---\n- a\n---\n", 400, "the frontmatter is not an object in YAML"),
		head("no name", "---\ndescription: b\n---\n", 400, needsName),
		head("upper case", apitest.Manifest("Pdf", "b"), 400, needsName),
		head("a slash", apitest.Manifest("a/b", "b"), 400, needsName),
		head("two hyphens", apitest.Manifest("a--b", "b"), 400, needsName),
		head("a number", apitest.Manifest("1", "b"), 400, needsName),
		head("a long name", apitest.Manifest(strings.Repeat("a", 65), "b"), 400, needsName),
		head("the longest name", apitest.Manifest(strings.Repeat("a", 64), "b"), 200),
		head("no description", "---\nname: a\n---\n", 400, needsDescription),
		head("a blank one", apitest.Manifest("a", `" "`), 400, needsDescription),
		head("a long one", apitest.Manifest("a", strings.Repeat("é", 1025)), 400, needsDescription),
		head("the longest one", apitest.Manifest("a", strings.Repeat("é", 1024)), 200),
		head("a zero in it", apitest.Manifest("a", `"x\0"`), 400, "U+0000"),
		head("more", "---\nname: more\ndescription: b\nallowed-tools: [Read, Bash]\nmetadata: {version: \"1.0\", n: 2}\n---\n", 200,
			`"frontmatter":{"allowed-tools":["Read","Bash"],"description":"b","metadata":{"n":2,"version":"1.0"},"name":"more"}`),
		head("no number", "---\nname: a\ndescription: b\nx: .nan\n---\n", 400, "values that JSON cannot have"),
		head("nested", "---\nname: a\ndescription: b\nx: "+strings.Repeat("[", 300)+strings.Repeat("]", 300)+"\n---\n", 400,
			"nested too deeply"),
		head("a bomb", "---\nname: a\ndescription: b\na: &a [x,x,x,x,x,x,x,x,x]\n"+bomb()+"---\n", 400, "excessive aliasing"),
		head("a long frontmatter", "---\nname: a\ndescription: b\nx: "+strings.Repeat("x", 64<<10)+"\n---\n", 400, "longer than 64 KB"),

		contents("no hashes", "", 400, `"path":["sha256Hashes"]`),
		contents("empty", "?sha256Hashes=,", 400, `"path":["sha256Hashes"]`),
		contents("no hash", "?sha256Hashes=x", 400, "44 characters"),
		contents("unknown", "?sha256Hashes="+hashes(50), 404),
		contents("too many", "?sha256Hashes="+hashes(51), 400, `"maximum":50`),
	})
}

// bomb is YAML that expands to a billion values.
func bomb() string {
	var b strings.Builder
	for n := range 9 {
		from, to := 'a'+rune(n), 'b'+rune(n)
		fmt.Fprintf(&b, "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", to, to, from, from, from, from, from, from, from, from, from)
	}
	return b.String()
}
