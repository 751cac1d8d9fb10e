package evaluators_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

const (
	unstableRules = "/api/public/unstable/evaluation-rules"
	rulesPath     = "/api/public/v2/evaluation-rules"
	noRule        = `{"message":"Evaluation rule not found within authorized project","code":"resource_not_found"}`
)

// withEvaluators returns a fixture in which project a has evaluators: judge, mapped (with a mapping) and code, and a
// dataset.
func withEvaluators(t *testing.T) (f *apitest.Fixture, fill func(string) string) {
	t.Helper()
	f = apitest.New(t, nil)
	fill = strings.NewReplacer(
		"JUDGE", apitest.Made(t, f, unstableEvaluators, unstableJudge),
		"MAPPED", apitest.Made(t, f, unstableEvaluators, apitest.WithMember(apitest.WithMember(unstableJudge, "name", `"mapped"`), "mapping", judgeMapping)),
		"CODE", apitest.Made(t, f, unstableEvaluators, unstableCode),
		"DATASET", apitest.Made(t, f, "/api/public/v2/datasets", `{"name":"d"}`),
	).Replace
	return f, fill
}

// badFilters are filters that are invalid for an evaluation rule, with the details of the error.
var badFilters = []struct{ name, filter, details string }{
	{
		"an unknown column", `{"column":"latency","type":"number","operator":"=","value":1}`,
		`"field":"column","column":"latency","invalidValues":["latency"],"allowedValues":["type","name","environment","level","version","traceName","userId","sessionId","tags","metadata","isRootObservation","parentObservationId","calledToolNames","toolCalls"`,
	},
	{
		"another type", `{"column":"name","type":"string","operator":"=","value":"x"}`,
		`"field":"type","column":"name","invalidValues":["string"],"allowedValues":["stringOptions"]`,
	},
	{
		"an unknown type of rows", `{"column":"type","type":"stringOptions","operator":"any of","value":["GENERATION","TRACE"]}`,
		`"field":"value","column":"type","invalidValues":["TRACE"],"allowedValues":["GENERATION","SPAN","EVENT"`,
	},
	{
		"an unknown level", `{"column":"level","type":"stringOptions","operator":"any of","value":["INFO"]}`,
		`"invalidValues":["INFO"],"allowedValues":["DEBUG","DEFAULT","WARNING","ERROR"]`,
	},
}

// goodFilters are filters on all columns of observations.
const goodFilters = `[{"column":"type","type":"stringOptions","operator":"any of","value":["GENERATION","SPAN","EVENT"]},` +
	`{"column":"name","type":"stringOptions","operator":"none of","value":["x"]},` +
	`{"column":"environment","type":"stringOptions","operator":"any of","value":["x"]},` +
	`{"column":"level","type":"stringOptions","operator":"any of","value":["ERROR"]},` +
	`{"column":"version","type":"string","operator":"starts with","value":"1"},` +
	`{"column":"traceName","type":"stringOptions","operator":"any of","value":["x"]},` +
	`{"column":"userId","type":"string","operator":"=","value":"u"},` +
	`{"column":"sessionId","type":"string","operator":"contains","value":"s"},` +
	`{"column":"tags","type":"arrayOptions","operator":"all of","value":["t"]},` +
	`{"column":"metadata","type":"stringObject","operator":"=","key":"k","value":"v"},` +
	`{"column":"isRootObservation","type":"boolean","operator":"=","value":true},` +
	`{"column":"parentObservationId","type":"null","operator":"is null","value":""},` +
	`{"column":"calledToolNames","type":"arrayOptions","operator":"any of","value":["t"]},` +
	`{"column":"toolCalls","type":"number","operator":">","value":1}]`

func TestCreateUnstableRule(t *testing.T) {
	f, fill := withEvaluators(t)
	rule := func(name, target, evaluators string) string {
		return fmt.Sprintf(`{"name":%q,"target":%q,"enabled":true,"evaluators":[%s]}`, name, target, evaluators)
	}
	const (
		mapped = `{"evaluator":{"name":"mapped"}}`
		code   = `{"evaluator":{"name":"code","type":"code"}}`
	)
	judged := func(mapping string) string { return `{"evaluator":{"name":"judge"},"mapping":` + mapping + `}` }
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		for n := range parts {
			parts[n] = fill(parts[n])
		}
		return apitest.Scenario{Name: name, Method: "POST", Path: unstableRules, Key: "project", Body: fill(body), Status: status, Contains: parts}
	}
	scenarios := []apitest.Scenario{
		create("all kinds of evaluators", rule("first", "observation", judged(judgeMapping)+","+mapped+","+code), 200,
			`"name":"first","evaluators":[{"evaluator":{"id":"JUDGE","name":"judge","type":"llm_as_judge"},"mapping":`+judgeMapping+`},`+
				`{"evaluator":{"id":"MAPPED","name":"mapped","type":"llm_as_judge"},"mapping":null},{"evaluator":{"id":"CODE","name":"code","type":"code"},"mapping":null}],`+
				`"evaluator":{"id":"JUDGE","name":"judge","type":"llm_as_judge"},"target":"observation","filter":[],"mapping":`+
				judgeMapping+
				`,"enabled":true,"status":"paused",`+pausedMembers+`,"sampling":1,"createdAt":"2`),
		create("an inherited mapping", rule("inherited", "observation", mapped), 200, `"mapping":null}],`, `"filter":[],"mapping":`+
			judgeMapping),
		create("disabled", apitest.WithMember(rule("disabled", "observation", mapped), "enabled", "false"), 200,
			`"enabled":false,"status":"inactive","pausedReason":null,"pausedMessage":null`),
		create("code", rule("code", "experiment", code), 200, `"mapping":[],"enabled":true`),
		create("code with an empty mapping", rule("code 2", "experiment", `{"evaluator":{"name":"code","type":"code"},"mapping":[]}`), 200,
			`"mapping":null}]`),
		create("sampling", apitest.WithMember(rule("sampled", "observation", mapped), "sampling", "0.25"), 200, `"sampling":0.25`),
		create("the older form", `{"name":"older","target":"observation","enabled":true,"evaluator":{"name":"judge"},"mapping":`+
			judgeMapping+`}`, 200, `"evaluator":{"id":"JUDGE"`),
		create("the older form of code",
			`{"name":"older code","target":"observation","enabled":true,"evaluator":{"name":"code","type":"code"}}`, 200,
			`"evaluator":{"id":"CODE"`),
		create("all filters", apitest.WithMember(rule("filtered", "observation", mapped), "filter", goodFilters), 200, `"filter":`+goodFilters),
		create("a dataset",
			apitest.WithMember(rule("dataset", "experiment", mapped), "filter",
				`[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["DATASET"]}]`), 200, `"value":["DATASET"]`),
		create("sources of experiments",
			rule("experiment", "experiment",
				judged(`[{"variable":"output","source":"expected_output"},{"variable":"input","source":"experiment_item_metadata"}]`)),
			200),

		create("sources of experiments for observations",
			rule("x", "observation", judged(`[{"variable":"output","source":"expected_output"},{"variable":"input","source":"input"}]`)),
			400,
			`"code":"invalid_variable_mapping","details":{"field":"source","allowedValues":["input","output","metadata","tool_calls"],"variable":"output","value":"expected_output","evaluatorName":"judge"}`),
		create("a name that is taken", rule("first", "observation", mapped), 409,
			`{"message":"An evaluation rule with this name already exists","code":"name_conflict","details":{"field":"name","value":"first"}}`),
		create("an evaluator without a mapping", rule("x", "observation", `{"evaluator":{"name":"judge"}}`), 400,
			`"code":"missing_variable_mapping","details":{"variables":["output","input"],"evaluatorName":"judge"}`),
		create("code with a mapping", rule("x", "observation", `{"evaluator":{"name":"code","type":"code"},"mapping":`+judgeMapping+`}`),
			400, `"code":"invalid_variable_mapping","details":{"evaluatorName":"code"}`),
		create("an unknown evaluator", rule("x", "observation", `{"evaluator":{"name":"nope"}}`), 404,
			`"code":"resource_not_found","details":{"evaluatorName":"nope"}`),
		create("an evaluator of another type", rule("x", "observation", `{"evaluator":{"name":"code"}}`), 404,
			`"code":"resource_not_found"`),
		create("an evaluator twice", rule("x", "observation", mapped+","+mapped), 400,
			apitest.BadBody(apitest.Custom(`["evaluators",1]`, "The rule has the evaluator more than once"))),
		create("both forms", apitest.WithMember(rule("x", "observation", mapped), "evaluator", `{"name":"judge"}`), 400,
			apitest.BadBody(apitest.Custom(`["evaluators"]`, "Send either evaluators, or evaluator and mapping, not both"))),
		create("evaluators and a mapping", apitest.WithMember(rule("x", "observation", mapped), "mapping", judgeMapping), 400, "not both"),
		create("no evaluators", rule("x", "observation", ""), 400, "expected array to have >=1 items"),
		create("neither form", `{"name":"x","target":"observation","enabled":true}`, 400,
			apitest.BadBody(apitest.WrongType("evaluators", "array", "undefined"))),
		create("too many evaluators", rule("x", "observation", strings.Repeat("{},", 100)+"{}"), 400, "<=100 items"),
		create("no sampling", apitest.WithMember(rule("x", "observation", mapped), "sampling", "0"), 400, "expected number to be >0"),
		create("too much sampling", apitest.WithMember(rule("x", "observation", mapped), "sampling", "1.1"), 400, "expected number to be <=1"),
		create("a target of older rules", rule("x", "trace", mapped), 400, `"path":["target"]`),
		create("a filter of experiments",
			apitest.WithMember(rule("x", "observation", mapped), "filter",
				`[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["DATASET"]}]`), 400,
			`"code":"invalid_filter_value"`),
		create("a filter of observations",
			apitest.WithMember(rule("x", "experiment", mapped), "filter",
				`[{"column":"name","type":"stringOptions","operator":"any of","value":["x"]}]`), 400, `"allowedValues":["datasetId"]`),
		create("a wrong filter behind one of any values", apitest.WithMember(rule("x", "observation", mapped), "filter",
			`[{"column":"name","type":"stringOptions","operator":"any of","value":["x"]},{"column":"nothing","type":"string","operator":"=","value":"x"}]`), 400, `"column":"nothing"`),
		create("the name of a dataset",
			apitest.WithMember(rule("x", "experiment", mapped), "filter",
				`[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["d","DATASET"]}]`), 400,
			`"code":"invalid_filter_value","details":{"field":"value","column":"datasetId","invalidValues":["d"]}`),
		create("nothing", `{}`, 400, apitest.BadBody(apitest.WrongType("name", "string", "undefined"), apitest.WrongType("evaluators", "array", "undefined"),
			`{"code":"invalid_value","values":["observation","experiment"],"path":["target"],"message":"Invalid option: expected one of \"observation\"|\"experiment\""}`, apitest.WrongType("enabled", "boolean", "undefined"))),
		create("an unknown member", apitest.WithMember(rule("x", "observation", mapped), "x", "1"), 400, apitest.BadBody(apitest.UnknownMember)),
		{
			Name: "no permission", Method: "POST", Path: unstableRules, Key: "limited", Body: "{}", Status: 403,
			Contains: []string{`"code":"access_denied"`},
		},
		{
			Name: "an evaluator of another project", Method: "POST", Path: unstableRules, Key: "neighbour",
			Body: rule("x", "observation", mapped), Status: 404, Contains: []string{"Evaluator not found"},
		},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, create(bad.name, rule("x", "observation", judged(bad.mapping)), 400, `"code":"`+bad.code+`"`,
			bad.details))
	}
	for _, bad := range badFilters {
		scenarios = append(scenarios,
			create("filter: "+bad.name, apitest.WithMember(rule("x", "observation", mapped), "filter", "["+bad.filter+"]"), 400,
				`"code":"invalid_filter_value"`, bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestUnstableRules(t *testing.T) {
	f, fill := withEvaluators(t)
	body := func(name string) string {
		return fill(fmt.Sprintf(`{"name":%q,"target":"observation","enabled":true,"evaluators":[{"evaluator":{"name":"judge"},"mapping":%s}]}`, name, judgeMapping))
	}
	first, second := apitest.Made(t, f, unstableRules, body("first")), apitest.Made(t, f, unstableRules, body("second"))
	path := unstableRules + "/" + first
	change := func(name, body string, status int, parts ...string) apitest.Scenario {
		for n := range parts {
			parts[n] = fill(parts[n])
		}
		return apitest.Scenario{Name: name, Method: "PATCH", Path: path, Key: "project", Body: fill(body), Status: status, Contains: parts}
	}
	own := `[{"variable":"output","source":"metadata"},{"variable":"input","source":"tool_calls"}]`
	for _, s := range []apitest.Scenario{
		{
			Name: "list", Path: unstableRules, Key: "project", Status: 200, Contains: []string{
				fmt.Sprintf(`{"data":[{"id":%q`, second), apitest.Meta(1, 50, 2, 1), `"mapping":` + judgeMapping + `,"enabled"`,
			},
		},
		{
			Name: "a page", Path: unstableRules + "?limit=1&page=2", Key: "project", Status: 200,
			Contains: []string{first, apitest.Meta(2, 1, 2, 2)}, Missing: []string{second},
		},
		{Name: "no page", Path: unstableRules + "?limit=x", Key: "project", Status: 400, Contains: []string{`"code":"invalid_query"`}},
		{Name: "another project", Path: unstableRules, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "get", Path: path, Key: "project", Status: 200, Contains: []string{`"name":"first"`}},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noRule},
		{
			Name: "the evaluator counts its rules", Path: fill(unstableEvaluators + "/JUDGE"), Key: "project", Status: 200,
			Contains: []string{`"evaluationRuleCount":2`},
		},

		change("simple members",
			`{"name":"new","enabled":false,"sampling":0.5,"filter":[{"column":"name","type":"stringOptions","operator":"any of","value":["x"]}],"target":null}`, 200,
			`"name":"new"`, `"enabled":false,"status":"inactive"`, `"sampling":0.5`, `"filter":[{"column":"name"`),
		change("a mapping", `{"mapping":`+own+`}`, 200, `"mapping":`+own+`}],`, `,"mapping":`+own+`,"enabled"`),
		change("the same evaluator", `{"evaluator":{"name":"judge"}}`, 200, `"mapping":`+own+`}],`),
		change("another evaluator", `{"evaluator":{"name":"mapped"}}`, 200, `"evaluator":{"id":"MAPPED"`, `"mapping":null}],`),
		change("an evaluator with a mapping", `{"evaluator":{"name":"judge"},"mapping":`+own+`}`, 200, `"evaluator":{"id":"JUDGE"`),
		change("an evaluator of another type", `{"evaluator":{"name":"code","type":"code"}}`, 400,
			apitest.BadBody(apitest.Custom(`["evaluators"]`, "The type of the evaluator cannot change; it is llm_as_judge"))),
		change("an evaluator of another type, unsaid", `{"evaluator":{"name":"code"}}`, 404, `"evaluatorName":"code"`),
		change("a mapping that does not fit", `{"mapping":[]}`, 400, `"code":"missing_variable_mapping"`),
		change("a filter that does not fit",
			`{"filter":[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["DATASET"]}]}`, 400,
			`"code":"invalid_filter_value"`),
		change("an unknown dataset",
			`{"target":"experiment","filter":[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["d"]}]}`, 400,
			`"invalidValues":["d"]`),
		change("a target that the filter does not fit", `{"target":"experiment"}`, 400, `"code":"invalid_filter_value"`),
		change("target and filter",
			`{"target":"experiment","filter":[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["DATASET"]}]}`, 200,
			`"target":"experiment"`),
		change("sources of experiments",
			`{"mapping":[{"variable":"output","source":"expected_output"},{"variable":"input","source":"input"}]}`, 200,
			`"source":"expected_output"`),
		change("a target that the mapping does not fit", `{"target":"observation","filter":[]}`, 400, `"code":"invalid_variable_mapping"`),
		change("all evaluators",
			`{"target":"observation","filter":[],"evaluators":[{"evaluator":{"name":"code","type":"code"}},{"evaluator":{"name":"mapped"}}]}`, 200, `"evaluators":[{"evaluator":{"id":"CODE"`, `"mapping":[],"enabled"`),
		change("one of several", `{"evaluator":{"name":"mapped"}}`, 400, "The rule has several evaluators"),
		change("no evaluators", `{"evaluators":[]}`, 400, ">=1 items"),
		change("both forms", `{"evaluators":[{"evaluator":{"name":"mapped"}}],"mapping":[]}`, 400, "not both"),
		change("the name of another", `{"name":"second"}`, 409, `"code":"name_conflict"`),
		change("its own name", `{"name":"new"}`, 200),
		change("nothing", `{}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("nulls", `{"evaluators":null,"filter":null}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("an unknown member", `{"x":1}`, 400, apitest.BadBody(apitest.UnknownMember)),
		{
			Name: "change one of another project", Method: "PATCH", Path: path, Key: "neighbour", Body: `{"name":"x"}`, Status: 404,
			Want: noRule,
		},
		{Name: "change without permission", Method: "PATCH", Path: path, Key: "limited", Body: `{"name":"x"}`, Status: 403},

		// A new version with other variables does not change the mappings of rules.
		{
			Name: "a new version", Method: "POST", Path: unstableEvaluators, Key: "project",
			Body: apitest.WithMember(unstableJudge, "prompt", `"{{input}} {{more}}"`), Status: 200,
		},
		{
			Name: "a variable without a mapping", Path: unstableRules + "/" + second, Key: "project", Status: 200,
			Contains: []string{
				`"mapping":[{"variable":"input","source":"input","jsonPath":"$.text"},{"variable":"more","source":null}],"enabled"`,
			},
		},

		{Name: "delete an evaluator", Method: "DELETE", Path: fill(unstableEvaluators + "/JUDGE"), Key: "project", Status: 200},
		{
			Name: "its rule is left", Path: unstableRules + "/" + second, Key: "project", Status: 200,
			Contains: []string{`"evaluators":[],"evaluator":null,`, `"mapping":[],"enabled":false,"status":"inactive"`},
		},
		{
			Name: "a mapping for nothing", Method: "PATCH", Path: unstableRules + "/" + second, Key: "project", Body: `{"mapping":[]}`,
			Status: 400, Contains: []string{"no evaluator that a mapping could be for"},
		},
		{
			Name: "an evaluator again", Method: "PATCH", Path: unstableRules + "/" + second, Key: "project",
			Body: `{"evaluator":{"name":"code","type":"code"}}`, Status: 200, Contains: []string{`"type":"code"`},
		},

		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noRule},
		{
			Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200,
			Want: `{"message":"Evaluation rule successfully deleted"}`,
		},
		{Name: "delete again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: noRule},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestRules(t *testing.T) {
	f, fill := withEvaluators(t)
	rule := func(enabled bool, assignments string) string {
		return fmt.Sprintf(`{"name":"rule","enabled":%t,"evaluatorAssignments":[%s]}`, enabled, assignments)
	}
	const (
		judged = `{"evaluatorId":"JUDGE","variableMapping":` + judgeMapping + `}`
		mapped = `{"evaluatorId":"MAPPED","variableMapping":null}`
		code   = `{"evaluatorId":"CODE","variableMapping":null}`
	)
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		for n := range parts {
			parts[n] = fill(parts[n])
		}
		return apitest.Scenario{Name: name, Method: "POST", Path: rulesPath, Key: "project", Body: fill(body), Status: status, Contains: parts}
	}
	experiments := `[{"column":"isExperimentItemRootSpan","type":"boolean","operator":"=","value":true},{"column":"experimentId","type":"stringOptions","operator":"any of","value":["e"]},` +
		`{"column":"datasetId","type":"stringOptions","operator":"any of","value":["DATASET"]},{"column":"name","type":"stringOptions","operator":"any of","value":["n"]}]`
	scenarios := []apitest.Scenario{
		create("all kinds of evaluators", rule(true, judged+","+mapped+","+code), 200,
			`"name":"rule","createdBy":null,"enabled":true,"sampling":1,"filter":[],"evaluatorAssignments":[`+judged+","+mapped+","+code+
				`],"createdAt":"2`),
		create("the same name", rule(true, `{"evaluatorId":"CODE"}`), 200),
		create("a draft", rule(false, ""), 200, `"evaluatorAssignments":[]`),
		create("all filters", apitest.WithMember(apitest.WithMember(rule(true, mapped), "filter", goodFilters), "sampling", "0.5"), 200,
			`"sampling":0.5,"filter":`+goodFilters),
		create("filters of experiments", apitest.WithMember(rule(true, mapped), "filter", experiments), 200, `"filter":`+experiments),
		create("sources of experiments",
			rule(true,
				`{"evaluatorId":"JUDGE","variableMapping":[{"variable":"output","source":"expected_output"},{"variable":"input","source":"experiment_item_metadata"}]}`), 200),
		create("enabled without an evaluator", rule(true, ""), 400,
			apitest.BadBody(apitest.Custom(`["evaluatorAssignments"]`, "An enabled rule needs at least one evaluator"))),
		create("an unknown evaluator", rule(true, `{"evaluatorId":"nope"}`), 404,
			`{"message":"Evaluator not found within authorized project","code":"resource_not_found","details":{"field":"evaluatorId","value":"nope"}}`),
		create("an evaluator twice", rule(true, mapped+","+mapped), 400, `"path":["evaluatorAssignments",1]`),
		create("code with a mapping", rule(true, `{"evaluatorId":"CODE","variableMapping":`+judgeMapping+`}`), 400,
			`"code":"invalid_body"`),
		create("no mapping at all", rule(true, `{"evaluatorId":"JUDGE"}`), 400, `"code":"invalid_body"`, `"variables":["output","input"]`),
		create("no null sampling", apitest.WithMember(rule(true, mapped), "sampling", "null"), 400, apitest.WrongType("sampling", "number", "null")),
		create("a name of a dataset",
			apitest.WithMember(rule(true, mapped), "filter", `[{"column":"datasetId","type":"stringOptions","operator":"any of","value":["d"]}]`),
			400, `"code":"invalid_body"`, `"invalidValues":["d"]`),
		create("a target", apitest.WithMember(rule(true, mapped), "target", `"observation"`), 400, `"keys":["target"]`),
		create("nothing", `{}`, 400, apitest.BadBody(apitest.WrongType("name", "string", "undefined"), apitest.WrongType("enabled", "boolean", "undefined"),
			apitest.WrongType("evaluatorAssignments", "array", "undefined"))),
		create("too many evaluators", rule(true, strings.Repeat("{},", 100)+"{}"), 400, "<=100 items"),
		{
			Name: "an evaluator of another project", Method: "POST", Path: rulesPath, Key: "neighbour", Body: fill(rule(true, mapped)),
			Status: 404, Contains: []string{"Evaluator not found"},
		},
		{
			Name: "no permission", Method: "POST", Path: rulesPath, Key: "limited", Body: "{}", Status: 403,
			Contains: []string{`"code":"access_denied"`},
		},
	}
	for _, bad := range badMappings {
		scenarios = append(scenarios, create(bad.name, rule(true, `{"evaluatorId":"JUDGE","variableMapping":`+bad.mapping+`}`), 400,
			`"code":"invalid_body"`, bad.details))
	}
	for _, bad := range badFilters {
		scenarios = append(scenarios, create("filter: "+bad.name, apitest.WithMember(rule(true, mapped), "filter", "["+bad.filter+"]"), 400,
			`"code":"invalid_body"`, bad.details))
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}

	f, fill = withEvaluators(t)
	id := apitest.Made(t, f, rulesPath, fill(rule(true, judged)))
	older := apitest.Made(t, f, unstableRules,
		`{"name":"older","target":"experiment","enabled":true,"evaluators":[{"evaluator":{"name":"mapped"}}]}`)
	path := rulesPath + "/" + id
	change := func(name, body string, status int, parts ...string) apitest.Scenario {
		for n := range parts {
			parts[n] = fill(parts[n])
		}
		return apitest.Scenario{Name: name, Method: "PATCH", Path: path, Key: "project", Body: fill(body), Status: status, Contains: parts}
	}
	for _, s := range []apitest.Scenario{
		{Name: "list", Path: rulesPath, Key: "project", Status: 200, Contains: []string{`{"data":[{"id":"` + older, `"meta":{}}`}},
		{
			Name: "a page", Path: rulesPath + "?limit=1", Key: "project", Status: 200, Contains: []string{older, `"meta":{"cursor":"`},
			Missing: []string{id},
		},
		{
			Name: "a bad cursor", Path: rulesPath + "?cursor=x", Key: "project", Status: 400,
			Want: apitest.BadQuery(apitest.Custom(`["cursor"]`, "Invalid cursor")),
		},
		{Name: "another project", Path: rulesPath, Key: "neighbour", Status: 200, Want: `{"data":[],"meta":{}}`},
		{
			Name: "the target is a condition", Path: rulesPath + "/" + older, Key: "project", Status: 200,
			Contains: []string{`"filter":[{"column":"isExperimentItemRootSpan","type":"boolean","operator":"=","value":true}]`},
		},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noRule},
		{
			Name: "rules of an evaluator", Path: fill(evaluatorsPath + "/JUDGE"), Key: "project", Status: 200,
			Contains: []string{
				`"evaluationRuleAssignments":[{"evaluationRuleId":"` + id + `","variableMappingOverride":` + judgeMapping + `}]`,
			},
		},
		{
			Name: "an inherited mapping is left out", Path: fill(evaluatorsPath + "/MAPPED"), Key: "project", Status: 200,
			Contains: []string{`"evaluationRuleAssignments":[{"evaluationRuleId":"` + older + `"}]`},
		},

		change("simple members", `{"name":"new","sampling":0.5,"enabled":true}`, 200, `"name":"new"`, `"sampling":0.5`),
		change("a filter", `{"filter":[{"column":"experimentId","type":"stringOptions","operator":"any of","value":["e"]}]}`, 200,
			`"filter":[{"column":"experimentId"`),
		{
			Name: "the filter is a target", Path: unstableRules + "/" + id, Key: "project", Status: 200,
			Contains: []string{`"target":"experiment","filter":[{"column":"experimentId"`},
		},
		change("evaluators", `{"evaluatorAssignments":[`+code+`]}`, 200, `"evaluatorAssignments":[`+code+`]`),
		change("no evaluators", `{"evaluatorAssignments":[]}`, 200, `"enabled":false`, `"evaluatorAssignments":[]`),
		change("enabled without evaluators", `{"enabled":true}`, 400,
			apitest.BadBody(apitest.Custom(`["enabled"]`, "An enabled rule needs at least one evaluator"))),
		change("an unknown evaluator", `{"evaluatorAssignments":[{"evaluatorId":"nope"}]}`, 404, "Evaluator not found"),
		change("a bad filter", `{"filter":[{"column":"x","type":"boolean","operator":"=","value":true}]}`, 400, `"code":"invalid_body"`),
		change("nothing", `{}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("null", `{"name":null}`, 400, apitest.WrongType("name", "string", "null")),
		{
			Name: "change one of another project", Method: "PATCH", Path: path, Key: "neighbour", Body: `{"name":"x"}`, Status: 404,
			Want: noRule,
		},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noRule},
		{Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200, Want: `{"id":"` + id + `"}`},
		{Name: "delete again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: noRule},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}
