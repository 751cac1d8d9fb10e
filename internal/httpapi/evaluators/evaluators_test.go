package evaluators_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

const (
	unstableEvaluators = "/api/public/unstable/evaluators"
	evaluatorsPath     = "/api/public/v2/evaluators"
	numericOutput      = `{"dataType":"NUMERIC","reasoning":{"description":"why"},"score":{"description":"how much","minValue":0,"maxValue":1}}`
	unstableJudge      = `{"name":"judge","prompt":"Is {{output}} right for {{ input }}?","outputDefinition":` + numericOutput + `}`
	unstableCode       = `{"name":"code","type":"code","sourceCode":"pass","sourceCodeLanguage":"PYTHON"}`
	judgeMapping       = `[{"variable":"output","source":"output"},{"variable":"input","source":"input","jsonPath":"$.text"}]`
	flatOutput         = `{"dataType":"NUMERIC","scoreReasoningInstructions":"why","scoreValueInstructions":"how much","minValue":0,"maxValue":1}`
	newJudge           = `{"name":"judge","type":"llm_as_judge","prompt":"Is {{output}} right for {{ input }}?","outputDefinition":` +
		flatOutput + `}`

	noEvaluator       = `{"message":"Evaluator not found within authorized project","code":"resource_not_found"}`
	pausedMembers     = `"pausedReason":"evaluations_not_supported","pausedMessage":"This server stores evaluators and evaluation rules but does not run evaluations yet."`
	codeVariableNames = `["input","output","metadata","toolCalls","experimentItemExpectedOutput","experimentItemMetadata"]`
)

// badMappings are mappings that are invalid for the judge, with the code and the details of the error.
var badMappings = []struct{ name, mapping, code, details string }{
	{
		"an unknown variable", `[{"variable":"x","source":"input"}]`, "invalid_variable_mapping",
		`"allowedValues":["output","input"],"variable":"x"`,
	},
	{
		"a variable twice", `[{"variable":"input","source":"input"},{"variable":"input","source":"output"}]`, "duplicate_variable_mapping",
		`"variable":"input"`,
	},
	{"a missing variable", `[{"variable":"input","source":"input"}]`, "missing_variable_mapping", `"variables":["output"]`},
	{"no variable", `[]`, "missing_variable_mapping", `"variables":["output","input"]`},
	{
		"a path without a root", `[{"variable":"input","source":"input","jsonPath":"a.b"}]`, "invalid_json_path",
		`"field":"jsonPath","variable":"input","value":"a.b"`,
	},
	{"a broken path", `[{"variable":"input","source":"input","jsonPath":"$.a["}]`, "invalid_json_path", `"value":"$.a["`},
	{"an unknown source", `[{"variable":"input","source":"x"}]`, "invalid_body", `"source"],"message"`},
	{"an unknown member", `[{"variable":"input","source":"input","y":1}]`, "invalid_body", `"keys":["y"]`},
	{"too many", `[` + strings.Repeat(`{},`, 100) + `{}]`, "invalid_body", "expected array to have <=100 items"},
}

// connect creates LLM connections of project a: "p" with all models, "few" with one. It returns the id of the first.
func connect(t *testing.T, f *apitest.Fixture) string {
	t.Helper()
	f.Ask(t, apitest.Scenario{
		Method: "PUT", Path: connectionsPath, Key: "project",
		Body: strings.Replace(apitest.Connection("openai", `,"customModels":["m"],"withDefaultModels":false`), `"p"`, `"few"`, 1), Status: 201,
	})
	return apitest.Send[struct{ ID string }](t, f, apitest.Scenario{
		Method: "PUT", Path: connectionsPath, Key: "project", Body: apitest.Connection("openai", ""),
	}).ID
}

// TestUnconnectedEvaluators follows evaluators whose connection is deleted.
func TestUnconnectedEvaluators(t *testing.T) {
	f := apitest.New(t, nil)
	id := connect(t, f)
	path := evaluatorsPath + "/" + apitest.Made(t, f, evaluatorsPath, apitest.WithMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`))
	other := evaluatorsPath + "/" + apitest.Made(t, f, evaluatorsPath, apitest.WithMember(newJudge, "modelConfig", `{"provider":"few","model":"m"}`))
	const unconnected = `"status":"paused","pausedAt":"2`
	const reason = `"pausedReason":"llm_connection_missing","pausedMessage":"The project has no LLM connection to the provider \"p\". This server stores`
	for _, s := range []apitest.Scenario{
		{Name: "connected", Path: path, Key: "project", Status: 200, Contains: []string{pausedMembers}},
		{Name: "the connection goes", Method: "DELETE", Path: connectionsPath + "/" + id, Key: "project", Status: 200},
		{Name: "unconnected", Path: path, Key: "project", Status: 200, Contains: []string{unconnected, reason}},
		{Name: "another connection", Path: other, Key: "project", Status: 200, Contains: []string{pausedMembers}},
		{Name: "both", Path: evaluatorsPath, Key: "project", Status: 200, Contains: []string{reason, pausedMembers}},
		{Name: "a new name", Method: "PATCH", Path: path, Key: "project", Body: `{"name":"new"}`, Status: 200, Contains: []string{reason}},
		{
			Name: "another model", Method: "PATCH", Path: path, Key: "project",
			Body: apitest.WithMember(newJudge, "modelConfig", `{"provider":"few","model":"m"}`), Status: 200, Contains: []string{pausedMembers},
		},
		{
			Name: "the model that is gone", Method: "PATCH", Path: path, Key: "project",
			Body: apitest.WithMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`), Status: 422,
			Want: `{"message":"The project has no LLM connection to the provider \"p\"","code":"invalid_request","details":{"evaluatorName":"judge","provider":"p","model":"m"}}`,
		},
		{
			Name: "of another project", Method: "PATCH", Path: path, Key: "neighbour",
			Body: apitest.WithMember(newJudge, "modelConfig", `{"provider":"p","model":"m"}`), Status: 404, Want: noEvaluator,
		},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestUnstableEvaluators(t *testing.T) {
	f := apitest.New(t, nil)
	connect(t, f)
	put := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: unstableEvaluators, Key: "project", Body: body, Status: status, Contains: parts}
	}
	output := func(definition string) string {
		return apitest.WithMember(unstableJudge, "outputDefinition", definition)
	}
	scenarios := []apitest.Scenario{
		put("a judge", unstableJudge, 200,
			`"name":"judge","version":1,"type":"llm_as_judge","variables":["output","input"],"mapping":null,"evaluationRuleCount":0,"createdAt":"2`,
			`"prompt":"Is {{output}} right for {{ input }}?","outputDefinition":`+numericOutput+`,"modelConfig":null}`),
		put("its next version", apitest.WithMember(apitest.WithMember(unstableJudge, "mapping", judgeMapping), "modelConfig",
			`{"provider":"p","model":"m"}`), 200,
			`"version":2`, `"mapping":`+judgeMapping, `"modelConfig":{"provider":"p","model":"m"}`),
		put("a model of the connection",
			apitest.WithMember(apitest.WithMember(unstableJudge, "name", `"few"`), "modelConfig", `{"provider":"few","model":"m"}`), 200),
		put("a model that the connection does not have", apitest.WithMember(unstableJudge, "modelConfig", `{"provider":"few","model":"n"}`), 422,
			`{"message":"The LLM connection to the provider \"few\" does not have the model \"n\"","code":"evaluator_preflight_failed","details":{"evaluatorName":"judge","provider":"few","model":"n"}}`),
		put("a provider without a connection", apitest.WithMember(unstableJudge, "modelConfig", `{"provider":"none","model":"m"}`), 422,
			`{"message":"The project has no LLM connection to the provider \"none\"","code":"evaluator_preflight_failed","details":{"evaluatorName":"judge","provider":"none","model":"m"}}`),
		put("code", unstableCode, 200, `"name":"code","version":1,"type":"code","variables":`+codeVariableNames+`,"mapping":null,`,
			`"sourceCode":"pass","sourceCodeLanguage":"PYTHON"}`),
		put("with its type", apitest.WithMember(unstableJudge, "type", `"llm_as_judge"`), 200, `"version":3`),
		put("with nulls", apitest.WithMember(apitest.WithMember(apitest.WithMember(unstableJudge, "type", "null"), "mapping", "null"), "modelConfig", "null"), 200,
			`"version":4`),
		put("boolean", output(`{"dataType":"BOOLEAN","reasoning":{"description":"a"},"score":{"description":"b"}}`), 200,
			`"outputDefinition":{"dataType":"BOOLEAN","reasoning":{"description":"a"},"score":{"description":"b"}}`),
		put("categorical",
			output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x","y"],"shouldAllowMultipleMatches":false}}`), 200,
			`"score":{"description":"b","categories":["x","y"],"shouldAllowMultipleMatches":false}`),
		put("another type under the name", apitest.WithMember(unstableCode, "name", `"judge"`), 409,
			`{"message":"An evaluator of another type has this name","code":"name_conflict","details":{"field":"name","value":"judge"}}`),
		put("an unknown type", apitest.WithMember(unstableCode, "type", `"x"`), 400, `"path":["type"]`),
		put("one category",
			output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x"],"shouldAllowMultipleMatches":false}}`), 400, "expected array to have >=2 items"),
		put("a category twice",
			output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b","categories":["x","x"],"shouldAllowMultipleMatches":true}}`), 400, "Duplicate category: x"),
		put("half a category", output(`{"dataType":"CATEGORICAL","reasoning":{"description":""},"score":{"description":"b"}}`), 400,
			`"path":["outputDefinition","score","categories"]`, `"path":["outputDefinition","score","shouldAllowMultipleMatches"]`),
		put("categories of a number",
			output(`{"dataType":"NUMERIC","reasoning":{"description":""},"score":{"description":"b","categories":["x","y"]}}`), 400,
			`"keys":["categories"]`),
		put("an empty range",
			output(`{"dataType":"NUMERIC","reasoning":{"description":""},"score":{"description":"b","minValue":2,"maxValue":1}}`), 400,
			"maxValue must not be below minValue"),
		put("an unknown type of score", output(`{"dataType":"TEXT","reasoning":{"description":""},"score":{}}`), 400,
			`"path":["outputDefinition","dataType"]`),
		put("a version of the output", output(apitest.WithMember(numericOutput, "version", "2")), 400, `"keys":["version"]`),
		put("a model without a provider", apitest.WithMember(unstableJudge, "modelConfig", `{"model":"m"}`), 400,
			`"path":["modelConfig","provider"]`),
		put("a judge without anything", `{}`, 400,
			apitest.BadBody(apitest.WrongType("name", "string", "undefined"), apitest.WrongType("prompt", "string", "undefined"),
				apitest.WrongType("outputDefinition", "object", "undefined"))),
		put("code with a mapping", apitest.WithMember(unstableCode, "mapping", "[]"), 400, `"keys":["mapping"]`),
		put("code of another language", apitest.WithMember(unstableCode, "sourceCodeLanguage", `"GO"`), 400, `"path":["sourceCodeLanguage"]`),
		put("no code", `{"name":"c","type":"code"}`, 400, `"path":["sourceCode"]`),
		put("a long prompt", apitest.WithMember(unstableJudge, "prompt", `"`+strings.Repeat("x", 100_001)+`"`), 400, "<=100000 characters"),
		put("too many variables", apitest.WithMember(unstableJudge, "prompt", `"`+manyVariables(101)+`"`), 400,
			"A prompt may have 100 variables, this one has 101"),
		put("a long variable", apitest.WithMember(unstableJudge, "prompt", `"{{`+strings.Repeat("x", 201)+`}}"`), 400,
			"The name of a variable may have 200 characters"),
		{
			Name: "no permission", Method: "POST", Path: unstableEvaluators, Key: "limited", Body: unstableJudge, Status: 403,
			Contains: []string{`"code":"access_denied"`},
		},
		{Name: "no credentials", Path: unstableEvaluators, Status: 401, Contains: []string{`"code":"authentication_failed"`}},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, put(bad.name, apitest.WithMember(unstableJudge, "mapping", bad.mapping), 400, `"code":"`+bad.code+`"`,
			bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}

	f = apitest.New(t, nil)
	judge, code := apitest.Made(t, f, unstableEvaluators, unstableJudge), apitest.Made(t, f, unstableEvaluators, unstableCode)
	if again := apitest.Made(t, f, unstableEvaluators, unstableJudge); again != judge {
		t.Errorf("the next version has the id %s, the first one %s", again, judge)
	}
	path := unstableEvaluators + "/" + judge
	for _, s := range []apitest.Scenario{
		{
			Name: "list", Path: unstableEvaluators, Key: "project", Status: 200, Contains: []string{
				fmt.Sprintf(`{"data":[{"id":%q`, code), apitest.Meta(1, 50, 2, 1),
			},
		},
		{
			Name: "a page", Path: unstableEvaluators + "?limit=1&page=2", Key: "project", Status: 200,
			Contains: []string{judge, apitest.Meta(2, 1, 2, 2)}, Missing: []string{code},
		},
		{Name: "no page", Path: unstableEvaluators + "?page=x", Key: "project", Status: 400, Contains: []string{`"code":"invalid_query"`}},
		{Name: "another project", Path: unstableEvaluators, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "get", Path: path, Key: "project", Status: 200, Contains: []string{`"version":2`}},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noEvaluator},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noEvaluator},
		{Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200, Want: `{"message":"Evaluator successfully deleted"}`},
		{Name: "delete again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: noEvaluator},
		{
			Name: "change", Method: "PATCH", Path: path, Key: "project", Body: "{}", Status: 405,
			Want: `{"message":"Method not allowed","code":"method_not_allowed"}`,
		},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
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
	f := apitest.New(t, nil)
	connect(t, f)
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: evaluatorsPath, Key: "project", Body: body, Status: status, Contains: parts}
	}
	chat := `[{"role":"system","content":"You judge {{a}}."},{"role":"user","content":"{{b}} {{a}}"},{"role":"assistant","content":"ok"}]`
	scenarios := []apitest.Scenario{
		create("a judge", newJudge, 200, `"name":"judge","description":null,"type":"llm_as_judge","status":"paused","pausedAt":"2`,
			pausedMembers,
			`"evaluationRuleAssignments":[],"createdBy":null,"createdAt":"2`, `"version":1,"versionCreatedAt":"2`,
			`"versionCreatedBy":null`,
			`"prompt":[{"role":"user","content":"Is {{output}} right for {{ input }}?"}],"variables":["output","input"],"variableMapping":null,"modelConfig":null,"outputDefinition":`+flatOutput),
		create("the same name", newJudge, 200, `"version":1`),
		create("a chat", apitest.WithMember(newJudge, "prompt", chat), 200, `"prompt":`+chat+`,"variables":["a","b"]`),
		create("everything",
			apitest.WithMember(apitest.WithMember(apitest.WithMember(newJudge, "variableMapping", judgeMapping), "modelConfig", `{"provider":"p","model":"m"}`),
				"description", `"d"`), 200,
			`"description":"d"`, `"variableMapping":`+judgeMapping, `"modelConfig":{"provider":"p","model":"m"}`),
		create("code", apitest.NewCode, 200, `"type":"code"`, `"sourceCode":"pass","sourceCodeLanguage":"TYPESCRIPT"}`),
		create("boolean", apitest.WithMember(newJudge, "outputDefinition", `{"dataType":"BOOLEAN"}`), 200,
			`"outputDefinition":{"dataType":"BOOLEAN"}`),
		create("categorical",
			apitest.WithMember(newJudge, "outputDefinition",
				`{"dataType":"CATEGORICAL","categories":["x","y"],"shouldAllowMultipleMatches":false}`), 200,
			`"outputDefinition":{"dataType":"CATEGORICAL","categories":["x","y"],"shouldAllowMultipleMatches":false}`),
		create("a provider without a connection", apitest.WithMember(newJudge, "modelConfig", `{"provider":"none","model":"m"}`), 422,
			`"code":"invalid_request","details":{"evaluatorName":"judge","provider":"none","model":"m"}`),
		create("no type", `{"name":"n"}`, 400, `"path":["type"]`),
		create("no prompt", `{"name":"n","type":"llm_as_judge","outputDefinition":`+flatOutput+`}`, 400,
			apitest.BadBody(apitest.WrongType("prompt", "string", "undefined"))),
		create("an empty chat", apitest.WithMember(newJudge, "prompt", "[]"), 400, "expected array to have >=1 items"),
		create("a late system message", apitest.WithMember(newJudge, "prompt", `[{"role":"user","content":"a"},{"role":"system","content":"b"}]`),
			400, "A system message is only allowed as the first message"),
		create("an unknown role", apitest.WithMember(newJudge, "prompt", `[{"role":"x","content":"a"}]`), 400, `"path":["prompt",0,"role"]`),
		create("too many messages", apitest.WithMember(newJudge, "prompt", "["+strings.Repeat("{},", 100)+"{}]"), 400, "<=100 items"),
		create("the nested output", apitest.WithMember(newJudge, "outputDefinition", numericOutput), 400, `"keys":["reasoning","score"]`),
		create("an empty range", apitest.WithMember(newJudge, "outputDefinition", `{"dataType":"NUMERIC","minValue":1,"maxValue":0}`), 400,
			"maxValue must not be below minValue"),
		create("no output", apitest.WithMember(newJudge, "outputDefinition", `{}`), 400, `"path":["outputDefinition","dataType"]`),
		create("an unknown member", apitest.WithMember(apitest.NewCode, "x", "1"), 400, apitest.BadBody(apitest.UnknownMember)),
		{
			Name: "no permission", Method: "POST", Path: evaluatorsPath, Key: "limited", Body: apitest.NewCode, Status: 403,
			Contains: []string{`"code":"access_denied"`},
		},
		{Name: "no credentials", Method: "POST", Path: evaluatorsPath, Status: 401, Contains: []string{`"code":"authentication_failed"`}},
		{
			Name: "no such method", Method: "PUT", Path: evaluatorsPath, Key: "project", Status: 405,
			Contains: []string{`"code":"method_not_allowed"`},
		},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, create(bad.name, apitest.WithMember(newJudge, "variableMapping", bad.mapping), 400, `"code":"invalid_body"`,
			bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestChangeEvaluator(t *testing.T) {
	f := apitest.New(t, nil)
	judge, code := apitest.Made(t, f, evaluatorsPath, newJudge), apitest.Made(t, f, evaluatorsPath, apitest.NewCode)
	path := evaluatorsPath + "/" + judge
	change := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "PATCH", Path: path, Key: "project", Body: body, Status: status, Contains: parts}
	}
	for _, s := range []apitest.Scenario{
		{Name: "get", Path: path, Key: "project", Status: 200, Contains: []string{fmt.Sprintf(`{"id":%q,"name":"judge"`, judge)}},
		{Name: "get code", Path: evaluatorsPath + "/" + code, Key: "project", Status: 200, Contains: []string{`"type":"code"`}},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noEvaluator},
		change("name and description", `{"name":"new","description":"d"}`, 200, `"name":"new","description":"d"`, `"version":1,`),
		change("no description", `{"description":null}`, 200, `"name":"new","description":null`),
		change("a definition", apitest.WithMember(newJudge, "prompt", `"{{a}}"`), 200, `"name":"judge"`, `"version":2,`, `"variables":["a"]`),
		change("a definition alone", `{"type":"llm_as_judge","prompt":"{{b}}","outputDefinition":{"dataType":"BOOLEAN"}}`, 200,
			`"name":"judge"`, `"version":3,`),
		change("another type", apitest.NewCode, 400, apitest.BadBody(apitest.Custom(`["type"]`, "The type of an evaluator cannot change; it is llm_as_judge"))),
		change("a part of a definition", `{"prompt":"x"}`, 400, `"keys":["prompt"]`),
		change("half a definition", `{"type":"llm_as_judge","prompt":"x"}`, 400,
			apitest.BadBody(apitest.WrongType("outputDefinition", "object", "undefined"))),
		change("a mapping that does not fit", apitest.WithMember(newJudge, "variableMapping", `[{"variable":"x","source":"input"}]`), 400,
			`"code":"invalid_body"`, `"variable":"x"`),
		change("an unknown type", `{"type":"x"}`, 400, `"path":["type"]`),
		change("nothing", `{}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("no name", `{"name":null}`, 400, apitest.WrongType("name", "string", "null")),
		{
			Name: "change one of another project", Method: "PATCH", Path: path, Key: "neighbour", Body: `{"name":"x"}`, Status: 404,
			Want: noEvaluator,
		},

		{
			Name: "versions", Path: path + "/versions", Key: "project", Status: 200,
			Contains: []string{
				`"version":3,"type":"llm_as_judge","createdAt":"2`, `"version":1,`,
				`"createdBy":null,"prompt":[{"role":"user","content":"{{b}}"}],"variables":["b"]`, `],"meta":{}}`,
			},
		},
		{
			Name: "versions of code", Path: evaluatorsPath + "/" + code + "/versions", Key: "project", Status: 200,
			Contains: []string{`"sourceCode":"pass"`}, Missing: []string{"prompt"},
		},
		{
			Name: "the first version", Path: path + "/versions?limit=1", Key: "project", Status: 200,
			Contains: []string{`"version":3`, `"meta":{"cursor":"Mw"}`}, Missing: []string{`"version":2`},
		},
		{
			Name: "the others", Path: path + "/versions?cursor=Mw", Key: "project", Status: 200,
			Contains: []string{`"version":2`, `"version":1`, `"meta":{}`}, Missing: []string{`"version":3`},
		},
		{
			Name: "a cursor of something else", Path: path + "/versions?cursor=eA", Key: "project", Status: 400,
			Want: apitest.BadQuery(apitest.Custom(`["cursor"]`, "Invalid cursor")),
		},
		{Name: "no cursor", Path: path + "/versions?cursor=", Key: "project", Status: 200},
		{Name: "versions of one of another project", Path: path + "/versions", Key: "neighbour", Status: 404, Want: noEvaluator},

		{
			Name: "the older form", Path: unstableEvaluators + "/" + judge, Key: "project", Status: 200,
			Contains: []string{
				`"version":3`, `"prompt":"{{b}}"`,
				`"outputDefinition":{"dataType":"BOOLEAN","reasoning":{"description":""},"score":{"description":""}}`,
			},
		},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noEvaluator},
		{Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200, Want: fmt.Sprintf(`{"id":%q}`, judge)},
		{Name: "delete again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: noEvaluator},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

// TestEvaluatorPages follows the cursor from page to page.
func TestEvaluatorPages(t *testing.T) {
	f := apitest.New(t, nil)
	var want []string
	for range 5 {
		want = append([]string{apitest.Made(t, f, evaluatorsPath, apitest.NewCode)}, want...)
	}
	type page struct {
		Data []struct{ ID string }
		Meta struct{ Cursor string }
	}
	var got []string
	for cursor := ""; ; {
		p := apitest.Send[page](t, f, apitest.Scenario{Path: evaluatorsPath + "?limit=2&cursor=" + cursor, Key: "project"})
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
	for _, s := range []apitest.Scenario{
		{Name: "all", Path: evaluatorsPath, Key: "project", Status: 200, Contains: []string{`"meta":{}`}},
		{Name: "another project", Path: evaluatorsPath, Key: "neighbour", Status: 200, Want: `{"data":[],"meta":{}}`},
		{
			Name: "a bad cursor", Path: evaluatorsPath + "?cursor=???", Key: "project", Status: 400,
			Want: apitest.BadQuery(apitest.Custom(`["cursor"]`, "Invalid cursor")),
		},
		{
			Name: "an odd cursor", Path: evaluatorsPath + "?cursor=AA", Key: "project", Status: 400,
			Want: apitest.BadQuery(apitest.Custom(`["cursor"]`, "Invalid cursor")),
		},
		{
			Name: "a bad limit", Path: evaluatorsPath + "?limit=0", Key: "project", Status: 400,
			Contains: []string{`"code":"invalid_query"`, ">=1"},
		},
		{Name: "no permission", Path: evaluatorsPath, Key: "limited", Status: 403},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

const connectionsPath = "/api/public/llm-connections"
