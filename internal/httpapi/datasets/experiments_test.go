package datasets_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const (
	experimentsPath = "/api/public/experiments"
	itemsPath       = "/api/public/experiment-items"
)

// twoRuns returns two experiments: one on a dataset with two items, of which one ran twice, and a newer one on local
// data. A row without an experiment lies in between.
func twoRuns() []domain.Observation {
	row := func(trace, id string, start domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: trace, ID: id, Type: "SPAN", Name: "experiment-item-run", Level: "DEFAULT", Environment: "sdk-experiment",
			StartTime: apitest.October + start, EndTime: apitest.October + start + 100_000, CreatedAt: apitest.October, UpdatedAt: apitest.October,
		}
	}
	run1 := func(trace, id, item string, start domain.Micros) domain.Observation {
		o := row(trace, id, start)
		o.ExperimentID, o.ExperimentName, o.ExperimentDatasetID = "run-1-id", "run one", "ds-1"
		o.ExperimentItemID, o.ExperimentItemRootSpanID = item, id
		o.ExperimentMetadata = `{"em":"1"}`
		return o
	}
	first := run1("t1", "a1", "item-1", 0)
	first.Input, first.Output, first.ExperimentItemExpectedOutput = `{"q": 1}`, "  raw\n", `"4"`
	first.ExperimentItemMetadata, first.ExperimentItemVersion = `{"im":"2"}`, "2026-01-05T00:00:00.000Z"
	first.ExperimentDescription, first.ExperimentMetadata = "older words", `{"em":"0"}`
	first.Metadata = `{"n":42,"long":"` + strings.Repeat("x", 300) + `","a.b":true}`
	again := run1("t2", "a2", "item-1", 2_000_000)
	again.ExperimentDescription = "words"
	second := run1("t3", "a3", "item-2", 3_000_000)
	second.EndTime, second.Level = 0, "ERROR"
	child := run1("t3", "a4", "item-2", 3_500_000)
	child.ExperimentItemRootSpanID, child.EndTime = "a3", apitest.October+9_000_000
	nameless := row("t3", "a5", 4_000_000)
	nameless.ExperimentID = "run-1-id"
	ordinary := row("t4", "b1", 5_000_000)
	local := row("t5", "c1", 6_000_000)
	local.ExperimentID, local.ExperimentItemID, local.ExperimentItemRootSpanID = "local-id", "5994471abb01112a", "c1"
	local.EndTime = local.StartTime - 5 // a clock that was set back
	return []domain.Observation{first, again, second, child, nameless, ordinary, local}
}

// runScores returns scores of the experiments, of items, and of neither.
func runScores() []domain.Score {
	numbers := 0
	score := func(id string, written domain.Micros) domain.Score {
		numbers++
		return domain.Score{
			ID: id, Name: "quality", Source: "API", DataType: domain.ScoreNumeric, Value: domain.FloatOf(float64(numbers) / 4),
			Environment: "default", Timestamp: apitest.October + 10_000_000, CreatedAt: apitest.October, UpdatedAt: apitest.October + written,
		}
	}
	of := func(s domain.Score, trace, row, session, experiment string) domain.Score {
		s.TraceID, s.ObservationID, s.SessionID, s.ExperimentID = trace, row, session, experiment
		return s
	}
	late := of(score("run-late", 3000), "", "", "", "run-1-id")
	late.Timestamp = apitest.October + 90*24*3600*1_000_000 // months after the run
	correction := of(score("correction", 9000), "t1", "a1", "", "")
	correction.DataType, correction.StringValue = domain.ScoreCorrection, "better"
	unusable := of(score("unusable", 9000), "", "", "", "run-1-id")
	unusable.DataType = domain.ScoreCategorical
	word := of(score("word", 2000), "", "", "", "run-1-id")
	word.DataType, word.StringValue = domain.ScoreCategorical, "good"
	return []domain.Score{
		of(score("run", 1000), "", "", "", "run-1-id"), late, word, unusable,
		of(score("run-and-trace", 9000), "t1", "", "", "run-1-id"),
		of(score("other-run", 1000), "", "", "", "run-2-id"),
		of(score("trace", 1000), "t1", "", "", ""), of(score("row", 2000), "t1", "a1", "", ""), correction,
		of(score("inner", 9000), "t1", "x", "", ""), of(score("session", 9000), "", "", "s1", ""),
		of(score("other-trace", 9000), "t9", "a1", "", ""),
	}
}

const (
	localCore = `{"id":"local-id","name":"","description":"","startTime":"2026-10-06T10:00:06.000Z","endTime":"2026-10-06T10:00:06.000Z",` +
		`"itemCount":1,"datasetId":null`
	runCore = `{"id":"run-1-id","name":"run one","description":"words","startTime":"2026-10-06T10:00:00.000Z",` +
		`"endTime":"2026-10-06T10:00:09.000Z","itemCount":3,"datasetId":"ds-1"`
)

// experimentScenarios run against the same rows.
type experimentScenarios struct {
	path string
	list []apitest.Scenario
}

func (x *experimentScenarios) ok(name string, query []string, want string) {
	x.list = append(x.list, apitest.Scenario{
		Name: name, Path: x.path + apitest.QueryOf(query...), Key: "limited", Given: twoRuns(), Scores: runScores(), Status: http.StatusOK,
		Want: want,
	})
}

func (x *experimentScenarios) refuse(name string, query []string, parts ...string) {
	x.list = append(x.list, apitest.Scenario{
		Name: name, Path: x.path + apitest.QueryOf(query...), Key: "project", Given: twoRuns(), Status: http.StatusBadRequest, Contains: parts,
	})
}

func (x *experimentScenarios) invalid(name string, query []string, issues string) {
	x.refuse(name, query, `{"message":"Invalid request data","error":[`+issues+`]}`)
}

// refuseCommon adds the requests that both lists reject.
func (x *experimentScenarios) refuseCommon(groups, columns, anyColumn string) {
	enum := func(list string) string {
		return `"Invalid option: expected one of ` + strings.ReplaceAll(strings.ReplaceAll(list, `"`, `\"`), ",", "|") + `"`
	}
	condition := func(text string) []string { return []string{"filter", "[" + text + "]"} }
	x.invalid("limit below", []string{"limit", "0"},
		`{"origin":"number","code":"too_small","minimum":1,"inclusive":true,"path":["limit"],"message":"Too small: expected number to be >=1"}`)
	x.invalid("limit above", []string{"limit", "101"},
		`{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}`)
	x.invalid("score limit below", []string{"scoreLimit", "0"},
		`{"origin":"number","code":"too_small","minimum":1,"inclusive":true,"path":["scoreLimit"],"message":"Too small: expected number to be >=1"}`)
	x.invalid("score limit above", []string{"scoreLimit", "51"},
		`{"origin":"number","code":"too_big","maximum":50,"inclusive":true,"path":["scoreLimit"],"message":"Too big: expected number to be <=50"}`)
	x.invalid("an unknown group", []string{"fields", "core, nope"},
		`{"code":"invalid_value","values":[`+groups+`],"path":["fields",1],"message":`+enum(groups)+`}`)
	x.invalid("an unknown group, repeated", []string{"fields", "nope", "fields", "core"},
		`{"code":"invalid_value","values":[`+groups+`],"path":["fields",0],"message":`+enum(groups)+`}`)
	for _, name := range []string{"fromStartTime", "toStartTime"} {
		for _, text := range []string{"", "2026-10-06", "2026-10-06 10:00:00Z", "1791280800000"} {
			x.refuse(name+" "+text, []string{name, text}, `"Invalid request data"`, `"path":["`+name+`"]`, `"Invalid ISO datetime"`)
		}
	}
	x.invalid("a repeated parameter", []string{anyColumn, "a", anyColumn, "b"},
		`{"expected":"string","code":"invalid_type","path":["`+anyColumn+`"],"message":"Invalid input: expected string, received array"}`)
	x.refuse("a filter that is no JSON", []string{"filter", "[{"},
		`{"message":"Invalid JSON in filter parameter","error":"InvalidRequestError"}`)
	x.invalid("a filter that is no array", []string{"filter", "{}"},
		`{"expected":"array","code":"invalid_type","path":["filter"],"message":"Invalid input: expected array, received object"}`)
	x.invalid("an unknown column", condition(`{"type": "string", "column": "nope", "operator": "=", "value": "x"}`),
		`{"code":"invalid_value","values":[`+columns+`],"path":["filter",0,"column"],"message":`+enum(columns)+`}`)
	x.invalid("a column of observations", condition(`{"type":"string","column":"experimentMetadata","operator":"=","value":"x"}`),
		`{"code":"invalid_value","values":[`+columns+`],"path":["filter",0,"column"],"message":`+enum(columns)+`}`)
	x.refuse("an unknown type", condition(`{"type":"x","column":"`+anyColumn+`","operator":"=","value":"x"}`),
		`"note":"No matching discriminator"`)
	x.refuse("an empty choice", condition(`{"type":"stringOptions","column":"`+anyColumn+`","operator":"any of","value":[]}`),
		`"path":["filter",0,"value"]`)
	for typ, rest := range map[string]string{
		"number": `"operator":"=","value":1`, "datetime": `"operator":">","value":"2026-01-01"`, "boolean": `"operator":"=","value":true`,
		"arrayOptions": `"operator":"any of","value":["x"]`, "stringObject": `"key":"k","operator":"=","value":"x"`,
		"numberObject": `"key":"k","operator":"=","value":1`, "booleanObject": `"key":"k","operator":"=","value":true`,
		"categoryOptions": `"key":"k","operator":"any of","value":["x"]`,
	} {
		x.refuse("the type "+typ, condition(`{"type":"`+typ+`","column":"`+anyColumn+`",`+rest+`}`),
			`{"message":"Invalid filter type '`+typ+`' for column '`+anyColumn+
				`'. Expected filter type 'stringOptions'.","error":"InvalidRequestError"}`)
	}
	x.refuse("matches", condition(`{"type":"string","column":"`+anyColumn+`","operator":"matches","value":"x"}`),
		"{\"message\":\"`matches` is only supported for input, output, and metadata filters.\",\"error\":\"InvalidRequestError\"}")
	for _, text := range []string{"", "nonsense!", "bm9uc2Vuc2U"} {
		x.refuse("the cursor "+text, []string{"cursor", text}, `{"message":"Invalid cursor format","error":"InvalidRequestError"}`)
	}
	x.invalid("a cursor of another version", []string{"cursor", "eyJ2IjoyfQ"},
		`{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"v","path":["cursor","v"],"message":"Invalid input"}`)
	x.refuse("a cursor without members", []string{"cursor", "eyJ2IjoxfQ"},
		`{"expected":"string","code":"invalid_type","path":["cursor","lastTime"],"message":"Invalid input: expected string, received undefined"}`,
		`"path":["cursor","lastTraceId"]`, `"path":["cursor","lastId"]`, `"path":["cursor","lastExperimentId"]`)
	x.refuse("two issues", []string{"fields", "nope", "limit", "x"}, `"path":["fields",0]`, `"path":["limit"]`)
	x.list = append(x.list,
		apitest.Scenario{Name: "no key", Path: x.path, Status: http.StatusUnauthorized, Want: `{"message":"No authorization header"}`},
		apitest.Scenario{
			Name: "another project's key", Path: x.path, Key: "neighbour", Given: twoRuns(), Status: http.StatusOK,
			Want: `{"data":[],"meta":{}}`,
		},
		apitest.Scenario{Name: "an organization's key", Path: x.path, Key: "organization", Status: http.StatusForbidden},
		apitest.Scenario{Name: "the wrong method", Method: "POST", Path: x.path, Key: "project", Status: http.StatusMethodNotAllowed},
	)
}

func TestListExperiments(t *testing.T) {
	const (
		nothing = `{"data":[],"meta":{}}`
		both    = `{"data":[` + localCore + `},` + runCore + `}],"meta":{}}`
		run     = `{"data":[` + runCore + `}],"meta":{}}`
		local   = `{"data":[` + localCore + `}],"meta":{}}`
	)
	x := &experimentScenarios{path: experimentsPath}
	condition := func(typ, column, operator, value string) []string {
		return []string{"filter", fmt.Sprintf(`[{"type":%q,"column":%q,"operator":%q,"value":%s}]`, typ, column, operator, value)}
	}
	x.ok("everything", nil, both)
	x.ok("an unknown parameter", []string{"nope", "1"}, both)
	x.ok("empty parameters", []string{"id", "", "name", " , ", "datasetId", "", "filter", "", "fields", "", "limit", "", "scoreLimit", ""},
		both)
	x.ok("core", []string{"fields", "core"}, both)
	x.ok("from a time on", []string{"fromStartTime", "2026-10-06T10:00:05Z"}, local)
	x.ok("from a time with an offset", []string{"fromStartTime", "2026-10-06T12:00:06+02:00"}, local)
	x.ok("up to a time", []string{"toStartTime", "2026-10-06T10:00:06Z"}, run)
	x.ok("only what is in the time range counts", []string{
		"fromStartTime", "2026-10-06T10:00:00.001Z", "toStartTime", "2026-10-06T10:00:03Z",
	},
		`{"data":[{"id":"run-1-id","name":"run one","description":"words","startTime":"2026-10-06T10:00:02.000Z",`+
			`"endTime":"2026-10-06T10:00:02.100Z","itemCount":1,"datasetId":"ds-1"}],"meta":{}}`)
	x.ok("an empty time range", []string{"fromStartTime", "2026-10-06T10:00:03Z", "toStartTime", "2026-10-06T10:00:00Z"}, nothing)
	x.ok("of an id", []string{"id", "run-1-id"}, run)
	x.ok("of ids", []string{"id", " run-1-id,local-id ,,x"}, both)
	x.ok("of an unknown id", []string{"id", "RUN-1-ID"}, nothing)
	x.ok("of a name", []string{"name", "run one"}, run)
	x.ok("of a dataset", []string{"datasetId", "ds-1"}, run)
	x.ok("all must be met", []string{"datasetId", "ds-1", "id", "local-id"}, nothing)
	x.ok("any of", condition("stringOptions", "id", "any of", `["local-id","x"]`), local)
	x.ok("none of", condition("stringOptions", "id", "none of", `["local-id","x"]`), run)
	x.ok("equal", condition("string", "name", "=", `"run one"`), run)
	x.ok("contains", condition("string", "name", "contains", `"n o"`), run)
	x.ok("contains, case-sensitive", condition("string", "name", "contains", `"N O"`), nothing)
	x.ok("does not contain", condition("string", "id", "does not contain", `"run"`), local)
	x.ok("starts with", condition("string", "datasetId", "starts with", `"ds"`), run)
	x.ok("ends with", condition("string", "id", "ends with", `"1-id"`), run)
	x.ok("is not null", condition("null", "datasetId", "is not null", `""`), run)
	x.ok("is null", condition("null", "datasetId", "is null", `""`), local)
	x.ok("none of, although a row has no dataset", condition("stringOptions", "datasetId", "none of", `["ds-1"]`), local)
	x.ok("is null, for no experiment", condition("null", "id", "is null", `""`), nothing)
	x.ok("a parameter gives way to a condition on its column", append(condition("string", "id", "=", `"run-1-id"`), "id", "local-id"), run)
	x.ok("other parameters do not", append(condition("string", "id", "=", `"run-1-id"`), "name", "x"), nothing)
	x.ok("a condition that says nothing", condition("positionInTrace", "id", "=", "1"), both)

	const score = `"projectId":"project-a","name":"quality","dataType":`
	times := func(timestamp, updated string) string {
		return `,"source":"API","timestamp":"` + timestamp +
			`","environment":"default","createdAt":"2026-10-06T10:00:00.000Z","updatedAt":"2026-10-06T10:00:00.` +
			updated + `Z","subject":{"kind":"experiment","id":"run-1-id"}}`
	}
	const soon = "2026-10-06T10:00:10.000Z"
	late := `{"id":"run-late",` + score + `"NUMERIC","value":0.25` + times("2027-01-04T10:00:00.000Z", "003")
	word := `{"id":"word",` + score + `"CATEGORICAL","value":"good"` + times(soon, "002")
	first := `{"id":"run",` + score + `"NUMERIC","value":1.25` + times(soon, "001")
	x.ok("metadata", []string{"fields", "metadata"}, `{"data":[`+localCore+`,"metadata":{}},`+runCore+`,"metadata":{"em":"1"}}],"meta":{}}`)
	x.ok("scores", []string{"fields", "scores", "id", "run-1-id"}, `{"data":[`+runCore+`,"scores":[`+late+`,`+word+`,`+first+
		`]}],"meta":{}}`)
	x.ok("every group, and few scores", []string{"fields", "core", "fields", "metadata", "fields", "scores", "scoreLimit", "2"},
		`{"data":[`+localCore+`,"metadata":{},"scores":[]},`+runCore+`,"metadata":{"em":"1"},"scores":[`+late+`,`+word+`]}],"meta":{}}`)
	x.ok("the first page", []string{"limit", "1"},
		`{"data":[`+localCore+
			`}],"meta":{"cursor":"eyJ2IjoxLCJsYXN0VGltZSI6IjIwMjYtMTAtMDYgMTA6MDA6MDYuMDAwMDAwIiwibGFzdFRyYWNlSWQiOiJ0NSIsImxhc3RJZCI6ImMxIiwibGFzdEV4cGVyaW1lbnRJZCI6ImxvY2FsLWlkIiwidW50aWwiOiIyMDI2LTEwLTA2IDEwOjAwOjA2LjAwMDAwMCJ9"}}`)
	x.ok("a page behind a cursor", []string{
		"cursor",
		"eyJ2IjoxLCJsYXN0VGltZSI6IjIwMjYtMTAtMDYgMTA6MDA6MDYuMDAwMDAwIiwibGFzdFRyYWNlSWQiOiJ0NSIsImxhc3RJZCI6ImMxIiwibGFzdEV4cGVyaW1lbnRJZCI6ImxvY2FsLWlkIn0=",
	}, run)
	x.refuseCommon(`"core","metadata","scores"`, `"id","name","datasetId"`, "id")
	apitest.Run(t, x.list)
}

func TestListExperimentItems(t *testing.T) {
	item := func(id, trace, second, end, level, experiment, name, itemID string) string {
		return `{"id":"` + id + `","traceId":"` + trace + `","startTime":"2026-10-06T10:00:0` + second + `Z","endTime":` + end +
			`,"level":"` + level +
			`","environment":"sdk-experiment","experimentId":"` + experiment + `","experimentName":"` + name + `","experimentItemId":"` +
			itemID + `"`
	}
	const noDataset, dataset = `,"experimentDatasetId":null,"experimentItemVersion":null}`,
		`,"experimentDatasetId":"ds-1","experimentItemVersion":null}`
	local := item("c1", "t5", "6.000", `"2026-10-06T10:00:05.999Z"`, "DEFAULT", "local-id", "", "5994471abb01112a")
	third := item("a3", "t3", "3.000", "null", "ERROR", "run-1-id", "run one", "item-2")
	second := item("a2", "t2", "2.000", `"2026-10-06T10:00:02.100Z"`, "DEFAULT", "run-1-id", "run one", "item-1")
	first := item("a1", "t1", "0.000", `"2026-10-06T10:00:00.100Z"`, "DEFAULT", "run-1-id", "run one", "item-1")
	const firstDataset = `,"experimentDatasetId":"ds-1","experimentItemVersion":"2026-01-05T00:00:00.000Z"`
	data := func(items ...string) string { return `{"data":[` + strings.Join(items, ",") + `],"meta":{}}` }

	x := &experimentScenarios{path: itemsPath}
	x.ok("everything", nil, data(local+noDataset, third+dataset, second+dataset, first+firstDataset+"}"))
	x.ok("core alone", []string{"fields", "core"}, data(local+"}", third+"}", second+"}", first+"}"))
	x.ok("of an experiment", []string{"experimentId", "local-id"}, data(local+noDataset))
	x.ok("of a name", []string{"experimentName", "run one", "fields", "core"}, data(third+"}", second+"}", first+"}"))
	x.ok("of an item", []string{"experimentItemId", "item-1,x", "fields", "core"}, data(second+"}", first+"}"))
	x.ok("of a dataset", []string{"datasetId", "ds-1", "fields", "core"}, data(third+"}", second+"}", first+"}"))
	x.ok("of a dataset, newer", []string{"datasetId", "ds-1", "fields", "core", "fromStartTime", "2026-10-06T10:00:02Z"},
		data(third+"}", second+"}"))
	x.ok("up to a time", []string{"fields", "core", "toStartTime", "2026-10-06T10:00:02Z"}, data(first+"}"))
	x.ok("a filter", []string{
		"fields", "core", "filter", `[{"type":"string","column":"experimentItemId","operator":"ends with","value":"-2"}]`,
	}, data(third+"}"))
	x.ok("a parameter gives way to a condition on its column", []string{
		"fields", "core", "experimentId", "run-1-id",
		"filter", `[{"type":"stringOptions","column":"experimentId","operator":"any of","value":["local-id"]}]`,
	}, data(local+"}"))
	x.ok("input and output are not parsed", []string{"fields", "io", "experimentItemId", "item-1"}, data(
		second+`,"input":"","output":"","expectedOutput":""}`, first+`,"input":"{\"q\": 1}","output":"  raw\n","expectedOutput":"\"4\""}`))
	x.ok("metadata are not cut and keep their types", []string{"fields", "metadata", "experimentItemId", "item-1"}, data(
		second+`,"metadata":{}}`, first+`,"metadata":{"n":42,"long":"`+strings.Repeat("x", 300)+`","a.b":true}}`))
	x.ok("metadata of the item", []string{"fields", "itemMetadata", "experimentItemId", "item-1"}, data(
		second+`,"experimentItemMetadata":{}}`, first+`,"experimentItemMetadata":{"im":"2"}}`))
	x.ok("metadata of the experiment", []string{"fields", "experimentMetadata", "experimentItemId", "item-1"}, data(
		second+`,"experimentMetadata":{"em":"1"},"experimentDescription":"words"}`,
		first+`,"experimentMetadata":{"em":"0"},"experimentDescription":"older words"}`))
	const score = `"projectId":"project-a","name":"quality","dataType":"NUMERIC","value":`
	const times = `,"source":"API","timestamp":"2026-10-06T10:00:10.000Z","environment":"default","createdAt":"2026-10-06T10:00:00.000Z","updatedAt":"2026-10-06T10:00:00.`
	row := `{"id":"row",` + score + `2.25` + times + `002Z","subject":{"kind":"observation","id":"a1","traceId":"t1"}}`
	trace := `{"id":"trace",` + score + `2` + times + `001Z","subject":{"kind":"trace","id":"t1"}}`
	x.ok("scores", []string{
		"fields", "scores", "experimentItemId", "item-1",
	}, data(second+`,"scores":[]}`, first+`,"scores":[`+row+`,`+trace+`]}`))
	x.ok("few scores", []string{
		"fields", "scores", "experimentItemId", "item-1", "scoreLimit", "1",
	}, data(second+`,"scores":[]}`, first+`,"scores":[`+row+`]}`))
	x.ok("every group", []string{
		"fields", "core,dataset,io,metadata,itemMetadata,experimentMetadata,scores", "toStartTime", "2026-10-06T10:00:01Z",
	}, data(
		first+firstDataset+`,"input":"{\"q\": 1}","output":"  raw\n","expectedOutput":"\"4\"","metadata":{"n":42,"long":"`+
			strings.Repeat("x", 300)+
			`","a.b":true},"experimentItemMetadata":{"im":"2"},"experimentMetadata":{"em":"0"},"experimentDescription":"older words","scores":[`+row+`,`+trace+`]}`))
	cursor := "eyJ2IjoxLCJsYXN0VGltZSI6IjIwMjYtMTAtMDYgMTA6MDA6MDMuMDAwMDAwIiwibGFzdFRyYWNlSWQiOiJ0MyIsImxhc3RJZCI6ImEzIiwibGFzdEV4cGVyaW1lbnRJZCI6InJ1bi0xLWlkIn0"
	for _, fields := range []string{"core", "scores"} {
		scores := func(of string) string {
			if fields == "core" {
				return "}"
			}
			return `,"scores":[` + of + `]}`
		}
		x.ok("the first page, "+fields, []string{"fields", fields, "limit", "2"},
			`{"data":[`+local+scores("")+`,`+third+scores("")+`],"meta":{"cursor":"`+cursor+`"}}`)
		x.ok("the last page, "+fields, []string{
			"fields", fields, "limit", "2", "cursor", cursor,
		}, data(second+scores(""), first+scores(row+","+trace)))
	}
	x.refuseCommon(`"core","dataset","io","metadata","itemMetadata","experimentMetadata","scores"`,
		`"experimentId","experimentName","experimentItemId","datasetId"`, "datasetId")
	apitest.Run(t, x.list)
}

// TestExperimentWalks: the pages of both lists, whatever their size and fields, contain everything exactly once and in
// one order.
func TestExperimentWalks(t *testing.T) {
	f := apitest.New(t, nil)
	var rows []domain.Observation
	for n := range 90 {
		id := fmt.Sprintf("%04d", n)
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprint("t", n%7), ID: id, Type: "SPAN", StartTime: apitest.October + domain.Micros(n/10)*1000, CreatedAt: apitest.October,
			UpdatedAt:    apitest.October,
			ExperimentID: fmt.Sprint("e", n%17), ExperimentItemID: "i", ExperimentItemRootSpanID: id,
		})
	}
	f.Keep(t, "project-a", rows[:50], nil)
	if err := f.Store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Keep(t, "project-a", rows[50:], nil)
	limits := []int{100, 1, 7, 10, 17}
	if testing.Short() {
		limits = []int{100, 7, 17}
	}
	for path, count := range map[string]int{experimentsPath: 17, itemsPath: 90} {
		var want []string
		for _, limit := range limits {
			for _, fields := range []string{"core", "core,scores,metadata"} {
				var got []string
				query := []string{"limit", strconv.Itoa(limit), "fields", fields}
				for {
					var body apitest.ObservationsBody
					if err := json.Unmarshal(f.Get(t, path+apitest.QueryOf(query...)), &body); err != nil {
						t.Fatal(err)
					}
					for _, row := range body.Data {
						got = append(got, row.TraceID+"/"+row.ID)
					}
					if body.Meta.Cursor == "" {
						break
					}
					query = append(query[:4:4], "cursor", body.Meta.Cursor)
				}
				if want == nil {
					want = got
				}
				if len(got) != count || !slices.Equal(got, want) {
					t.Errorf("%s in pages of %d, %s: %d, want %d: %v", path, limit, fields, len(got), count, got)
				}
			}
		}
	}
}

// TestTooManyExperiments: the state kept about earlier pages is bounded.
func TestTooManyExperiments(t *testing.T) {
	f := apitest.New(t, nil)
	rows := make([]domain.Observation, 100_002)
	for n := range rows {
		rows[n] = domain.Observation{
			TraceID: "t", ID: strconv.Itoa(n), ExperimentID: strconv.Itoa(n), StartTime: apitest.October + domain.Micros(n)*1000,
		}
	}
	f.Keep(t, "project-a", rows, nil)
	f.Run(t, apitest.Scenario{
		Path: experimentsPath +
			apitest.QueryOf("cursor",
				"eyJ2IjoxLCJsYXN0VGltZSI6IjIwMjYtMDEtMDEgMDA6MDA6MDAiLCJsYXN0VHJhY2VJZCI6InQiLCJsYXN0SWQiOiJ4IiwibGFzdEV4cGVyaW1lbnRJZCI6IngifQ"),
		Key: "project", Status: http.StatusUnprocessableEntity,
		Want: `{"message":"More than 100000 experiments would have to be looked at. Ask for less: a shorter time range, or a dataset.","error":"Request timed out"}`,
	})
}

// TestDeletedTraces: an experiment consists of its remaining traces, and disappears with the last of them.
func TestDeletedTraces(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", twoRuns(), runScores())
	remove := func(body string) {
		f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/traces", Key: "project", Body: body, Status: http.StatusOK})
	}
	remove(`{"traceIds":["t3","t5"]}`)
	f.Run(t, apitest.Scenario{Path: experimentsPath, Key: "project", Status: http.StatusOK, Want: `{"data":[{"id":"run-1-id","name":"run one",` +
		`"description":"words","startTime":"2026-10-06T10:00:00.000Z","endTime":"2026-10-06T10:00:02.100Z","itemCount":2,"datasetId":"ds-1"}],"meta":{}}`})
	remove(`{"traceIds":["t1","t2"]}`)
	f.Run(t, apitest.Scenario{
		Path: experimentsPath + apitest.QueryOf("fields", "scores"), Key: "project", Status: http.StatusOK, Want: `{"data":[],"meta":{}}`,
	})
	f.Run(t, apitest.Scenario{Path: itemsPath + apitest.QueryOf("fields", "scores"), Key: "project", Status: http.StatusOK, Want: `{"data":[],"meta":{}}`})
}
