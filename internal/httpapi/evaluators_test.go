package httpapi

import (
	"fmt"
	"strings"
	"testing"
)

const (
	unstableEvaluators = "/api/public/unstable/evaluators"
	evaluatorsPath     = "/api/public/v2/evaluators"
	numericOutput      = `{"dataType":"NUMERIC","reasoning":{"description":"why"},"score":{"description":"how much","minValue":0,"maxValue":1}}`
	unstableJudge      = `{"name":"judge","prompt":"Is {{output}} right for {{ input }}?","outputDefinition":` + numericOutput + `}`
	unstableCode       = `{"name":"code","type":"code","sourceCode":"pass","sourceCodeLanguage":"PYTHON"}`
	judgeMapping       = `[{"variable":"output","source":"output"},{"variable":"input","source":"input","jsonPath":"$.text"}]`
	flatOutput         = `{"dataType":"NUMERIC","scoreReasoningInstructions":"why","scoreValueInstructions":"how much","minValue":0,"maxValue":1}`
	newJudge           = `{"name":"judge","type":"llm_as_judge","prompt":"Is {{output}} right for {{ input }}?","outputDefinition":` + flatOutput + `}`
	newCode            = `{"name":"code","type":"code","sourceCode":"pass","sourceCodeLanguage":"TYPESCRIPT"}`
	noEvaluator        = `{"message":"Evaluator not found within authorized project","code":"resource_not_found"}`
	pausedMembers      = `"pausedReason":"evaluations_not_supported","pausedMessage":"This server stores evaluators and evaluation rules but does not run evaluations yet."`
	codeVariableNames  = `["input","output","metadata","toolCalls","experimentItemExpectedOutput","experimentItemMetadata"]`
)

// withMember appends a member to an object, where it overrides an earlier one of the same name.
func withMember(object, name, value string) string {
	return strings.TrimSuffix(object, "}") + `,"` + name + `":` + value + `}`
}

// badMappings are mappings that are invalid for the judge, with the code and the details of the error.
var badMappings = []struct{ name, mapping, code, details string }{
	{"an unknown variable", `[{"variable":"x","source":"input"}]`, "invalid_variable_mapping", `"allowedValues":["output","input"],"variable":"x"`},
	{"a variable twice", `[{"variable":"input","source":"input"},{"variable":"input","source":"output"}]`, "duplicate_variable_mapping", `"variable":"input"`},
	{"a missing variable", `[{"variable":"input","source":"input"}]`, "missing_variable_mapping", `"variables":["output"]`},
	{"no variable", `[]`, "missing_variable_mapping", `"variables":["output","input"]`},
	{"a path without a root", `[{"variable":"input","source":"input","jsonPath":"a.b"}]`, "invalid_json_path", `"field":"jsonPath","variable":"input","value":"a.b"`},
	{"a broken path", `[{"variable":"input","source":"input","jsonPath":"$.a["}]`, "invalid_json_path", `"value":"$.a["`},
	{"an unknown source", `[{"variable":"input","source":"x"}]`, "invalid_body", `"source"],"message"`},
	{"an unknown member", `[{"variable":"input","source":"input","y":1}]`, "invalid_body", `"keys":["y"]`},
	{"too many", `[` + strings.Repeat(`{},`, 100) + `{}]`, "invalid_body", "expected array to have <=100 items"},
}

// connect creates LLM connections of project a: "p" with all models, "few" with one. It returns the id of the first.
func connect(t *testing.T, f *fixture) string {
	t.Helper()
	f.ask(t, scenario{method: "PUT", path: connectionsPath, key: "project", body: strings.Replace(connection("openai", `,"customModels":["m"],"withDefaultModels":false`), `"p"`, `"few"`, 1), status: 201})
	return send[struct{ ID string }](t, f, scenario{method: "PUT", path: connectionsPath, key: "project", body: connection("openai", "")}).ID
}

// TestUnconnectedEvaluators follows evaluators whose connection is deleted.
func TestUnconnectedEvaluators(t *testing.T) {
	f := newFixture(t, nil)
	id := connect(t, f)
	path := evaluatorsPath + "/" + made(t, f, evaluatorsPath, withMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`))
	other := evaluatorsPath + "/" + made(t, f, evaluatorsPath, withMember(newJudge, "modelConfig", `{"provider":"few","model":"m"}`))
	const unconnected = `"status":"paused","pausedAt":"2`
	const reason = `"pausedReason":"llm_connection_missing","pausedMessage":"The project has no LLM connection to the provider \"p\". This server stores`
	for _, s := range []scenario{
		{name: "connected", path: path, key: "project", status: 200, contains: []string{pausedMembers}},
		{name: "the connection goes", method: "DELETE", path: connectionsPath + "/" + id, key: "project", status: 200},
		{name: "unconnected", path: path, key: "project", status: 200, contains: []string{unconnected, reason}},
		{name: "another connection", path: other, key: "project", status: 200, contains: []string{pausedMembers}},
		{name: "both", path: evaluatorsPath, key: "project", status: 200, contains: []string{reason, pausedMembers}},
		{name: "a new name", method: "PATCH", path: path, key: "project", body: `{"name":"new"}`, status: 200, contains: []string{reason}},
		{name: "another model", method: "PATCH", path: path, key: "project", body: withMember(newJudge, "modelConfig", `{"provider":"few","model":"m"}`), status: 200, contains: []string{pausedMembers}},
		{
			name: "the model that is gone", method: "PATCH", path: path, key: "project", body: withMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`), status: 422,
			want: `{"message":"The project has no LLM connection to the provider \"p\"","code":"invalid_request","details":{"evaluatorName":"judge","provider":"p","model":"m"}}`,
		},
		{name: "of another project", method: "PATCH", path: path, key: "neighbour", body: withMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`), status: 404, want: noEvaluator},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestUnstableEvaluators(t *testing.T) {
	f := newFixture(t, nil)
	connect(t, f)
	put := func(name, body string, status int, parts ...string) scenario {
		return scenario{name: name, method: "POST", path: unstableEvaluators, key: "project", body: body, status: status, contains: parts}
	}
	output := func(definition string) string { return withMember(unstableJudge, "outputDefinition", definition) }
	scenarios := []scenario{
		put("a judge", unstableJudge, 200, `"name":"judge","version":1,"type":"llm_as_judge","variables":["output","input"],"mapping":null,"evaluationRuleCount":0,"createdAt":"2`,
			`"prompt":"Is {{output}} right for {{ input }}?","outputDefinition":`+numericOutput+`,"modelConfig":null}`),
		put("its next version", withMember(withMember(unstableJudge, "mapping", judgeMapping), "modelConfig", `{"provider":"p","model":"m"}`), 200,
			`"version":2`, `"mapping":`+judgeMapping, `"modelConfig":{"provider":"p","model":"m"}`),
		put("a model of the connection", withMember(withMember(unstableJudge, "name", `"few"`), "modelConfig", `{"provider":"few","model":"m"}`), 200),
		put("a model that the connection does not have", withMember(unstableJudge, "modelConfig", `{"provider":"few","model":"n"}`), 422,
			`{"message":"The LLM connection to the provider \"few\" does not have the model \"n\"","code":"evaluator_preflight_failed","details":{"evaluatorName":"judge","provider":"few","model":"n"}}`),
		put("a provider without a connection", withMember(unstableJudge, "modelConfig", `{"provider":"none","model":"m"}`), 422,
			`{"message":"The project has no LLM connection to the provider \"none\"","code":"evaluator_preflight_failed","details":{"evaluatorName":"judge","provider":"none","model":"m"}}`),
		put("code", unstableCode, 200, `"name":"code","version":1,"type":"code","variables":`+codeVariableNames+`,"mapping":null,`, `"sourceCode":"pass","sourceCodeLanguage":"PYTHON"}`),
		put("with its type", withMember(unstableJudge, "type", `"llm_as_judge"`), 200, `"version":3`),
		put("with nulls", withMember(withMember(withMember(unstableJudge, "type", "null"), "mapping", "null"), "modelConfig", "null"), 200, `"version":4`),
		put("boolean", output(`{"dataType":"BOOLEAN","reasoning":{"description":"a"},"score":{"description":"b"}}`), 200,
			`"outputDefinition":{"dataType":"BOOLEAN","reasoning":{"description":"a"},"score":{"description":"b"}}`),
		put("categorical", output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x","y"],"shouldAllowMultipleMatches":false}}`), 200,
			`"score":{"description":"b","categories":["x","y"],"shouldAllowMultipleMatches":false}`),
		put("another type under the name", withMember(unstableCode, "name", `"judge"`), 409,
			`{"message":"An evaluator of another type has this name","code":"name_conflict","details":{"field":"name","value":"judge"}}`),
		put("an unknown type", withMember(unstableCode, "type", `"x"`), 400, `"path":["type"]`),
		put("one category", output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x"],"shouldAllowMultipleMatches":false}}`), 400, "expected array to have >=2 items"),
		put("a category twice", output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x","x"],"shouldAllowMultipleMatches":true}}`), 400, "Duplicate category: x"),
		put("half a category", output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b"}}`), 400, `"path":["outputDefinition","score","categories"]`, `"path":["outputDefinition","score","shouldAllowMultipleMatches"]`),
		put("categories of a number", output(`{"dataType":"NUMERIC","reasoning":{"description":""},"score":{"description":"b","categories":["x","y"]}}`), 400, `"keys":["categories"]`),
		put("an empty range", output(`{"dataType":"NUMERIC","reasoning":{"description":""},"score":{"description":"b","minValue":2,"maxValue":1}}`), 400, "maxValue must not be below minValue"),
		put("an unknown type of score", output(`{"dataType":"TEXT","reasoning":{"description":""},"score":{}}`), 400, `"path":["outputDefinition","dataType"]`),
		put("a version of the output", output(withMember(numericOutput, "version", "2")), 400, `"keys":["version"]`),
		put("a model without a provider", withMember(unstableJudge, "modelConfig", `{"model":"m"}`), 400, `"path":["modelConfig","provider"]`),
		put("a judge without anything", `{}`, 400, badBody(wrongType("name", "string", "undefined"), wrongType("prompt", "string", "undefined"), wrongType("outputDefinition", "object", "undefined"))),
		put("code with a mapping", withMember(unstableCode, "mapping", "[]"), 400, `"keys":["mapping"]`),
		put("code of another language", withMember(unstableCode, "sourceCodeLanguage", `"GO"`), 400, `"path":["sourceCodeLanguage"]`),
		put("no code", `{"name":"c","type":"code"}`, 400, `"path":["sourceCode"]`),
		put("a long prompt", withMember(unstableJudge, "prompt", `"`+strings.Repeat("x", 100_001)+`"`), 400, "<=100000 characters"),
		put("too many variables", withMember(unstableJudge, "prompt", `"`+manyVariables(101)+`"`), 400, "A prompt may have 100 variables, this one has 101"),
		put("a long variable", withMember(unstableJudge, "prompt", `"{{`+strings.Repeat("x", 201)+`}}"`), 400, "The name of a variable may have 200 characters"),
		{name: "no permission", method: "POST", path: unstableEvaluators, key: "limited", body: unstableJudge, status: 403, contains: []string{`"code":"access_denied"`}},
		{name: "no credentials", path: unstableEvaluators, status: 401, contains: []string{`"code":"authentication_failed"`}},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, put(bad.name, withMember(unstableJudge, "mapping", bad.mapping), 400, `"code":"`+bad.code+`"`, bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}

	f = newFixture(t, nil)
	judge, code := made(t, f, unstableEvaluators, unstableJudge), made(t, f, unstableEvaluators, unstableCode)
	if again := made(t, f, unstableEvaluators, unstableJudge); again != judge {
		t.Errorf("the next version has the id %s, the first one %s", again, judge)
	}
	path := unstableEvaluators + "/" + judge
	for _, s := range []scenario{
		{name: "list", path: unstableEvaluators, key: "project", status: 200, contains: []string{fmt.Sprintf(`{"data":[{"id":%q`, code), meta(1, 50, 2, 1)}},
		{name: "a page", path: unstableEvaluators + "?limit=1&page=2", key: "project", status: 200, contains: []string{judge, meta(2, 1, 2, 2)}, missing: []string{code}},
		{name: "no page", path: unstableEvaluators + "?page=x", key: "project", status: 400, contains: []string{`"code":"invalid_query"`}},
		{name: "another project", path: unstableEvaluators, key: "neighbour", status: 200, want: `{"data":[` + meta(1, 50, 0, 0)},
		{name: "get", path: path, key: "project", status: 200, contains: []string{`"version":2`}},
		{name: "get one of another project", path: path, key: "neighbour", status: 404, want: noEvaluator},
		{name: "delete one of another project", method: "DELETE", path: path, key: "neighbour", status: 404, want: noEvaluator},
		{name: "delete", method: "DELETE", path: path, key: "project", status: 200, want: `{"message":"Evaluator successfully deleted"}`},
		{name: "delete again", method: "DELETE", path: path, key: "project", status: 404, want: noEvaluator},
		{name: "change", method: "PATCH", path: path, key: "project", body: "{}", status: 405, want: `{"message":"Method not allowed","code":"method_not_allowed"}`},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func manyVariables(count int) string {
	var b strings.Builder
	for n := range count {
		fmt.Fprintf(&b, "{{v%d}}", n)
	}
	return b.String()
}

func TestCreateEvaluator(t *testing.T) {
	f := newFixture(t, nil)
	connect(t, f)
	create := func(name, body string, status int, parts ...string) scenario {
		return scenario{name: name, method: "POST", path: evaluatorsPath, key: "project", body: body, status: status, contains: parts}
	}
	chat := `[{"role":"system","content":"You judge {{a}}."},{"role":"user","content":"{{b}} {{a}}"},{"role":"assistant","content":"ok"}]`
	scenarios := []scenario{
		create("a judge", newJudge, 200, `"name":"judge","description":null,"type":"llm_as_judge","status":"paused","pausedAt":"2`, pausedMembers,
			`"evaluationRuleAssignments":[],"createdBy":null,"createdAt":"2`, `"version":1,"versionCreatedAt":"2`, `"versionCreatedBy":null`,
			`"prompt":[{"role":"user","content":"Is {{output}} right for {{ input }}?"}],"variables":["output","input"],"variableMapping":null,"modelConfig":null,"outputDefinition":`+flatOutput),
		create("the same name", newJudge, 200, `"version":1`),
		create("a chat", withMember(newJudge, "prompt", chat), 200, `"prompt":`+chat+`,"variables":["a","b"]`),
		create("everything", withMember(withMember(withMember(newJudge, "variableMapping", judgeMapping), "modelConfig", `{"provider":"p","model":"m"}`), "description", `"d"`), 200,
			`"description":"d"`, `"variableMapping":`+judgeMapping, `"modelConfig":{"provider":"p","model":"m"}`),
		create("code", newCode, 200, `"type":"code"`, `"sourceCode":"pass","sourceCodeLanguage":"TYPESCRIPT"}`),
		create("boolean", withMember(newJudge, "outputDefinition", `{"dataType":"BOOLEAN"}`), 200, `"outputDefinition":{"dataType":"BOOLEAN"}`),
		create("categorical", withMember(newJudge, "outputDefinition", `{"dataType":"CATEGORICAL","categories":["x","y"],"shouldAllowMultipleMatches":false}`), 200,
			`"outputDefinition":{"dataType":"CATEGORICAL","categories":["x","y"],"shouldAllowMultipleMatches":false}`),
		create("a provider without a connection", withMember(newJudge, "modelConfig", `{"provider":"none","model":"m"}`), 422, `"code":"invalid_request","details":{"evaluatorName":"judge","provider":"none","model":"m"}`),
		create("no type", `{"name":"n"}`, 400, `"path":["type"]`),
		create("no prompt", `{"name":"n","type":"llm_as_judge","outputDefinition":`+flatOutput+`}`, 400, badBody(wrongType("prompt", "string", "undefined"))),
		create("an empty chat", withMember(newJudge, "prompt", "[]"), 400, "expected array to have >=1 items"),
		create("a late system message", withMember(newJudge, "prompt", `[{"role":"user","content":"a"},{"role":"system","content":"b"}]`), 400, "A system message is only allowed as the first message"),
		create("an unknown role", withMember(newJudge, "prompt", `[{"role":"x","content":"a"}]`), 400, `"path":["prompt",0,"role"]`),
		create("too many messages", withMember(newJudge, "prompt", "["+strings.Repeat("{},", 100)+"{}]"), 400, "<=100 items"),
		create("the nested output", withMember(newJudge, "outputDefinition", numericOutput), 400, `"keys":["reasoning","score"]`),
		create("an empty range", withMember(newJudge, "outputDefinition", `{"dataType":"NUMERIC","minValue":1,"maxValue":0}`), 400, "maxValue must not be below minValue"),
		create("no output", withMember(newJudge, "outputDefinition", `{}`), 400, `"path":["outputDefinition","dataType"]`),
		create("an unknown member", withMember(newCode, "x", "1"), 400, badBody(unknownMember)),
		{name: "no permission", method: "POST", path: evaluatorsPath, key: "limited", body: newCode, status: 403, contains: []string{`"code":"access_denied"`}},
		{name: "no credentials", method: "POST", path: evaluatorsPath, status: 401, contains: []string{`"code":"authentication_failed"`}},
		{name: "no such method", method: "PUT", path: evaluatorsPath, key: "project", status: 405, contains: []string{`"code":"method_not_allowed"`}},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, create(bad.name, withMember(newJudge, "variableMapping", bad.mapping), 400, `"code":"invalid_body"`, bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestChangeEvaluator(t *testing.T) {
	f := newFixture(t, nil)
	judge, code := made(t, f, evaluatorsPath, newJudge), made(t, f, evaluatorsPath, newCode)
	path := evaluatorsPath + "/" + judge
	change := func(name, body string, status int, parts ...string) scenario {
		return scenario{name: name, method: "PATCH", path: path, key: "project", body: body, status: status, contains: parts}
	}
	for _, s := range []scenario{
		{name: "get", path: path, key: "project", status: 200, contains: []string{fmt.Sprintf(`{"id":%q,"name":"judge"`, judge)}},
		{name: "get code", path: evaluatorsPath + "/" + code, key: "project", status: 200, contains: []string{`"type":"code"`}},
		{name: "get one of another project", path: path, key: "neighbour", status: 404, want: noEvaluator},
		change("name and description", `{"name":"new","description":"d"}`, 200, `"name":"new","description":"d"`, `"version":1,`),
		change("no description", `{"description":null}`, 200, `"name":"new","description":null`),
		change("a definition", withMember(newJudge, "prompt", `"{{a}}"`), 200, `"name":"judge"`, `"version":2,`, `"variables":["a"]`),
		change("a definition alone", `{"type":"llm_as_judge","prompt":"{{b}}","outputDefinition":{"dataType":"BOOLEAN"}}`, 200, `"name":"judge"`, `"version":3,`),
		change("another type", newCode, 400, badBody(custom(`["type"]`, "The type of an evaluator cannot change; it is llm_as_judge"))),
		change("a part of a definition", `{"prompt":"x"}`, 400, `"keys":["prompt"]`),
		change("half a definition", `{"type":"llm_as_judge","prompt":"x"}`, 400, badBody(wrongType("outputDefinition", "object", "undefined"))),
		change("a mapping that does not fit", withMember(newJudge, "variableMapping", `[{"variable":"x","source":"input"}]`), 400, `"code":"invalid_body"`, `"variable":"x"`),
		change("an unknown type", `{"type":"x"}`, 400, `"path":["type"]`),
		change("nothing", `{}`, 400, badBody(nothingToDo)),
		change("no name", `{"name":null}`, 400, wrongType("name", "string", "null")),
		{name: "change one of another project", method: "PATCH", path: path, key: "neighbour", body: `{"name":"x"}`, status: 404, want: noEvaluator},

		{name: "versions", path: path + "/versions", key: "project", status: 200, contains: []string{`"version":3,"type":"llm_as_judge","createdAt":"2`, `"version":1,`, `"createdBy":null,"prompt":[{"role":"user","content":"{{b}}"}],"variables":["b"]`, `],"meta":{}}`}},
		{name: "versions of code", path: evaluatorsPath + "/" + code + "/versions", key: "project", status: 200, contains: []string{`"sourceCode":"pass"`}, missing: []string{"prompt"}},
		{name: "the first version", path: path + "/versions?limit=1", key: "project", status: 200, contains: []string{`"version":3`, `"meta":{"cursor":"Mw"}`}, missing: []string{`"version":2`}},
		{name: "the others", path: path + "/versions?cursor=Mw", key: "project", status: 200, contains: []string{`"version":2`, `"version":1`, `"meta":{}`}, missing: []string{`"version":3`}},
		{name: "a cursor of something else", path: path + "/versions?cursor=eA", key: "project", status: 400, want: badQuery(custom(`["cursor"]`, "Invalid cursor"))},
		{name: "no cursor", path: path + "/versions?cursor=", key: "project", status: 200},
		{name: "versions of one of another project", path: path + "/versions", key: "neighbour", status: 404, want: noEvaluator},

		{name: "the older form", path: unstableEvaluators + "/" + judge, key: "project", status: 200, contains: []string{`"version":3`, `"prompt":"{{b}}"`, `"outputDefinition":{"dataType":"BOOLEAN","reasoning":{"description":""},"score":{"description":""}}`}},
		{name: "delete one of another project", method: "DELETE", path: path, key: "neighbour", status: 404, want: noEvaluator},
		{name: "delete", method: "DELETE", path: path, key: "project", status: 200, want: fmt.Sprintf(`{"id":%q}`, judge)},
		{name: "delete again", method: "DELETE", path: path, key: "project", status: 404, want: noEvaluator},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

// TestEvaluatorPages follows the cursor from page to page.
func TestEvaluatorPages(t *testing.T) {
	f := newFixture(t, nil)
	var want []string
	for range 5 {
		want = append([]string{made(t, f, evaluatorsPath, newCode)}, want...)
	}
	type page struct {
		Data []struct{ ID string }
		Meta struct{ Cursor string }
	}
	var got []string
	for cursor := ""; ; {
		p := send[page](t, f, scenario{path: evaluatorsPath + "?limit=2&cursor=" + cursor, key: "project"})
		for _, e := range p.Data {
			got = append(got, e.ID)
		}
		if cursor = p.Meta.Cursor; cursor == "" {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, s := range []scenario{
		{name: "all", path: evaluatorsPath, key: "project", status: 200, contains: []string{`"meta":{}`}},
		{name: "another project", path: evaluatorsPath, key: "neighbour", status: 200, want: `{"data":[],"meta":{}}`},
		{name: "a bad cursor", path: evaluatorsPath + "?cursor=???", key: "project", status: 400, want: badQuery(custom(`["cursor"]`, "Invalid cursor"))},
		{name: "an odd cursor", path: evaluatorsPath + "?cursor=AA", key: "project", status: 400, want: badQuery(custom(`["cursor"]`, "Invalid cursor"))},
		{name: "a bad limit", path: evaluatorsPath + "?limit=0", key: "project", status: 400, contains: []string{`"code":"invalid_query"`, ">=1"}},
		{name: "no permission", path: evaluatorsPath, key: "limited", status: 403},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}
