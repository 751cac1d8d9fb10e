package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
)

const (
	skillsPath = "unstable/skills"
	noPath     = "A path is relative to the skill"
)

// manifest returns the contents of a SKILL.md.
func manifest(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# Hello\n"
}

// skillFiles returns the body of a request to create a skill with these files, given as alternating paths and contents.
func skillFiles(pairs ...string) string {
	files := make([]map[string]string, 0, len(pairs)/2)
	for n := 0; n < len(pairs); n += 2 {
		files = append(files, map[string]string{"path": pairs[n], "content": pairs[n+1]})
	}
	body, err := json.Marshal(map[string]any{"files": files})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// skillWith returns the body of a request to create a skill with one file.
func skillWith(name, description string) string {
	return skillFiles(domain.SkillManifest, manifest(name, description))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func TestSkills(t *testing.T) {
	pdf, script := manifest("pdf", "Reads PDF files"), "print('héllo')\x00"
	file := func(path, kind, content string) string {
		return fmt.Sprintf(`{"id":"ID","path":%q,"blobId":"ID","sha256Hash":%q,"contentType":%q,"contentLength":%d}`, path, hashOf(content), kind, len(content))
	}
	version := func(number int, labels, tags, files string) string {
		return fmt.Sprintf(`{"id":"ID",TIMES,"projectId":"project-a","createdBy":"API","name":"pdf","description":"Reads PDF files",`+
			`"frontmatter":{"description":"Reads PDF files","name":"pdf"},"version":%d,"tags":%s,"labels":%s,"commitMessage":null,"files":[%s]}`, number, tags, labels, files)
	}
	first := file("SKILL.md", "text/markdown", pdf) + "," + file("scripts/run.py", "text/plain", script)
	both := url.QueryEscape(hashOf(script) + "," + hashOf(pdf) + "," + hashOf(script))
	sequence(t, []scenario{
		get(skillsPath+"/pdf").gives(404, `{"message":"Skill not found: 'pdf' with label 'production'","error":"LangfuseNotFoundError"}`),
		post(skillsPath, skillFiles("SKILL.md", pdf, "scripts/run.py", script)).gives(200, version(1, `["latest"]`, `[]`, first)),
		get(skillsPath + "/pdf").says(404),
		get(skillsPath+"/pdf?label=latest").gives(200, version(1, `["latest"]`, `[]`, first)),
		get(skillsPath+"/pdf?version=1").gives(200, version(1, `["latest"]`, `[]`, first)),
		get(skillsPath+"/pdf?version=1&label=latest").says(400, "Cannot specify both version and label"),
		get(skillsPath+"/pdf?version=x").says(400, `"path":["version"]`),
		get(skillsPath+"/files/content?sha256Hashes="+both).gives(200,
			fmt.Sprintf(`{"data":[{"sha256Hash":%q,"content":"print('héllo')\u0000"},{"sha256Hash":%q,"content":%q}]}`, hashOf(script), hashOf(pdf), pdf)),
		// A file, even the manifest, may be given by the hash of existing content.
		post(skillsPath, `{"files":[{"path":"a.json","content":"{}"},{"path":"SKILL.md","sha256Hash":"`+hashOf(pdf)+`"}],"commitMessage":"why"}`).
			says(200, `"version":2`, `"labels":["latest"]`, `"commitMessage":"why"`, `"path":"a.json"`, `"contentType":"application/json"`),
		post(skillsPath, `{"files":[{"path":"SKILL.md","sha256Hash":"`+hashOf("nothing")+`"}]}`).says(400, "The project has no content with the SHA-256 "+hashOf("nothing")),
		// Labels are replaced, and removed from other versions.
		patch(skillsPath+"/pdf/versions/1", `{"labels":["production","a","a"]}`).gives(200, version(1, `["production","a"]`, `[]`, first)),
		get(skillsPath+"/pdf").says(200, `"version":1`),
		patch(skillsPath+"/pdf/versions/2", `{"labels":["production"]}`).says(200, `"labels":["production","latest"]`),
		get(skillsPath+"/pdf").says(200, `"version":2`),
		get(skillsPath+"/pdf?label=a").gives(200, version(1, `["a"]`, `[]`, first)),
		patch(skillsPath+"/pdf/versions/1", `{"labels":[]}`).gives(200, version(1, `[]`, `[]`, first)),
		patch(skillsPath+"/pdf/versions/1", `{"labels":["latest"]}`).says(400, "The label latest always belongs to the newest version"),
		patch(skillsPath+"/pdf/versions/1", `{"labels":["Upper"]}`).says(400, `"path":["labels",0]`),
		patch(skillsPath+"/pdf/versions/1", `{}`).says(400, `"path":["labels"]`),
		patch(skillsPath+"/pdf/versions/9", `{"labels":[]}`).gives(404, `{"message":"Skill 'pdf' version 9 not found in project","error":"LangfuseNotFoundError"}`),
		patch(skillsPath+"/pdf/versions/0", `{"labels":[]}`).says(404),
		patch(skillsPath+"/pdf/versions/x", `{"labels":[]}`).says(400, `"path":["skillVersion"]`),
		// Tags belong to all versions; the response is the latest.
		patch(skillsPath+"/pdf", `{"tags":["x","y","x"]}`).says(200, `"version":2`, `"tags":["x","y"]`),
		get(skillsPath+"/pdf?version=1").gives(200, version(1, `[]`, `["x","y"]`, first)),
		patch(skillsPath+"/pdf", `{"tags":null}`).says(400, `"path":["tags"]`),
		patch(skillsPath+"/nope", `{"tags":[]}`).gives(404, `{"message":"Skill not found: 'nope'","error":"LangfuseNotFoundError"}`),
		// Lists.
		post(skillsPath, skillWith("web-search", "Finds things")).says(200, `"name":"web-search"`),
		get(skillsPath).says(200, `{"data":[{"name":"pdf","description":"Reads PDF files","tags":["x","y"],"latestVersion":2,"latestVersionCreatedAt":"`,
			`"productionVersion":2},{"name":"web-search"`, `"productionVersion":null}],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1,"hasNextPage":false}}`),
		get(skillsPath+"?limit=1").says(200, `"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2,"hasNextPage":true}`),
		get(skillsPath+"?limit=1&page=2").says(200, `{"data":[{"name":"web-search"`, `"hasNextPage":false`),
		get(skillsPath+"?search=pDf+FILES").says(200, `"totalItems":1`, `"name":"pdf"`),
		get(skillsPath+"?search=WEB-").says(200, `"totalItems":1`, `"name":"web-search"`),
		get(skillsPath+"?search=%25").says(200, `"totalItems":0`),
		get(skillsPath+"?search=%00").says(200, `"totalItems":0`),
		get(skillsPath+"?tag=y&name=pdf").says(200, `"totalItems":1`),
		get(skillsPath+"?tag=y&name=web-search").says(200, `"totalItems":0`),
		get(skillsPath+"?fromUpdatedAt=2020-01-01T00:00:00Z&toUpdatedAt=2200-01-01T00:00:00Z").says(200, `"totalItems":2`),
		get(skillsPath+"?toUpdatedAt=2020-01-01T00:00:00Z").says(200, `"totalItems":0`),
		get(skillsPath+"?fromUpdatedAt=yesterday").says(400, `"path":["fromUpdatedAt"]`),
		get(skillsPath+"?limit=0").says(400, `"path":["limit"]`),
		// Deletion removes contents that no other version uses, and keeps the others; the label latest moves.
		{method: "DELETE", path: "/api/public/" + skillsPath + "/pdf/versions/2", key: "project", status: 200, want: `{"deleted":true}`},
		{method: "DELETE", path: "/api/public/" + skillsPath + "/pdf/versions/2", key: "project", status: 404},
		get(skillsPath+"/pdf?label=latest").gives(200, version(1, `["latest"]`, `["x","y"]`, first)),
		get(skillsPath+"/files/content?sha256Hashes="+url.QueryEscape(hashOf("{}"))).gives(404, `{"message":"The project has no content with one of the hashes","error":"LangfuseNotFoundError"}`),
		get(skillsPath+"/files/content?sha256Hashes="+url.QueryEscape(hashOf(pdf))).says(200, `"content":"---\nname: pdf\n`),
		{method: "DELETE", path: "/api/public/" + skillsPath + "/pdf/versions/1", key: "project", status: 200},
		post(skillsPath, skillFiles("SKILL.md", pdf)).says(200, `"version":1`, `"tags":[]`),
		// Other projects see nothing of it.
		{path: "/api/public/" + skillsPath + "/pdf?version=1", key: "neighbour", status: 404},
		{path: "/api/public/" + skillsPath, key: "neighbour", status: 200, contains: []string{`"data":[]`}},
		{path: "/api/public/" + skillsPath + "/files/content?sha256Hashes=" + url.QueryEscape(hashOf(pdf)), key: "neighbour", status: 404},
		{
			method: "POST", path: "/api/public/" + skillsPath, key: "neighbour", body: `{"files":[{"path":"SKILL.md","sha256Hash":"` + hashOf(pdf) + `"}]}`,
			status: 400, contains: []string{"The project has no content"},
		},
		{path: "/api/public/" + skillsPath, key: "limited", status: 403, contains: []string{"prompts:read"}},
		{method: "POST", path: "/api/public/" + skillsPath, key: "limited", body: skillWith("a", "b"), status: 403, contains: []string{"prompts:write"}},
	})
}

func TestSkillValidation(t *testing.T) {
	create := func(name, body string, status int, parts ...string) scenario {
		return scenario{name: name, method: "POST", path: "/api/public/" + skillsPath, key: "project", body: body, status: status, contains: parts}
	}
	head := func(name, front string, status int, parts ...string) scenario {
		return create(name, skillFiles("SKILL.md", front), status, parts...)
	}
	at := func(path string) string { return skillFiles("SKILL.md", manifest("a", "b"), path, "x") }
	hashes := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = hashOf(strconv.Itoa(i))
		}
		return url.QueryEscape(strings.Join(list, ","))
	}
	contents := func(name, list string, status int, parts ...string) scenario {
		return scenario{name: name, path: "/api/public/" + skillsPath + "/files/content" + list, key: "project", status: status, contains: parts}
	}
	many := func(n int) string {
		pairs := []string{"SKILL.md", manifest("many", "files")}
		for i := range n - 1 {
			pairs = append(pairs, fmt.Sprint("f", i), "x")
		}
		return skillFiles(pairs...)
	}
	const needsName, needsDescription = "the frontmatter needs a name", "the frontmatter needs a description"
	runScenarios(t, []scenario{
		create("no files", `{}`, 400, `"path":["files"]`),
		create("no manifest", skillFiles("a.md", "x"), 400, "A skill needs a file SKILL.md"),
		create("none", `{"files":[]}`, 400, "A skill needs a file SKILL.md"),
		create("a manifest elsewhere", skillFiles("a/SKILL.md", manifest("a", "b")), 400, "A skill needs a file SKILL.md"),
		create("twice", skillFiles("SKILL.md", manifest("a", "b"), "SKILL.md", "x"), 400, "The path SKILL.md is there twice"),
		create("neither content nor hash", `{"files":[{"path":"SKILL.md"}]}`, 400, `"path":["files",0,"content"]`),
		create("no content", `{"files":[{"path":"SKILL.md","content":1}]}`, 400, `"path":["files",0,"content"]`),
		create("no hash", `{"files":[{"path":"SKILL.md","sha256Hash":"abc"}]}`, 400, `"path":["files",0,"sha256Hash"]`, "44 characters"),
		create("a hash of another base64", `{"files":[{"path":"SKILL.md","sha256Hash":"`+strings.Repeat("_", 43)+`="}]}`, 400, "44 characters"),
		create("no list", `{"files":"x"}`, 400, `"path":["files"]`),
		create("a long message", `{"files":[],"commitMessage":"`+strings.Repeat("x", 501)+`"}`, 400, `"path":["commitMessage"]`),
		create("too many files", many(201), 400, `"maximum":200`),
		create("many files", many(200), 200, `"path":"f198"`),
		create("a long file", skillFiles("SKILL.md", manifest("a", "b"), "x", strings.Repeat("x", 1<<20+1)), 400, `"path":["files",1,"content"]`, `"maximum":1048576`),
		create("the longest file", skillFiles("SKILL.md", manifest("long", "b"), "x", strings.Repeat("x", 1<<20)), 200, `"contentLength":1048576`),
		create("too long a body", skillFiles("SKILL.md", strings.Repeat("x", 8<<20)), 413),

		create("up", at("../x"), 400, noPath), create("up within", at("a/../x"), 400, noPath), create("absolute", at("/x"), 400, noPath),
		create("here", at("."), 400, noPath), create("two slashes", at("a//b"), 400, noPath), create("a slash at the end", at("a/"), 400, noPath),
		create("backslash", at(`a\b`), 400, noPath), create("a drive", at("c:x"), 400, noPath), create("no path", at(""), 400, `"path":["files",1,"path"]`),
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
		head("upper case", manifest("Pdf", "b"), 400, needsName),
		head("a slash", manifest("a/b", "b"), 400, needsName),
		head("two hyphens", manifest("a--b", "b"), 400, needsName),
		head("a number", manifest("1", "b"), 400, needsName),
		head("a long name", manifest(strings.Repeat("a", 65), "b"), 400, needsName),
		head("the longest name", manifest(strings.Repeat("a", 64), "b"), 200),
		head("no description", "---\nname: a\n---\n", 400, needsDescription),
		head("a blank one", manifest("a", `" "`), 400, needsDescription),
		head("a long one", manifest("a", strings.Repeat("é", 1025)), 400, needsDescription),
		head("the longest one", manifest("a", strings.Repeat("é", 1024)), 200),
		head("a zero in it", manifest("a", `"x\0"`), 400, "U+0000"),
		head("more", "---\nname: more\ndescription: b\nallowed-tools: [Read, Bash]\nmetadata: {version: \"1.0\", n: 2}\n---\n", 200,
			`"frontmatter":{"allowed-tools":["Read","Bash"],"description":"b","metadata":{"n":2,"version":"1.0"},"name":"more"}`),
		head("no number", "---\nname: a\ndescription: b\nx: .nan\n---\n", 400, "values that JSON cannot have"),
		head("nested", "---\nname: a\ndescription: b\nx: "+strings.Repeat("[", 300)+strings.Repeat("]", 300)+"\n---\n", 400, "nested too deeply"),
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
