package dashboards_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/dashboards"
)

const (
	widgets        = "/api/public/unstable/dashboard-widgets"
	dashboardsPath = "/api/public/unstable/dashboards"

	noWidget    = `{"message":"Dashboard widget not found within authorized project","code":"resource_not_found"}`
	noDashboard = `{"message":"Dashboard not found within authorized project","code":"resource_not_found"}`
	noSuchPlace = `{"message":"Dashboard placement not found","code":"resource_not_found"}`
)

func TestCreateWidget(t *testing.T) {
	f := apitest.New(t, nil)
	with := func(member, value string) string {
		body := apitest.PlainWidget
		old := map[string]string{
			"name": `"name":"w"`, "view": `"view":"observations"`, "dimensions": `"dimensions":[]`,
			"metrics": `"metrics":[{"measure":"count","agg":"count"}]`,
			"filters": `"filters":[]`, "chartType": `"chartType":"NUMBER"`,
		}[member]
		if old == "" {
			return strings.TrimSuffix(body, "}") + `,"` + member + `":` + value + `}`
		}
		return strings.Replace(body, old, `"`+member+`":`+value, 1)
	}
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: widgets, Key: "project", Body: body, Status: status, Contains: parts}
	}
	filters := []string{
		`{"column":"name","type":"string","operator":"contains","value":"x"}`,
		`{"column":"latency","type":"number","operator":"\u003e=","value":1.5}`,
		`{"column":"startTime","type":"datetime","operator":"\u003c","value":"2024-01-01T00:00:00Z"}`,
		`{"column":"isRoot","type":"boolean","operator":"\u003c\u003e","value":true}`,
		`{"column":"userId","type":"null","operator":"is null","value":""}`,
		`{"column":"environment","type":"stringOptions","operator":"none of","value":["a","b"]}`,
		`{"column":"tags","type":"arrayOptions","operator":"all of","value":[]}`,
		`{"column":"s","type":"categoryOptions","operator":"any of","key":"k","value":["a"]}`,
		`{"column":"metadata","type":"stringObject","operator":"starts with","key":"k","value":"v"}`,
		`{"column":"metadata","type":"numberObject","operator":"=","key":"k","value":1}`,
		`{"column":"metadata","type":"booleanObject","operator":"=","key":"k","value":false}`,
	}
	written := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(strings.Join(filters, ","))
	bad := func(name, filter string, parts ...string) apitest.Scenario {
		return create("filter: "+name, with("filters", "["+filter+"]"), 400, append(parts, `"code":"invalid_body"`)...)
	}
	full := with("chartConfig",
		`{"type":"NUMBER","row_limit":5,"show_value_labels":true,"bins":7,"defaultSort":{"column":"c","order":"ASC"}}`)
	plain := create("plain", apitest.PlainWidget, 200,
		`"name":"w","description":"","view":"observations","dimensions":[],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"NUMBER","chartConfig":{"type":"NUMBER"}}`)
	for _, s := range []apitest.Scenario{
		plain,
		create("with a config", full, 200,
			`"chartConfig":{"type":"NUMBER","row_limit":5,"show_value_labels":true,"bins":7,"defaultSort":{"column":"c","order":"ASC"}}`),
		create("every type of filter", with("filters", "["+strings.Join(filters, ",")+"]"), 200, `"filters":[`+written+`]`),
		create("a filter on nothing", with("filters", `[{"column":"a","type":"null","operator":"is not null","value":null}]`), 200,
			`"operator":"is not null","value":""`),
		create("dimensions", with("dimensions", `[{"field":"name"}]`), 200, `"dimensions":[{"field":"name"}]`),
		create("nulls", with("description", "null"), 200),
		create("a config of another type", with("chartConfig", `{"type":"PIE"}`), 400, `"path":["chartConfig","type"]`,
			`"code":"invalid_body"`),
		create("an unknown member of the config", with("chartConfig", `{"x":1}`), 400, `"path":["chartConfig"]`),
		create("too many rows", with("chartConfig", `{"row_limit":1001}`), 400, `"path":["chartConfig","row_limit"]`,
			"expected number to be <=1000"),
		create("no bins", with("chartConfig", `{"bins":0}`), 400, "expected number to be >=1"),
		create("half a row", with("chartConfig", `{"row_limit":1.5}`), 400, "expected int"),
		create("no metrics", with("metrics", "[]"), 400, `Too small: expected array to have >=1 items`),
		create("an unknown aggregate", with("metrics", `[{"measure":"a","agg":"median"}]`), 400, `"path":["metrics",0,"agg"]`),
		create("an unknown measure", with("metrics", `[{"measure":"count","agg":"count"},{"measure":"nope","agg":"sum"}]`), 400,
			`"path":["metrics",1,"measure"],"message":"Invalid metric nope. Must be one of count,traceId,`, `"code":"invalid_body"`),
		create("an aggregate that does not fit", with("metrics", `[{"measure":"uniqueUserIds","agg":"sum"}]`), 400,
			`"path":["metrics",0,"measure"],"message":"Aggregation \"sum\" is not valid for measure \"uniqueUserIds\" (type: string). Valid aggregations: count, uniq"`),
		create("an unknown dimension", with("dimensions", `[{"field":"nope"}]`), 400,
			`"path":["dimensions",0,"field"],"message":"Invalid dimension nope. Must be one of id,`),
		create("fields that do not go together", with("dimensions", `[{"field":"costType"},{"field":"usageType"}]`), 400,
			apitest.BadBody(apitest.Custom(`[]`, "costType and usageType cannot be used in the same query."))),
		create("the view of older widgets", with("view", `"traces"`), 400, `"path":["view"]`),
		create("an unknown chart", with("chartType", `"X"`), 400, `"path":["chartType"]`),
		create("too many dimensions", with("dimensions", "["+strings.Repeat(`{"field":"a"},`, 50)+`{"field":"a"}]`), 400,
			"expected array to have <=50 items"),
		create("a long name", with("name", `"`+strings.Repeat("x", 501)+`"`), 400, "expected string to have <=500 characters"),
		bad("unknown type", `{"column":"a","type":"x","operator":"=","value":1}`, `"path":["filters",0,"type"]`),
		bad("unknown operator", `{"column":"a","type":"number","operator":"contains","value":1}`, `"path":["filters",0,"operator"]`),
		bad("wrong value", `{"column":"a","type":"number","operator":"=","value":"1"}`, "expected number, received string"),
		bad("no key", `{"column":"a","type":"stringObject","operator":"=","value":"1"}`, `"path":["filters",0,"key"]`),
		bad("a key too many", `{"column":"a","type":"string","operator":"=","value":"1","key":"k"}`, `"path":["filters",0,"key"]`),
		bad("no options", `{"column":"a","type":"stringOptions","operator":"any of","value":[]}`, "expected array to have >=1 items"),
		bad("an option that is no text", `{"column":"a","type":"arrayOptions","operator":"any of","value":[1]}`,
			`"path":["filters",0,"value",0]`),
		bad("no date", `{"column":"a","type":"datetime","operator":"=","value":"yesterday"}`, "Invalid ISO datetime"),
		bad("a value of nothing", `{"column":"a","type":"null","operator":"is null","value":"x"}`, `"path":["filters",0,"value"]`),
		bad("an unknown member", `{"column":"a","type":"null","operator":"is null","y":1}`, `"keys":["y"]`),
		create("too many filters", with("filters", "["+strings.Repeat(`{},`, 100)+`{}]`), 400, "expected array to have <=100 items"),
		create("nothing", `{}`, 400, `"code":"invalid_body"`, apitest.WrongType("name", "string", "undefined"),
			apitest.WrongType("metrics", "array", "undefined")),
		create("an unknown member", with("x", "1"), 400, apitest.UnknownMember),
		create("too large", with("description", `"`+strings.Repeat("x", 256<<10)+`"`), 413),
		create("no JSON", `{`, 400),
		{
			Name: "no permission", Method: "POST", Path: widgets, Key: "limited", Body: apitest.PlainWidget, Status: 403,
			Contains: []string{`"code":"access_denied"`, "project:admin"},
		},
		{
			Name: "no credentials", Method: "POST", Path: widgets, Status: 401,
			Want: `{"message":"No authorization header","code":"authentication_failed"}`,
		},
		{
			Name: "no such method", Method: "PUT", Path: widgets, Key: "project", Status: 405,
			Want: `{"message":"Method not allowed","code":"method_not_allowed"}`,
		},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestWidgets(t *testing.T) {
	f := apitest.New(t, nil)
	first, second := apitest.Made(t, f, widgets, apitest.PlainWidget), apitest.Made(t, f, widgets, strings.Replace(apitest.PlainWidget, `"w"`, `"second"`, 1))
	path := widgets + "/" + first
	change := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "PATCH", Path: path, Key: "project", Body: body, Status: status, Contains: parts}
	}
	board := apitest.Made(t, f, dashboardsPath,
		fmt.Sprintf(`{"name":"d","definition":{"widgets":[{"type":"widget","id":"p","widgetId":%q,"x":0,"y":0,"width":12,"height":1}]}}`,
			first))
	for _, s := range []apitest.Scenario{
		{
			Name: "list", Path: widgets, Key: "limited", Status: 200, Contains: []string{
				fmt.Sprintf(`{"data":[{"id":%q`, second), apitest.Meta(1, 50, 2, 1),
			},
		},
		{
			Name: "a page", Path: widgets + "?limit=1&page=2", Key: "project", Status: 200, Contains: []string{first, apitest.Meta(2, 1, 2, 2)},
			Missing: []string{second},
		},
		{
			Name: "no page", Path: widgets + "?limit=101", Key: "project", Status: 400,
			Want: apitest.BadQuery(`{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}`),
		},
		{Name: "another project", Path: widgets, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "get", Path: path, Key: "limited", Status: 200, Contains: []string{fmt.Sprintf(`{"id":%q,"createdAt":"2`, first)}},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noWidget},

		change("a name", `{"name":"new","view":null}`, 200, `"name":"new"`, `"view":"observations"`),
		change("a config", `{"chartConfig":{"row_limit":3}}`, 200, `"chartConfig":{"type":"NUMBER","row_limit":3}`),
		change("the same chart", `{"chartType":"NUMBER"}`, 200, `"chartConfig":{"type":"NUMBER","row_limit":3}`),
		change("another chart", `{"chartType":"PIE"}`, 200, `"chartType":"PIE","chartConfig":{"type":"PIE"}`),
		change("chart and config", `{"chartType":"HISTOGRAM","chartConfig":{"type":"HISTOGRAM","bins":9}}`, 200,
			`"chartConfig":{"type":"HISTOGRAM","bins":9}`),
		change("a config of another chart", `{"chartConfig":{"type":"PIE"}}`, 400, `"path":["chartConfig","type"]`),
		change("everything",
			`{"description":"d","view":"scores-numeric","dimensions":[{"field":"name"}],"metrics":[{"measure":"value","agg":"p99"}],"filters":[]}`, 200, `"description":"d","view":"scores-numeric","dimensions":[{"field":"name"}],"metrics":[{"measure":"value","agg":"p99"}]`),
		change("a view without the measure", `{"view":"scores-categorical"}`, 400,
			`"path":["metrics",0,"measure"],"message":"Invalid metric value. Must be one of count"`),
		change("nothing", `{}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("nulls", `{"name":null}`, 400, apitest.BadBody(apitest.NothingToDo)),
		change("an unknown member", `{"x":1}`, 400, apitest.BadBody(apitest.UnknownMember)),
		{Name: "it comes first now", Path: widgets + "?limit=1", Key: "project", Status: 200, Contains: []string{first}},
		{
			Name: "change one of another project", Method: "PATCH", Path: path, Key: "neighbour", Body: `{"name":"x"}`, Status: 404,
			Want: noWidget,
		},
		{Name: "change without permission", Method: "PATCH", Path: path, Key: "limited", Body: `{"name":"x"}`, Status: 403},

		{
			Name: "delete a placed one", Method: "DELETE", Path: path, Key: "project", Status: 409,
			Want: `{"message":"The widget is placed on a dashboard. Remove it from there first.","code":"conflict"}`,
		},
		{
			Name: "take it off", Method: "DELETE", Path: dashboardsPath + "/" + board + "/placements/p", Key: "project", Status: 200,
			Want: `{"message":"Dashboard placement successfully deleted"}`,
		},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noWidget},
		{
			Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200,
			Want: `{"message":"Dashboard widget successfully deleted"}`,
		},
		{Name: "delete again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: noWidget},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestDashboards(t *testing.T) {
	f := apitest.New(t, nil)
	widget := apitest.Made(t, f, widgets, apitest.PlainWidget)
	place := func(member, value string) string {
		p := `{"type":"widget","id":"a","widgetId":"WIDGET","x":0,"y":0,"width":6,"height":4}`
		for _, old := range []string{`"id":"a"`, `"widgetId":"WIDGET"`, `"x":0`, `"y":0`, `"width":6`, `"height":4`, `"type":"widget"`} {
			if strings.HasPrefix(old, `"`+member+`"`) {
				p = strings.Replace(p, old, `"`+member+`":`+value, 1)
			}
		}
		return p
	}
	create := func(name, body string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: dashboardsPath, Key: "project", Body: strings.ReplaceAll(body, "WIDGET", widget),
			Status: status, Contains: parts,
		}
	}
	of := func(placements ...string) string {
		return `{"name":"d","definition":{"widgets":[` + strings.Join(placements, ",") + `]}}`
	}
	preset := `{"type":"preset","id":"b","presetId":"home-traces","x":6,"y":0,"width":6,"height":4}`
	theirs := create("a widget of another project", of(place("", "")), 404, `"code":"resource_not_found"`, `"details":{"field":"widgetId"`)
	theirs.Key = "neighbour"
	for _, s := range []apitest.Scenario{
		create("plain", `{"name":"d"}`, 200, `"name":"d","description":"","definition":{"widgets":[]},"filters":[]}`),
		create("full",
			`{"name":"d","description":"e","filters":[{"column":"a","type":"boolean","operator":"=","value":true}],"definition":{"widgets":[`+place("", "")+","+preset+`]}}`, 200,
			`"definition":{"widgets":[{"type":"widget","id":"a","widgetId":"`+widget+`","x":0,"y":0,"width":6,"height":4},`+preset+`]}`,
			`"filters":[{"column":"a","type":"boolean","operator":"=","value":true}]`),
		create("an unknown widget", of(place("widgetId", `"nope"`)), 404, `"details":{"field":"widgetId","value":"nope"}`),
		theirs,
		create("an id twice", of(place("", ""), place("", "")), 400, "Duplicate placement id: a"),
		create("over the edge", of(place("x", "7")), 400, "x and width together must not exceed the 12 columns of the grid"),
		create("outside", of(place("x", "12")), 400, `"path":["definition","widgets",0,"x"]`, "<=11"),
		create("above", of(place("y", "-1")), 400, ">=0"),
		create("no width", of(place("width", "0")), 400, ">=1"),
		create("no height", of(place("height", "null")), 400, "expected number, received null"),
		create("no id", of(place("id", "null")), 400, "expected string, received null"),
		create("an unknown preset", of(strings.Replace(preset, "home-traces", "x", 1)), 400,
			`"path":["definition","widgets",0,"presetId"]`),
		create("an unknown kind", of(place("type", `"x"`)), 400, `"path":["definition","widgets",0,"type"]`),
		create("too many", of(strings.Repeat(`{},`, 200)+`{}`), 400, "expected array to have <=200 items"),
		create("nothing", `{}`, 400, apitest.BadBody(apitest.WrongType("name", "string", "undefined"))),
		create("no object", `[]`, 400, `expected object, received array`),
		create("an unknown member", `{"name":"d","x":1}`, 400, apitest.BadBody(apitest.UnknownMember)),
	} {
		t.Run("create "+s.Name, func(t *testing.T) { f.Run(t, s) })
	}

	f = apitest.New(t, nil)
	widget = apitest.Made(t, f, widgets, apitest.PlainWidget)
	first, second := apitest.Made(t, f, dashboardsPath, `{"name":"first"}`), apitest.Made(t, f, dashboardsPath, `{"name":"second"}`)
	path := dashboardsPath + "/" + first
	request := func(name, method, end, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: method, Path: path + end, Key: "project", Body: strings.ReplaceAll(body, "WIDGET", widget), Status: status,
			Want: strings.ReplaceAll(want, "WIDGET", widget),
		}
	}
	place1 := `{"type":"widget","id":"a","widgetId":"WIDGET","x":0,"y":0,"width":6,"height":6}`
	generated := request("generated", "POST", "/placements", `{"type":"preset","presetId":"home-users"}`, 200, "")
	generated.Contains = []string{`"presetId":"home-users","x":0,"y":16,"width":6,"height":6}`}
	narrow := request("at the edge", "POST", "/placements", `{"type":"preset","presetId":"home-users","x":9,"id":"c"}`, 200,
		`{"type":"preset","id":"c","presetId":"home-users","x":9,"y":22,"width":3,"height":6}`)
	unknown := request("of an unknown widget", "POST", "/placements", `{"type":"widget","widgetId":"nope"}`, 404,
		`{"message":"Dashboard widget not found within authorized project","code":"resource_not_found","details":{"field":"widgetId","value":"nope"}}`)
	for _, s := range []apitest.Scenario{
		{
			Name: "list", Path: dashboardsPath, Key: "limited", Status: 200, Contains: []string{
				fmt.Sprintf(`{"data":[{"id":%q`, second), apitest.Meta(1, 50, 2, 1),
			},
		},
		{Name: "list badly", Path: dashboardsPath + "?page=0", Key: "project", Status: 400, Contains: []string{`"code":"invalid_query"`}},
		{Name: "get", Path: path, Key: "limited", Status: 200, Contains: []string{`"name":"first"`}},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: noDashboard},

		request("put a widget on it", "POST", "/placements", `{"type":"widget","id":"a","widgetId":"WIDGET"}`, 200, place1),
		request("the same id again", "POST", "/placements", `{"type":"widget","id":"a","widgetId":"WIDGET"}`, 409,
			`{"message":"The dashboard has a placement with this id already","code":"conflict","details":{"field":"id","value":"a"}}`),
		request("in a place", "POST", "/placements", `{"type":"widget","id":"b","widgetId":"WIDGET","x":2,"y":6,"width":3,"height":10}`,
			200, `{"type":"widget","id":"b","widgetId":"WIDGET","x":2,"y":6,"width":3,"height":10}`),
		generated, narrow, unknown,
		request("too wide", "POST", "/placements", `{"type":"preset","presetId":"home-users","x":9,"width":4}`, 400,
			apitest.BadBody(apitest.Custom("[]", "x and width together must not exceed the 12 columns of the grid"))),
		request("without a widget", "POST", "/placements", `{"type":"widget"}`, 400, apitest.BadBody(apitest.WrongType("widgetId", "string", "undefined"))),
		request("a preset and a widget", "POST", "/placements", `{"type":"widget","widgetId":"WIDGET","presetId":"home-users"}`, 400,
			apitest.BadBody(apitest.WrongType("presetId", "undefined", "string"))),
		request("move", "PATCH", "/placements/a", `{"x":6,"y":3}`, 200,
			`{"type":"widget","id":"a","widgetId":"WIDGET","x":6,"y":3,"width":6,"height":6}`),
		request("resize", "PATCH", "/placements/a", `{"width":2,"height":1,"x":null}`, 200,
			`{"type":"widget","id":"a","widgetId":"WIDGET","x":6,"y":3,"width":2,"height":1}`),
		request("move over the edge", "PATCH", "/placements/a", `{"x":11}`, 400,
			apitest.BadBody(apitest.Custom("[]", "x and width together must not exceed the 12 columns of the grid"))),
		request("move nowhere", "PATCH", "/placements/a", `{}`, 400, apitest.BadBody(apitest.NothingToDo)),
		request("another widget", "PATCH", "/placements/a", `{"x":1,"widgetId":"y"}`, 400,
			apitest.BadBody(`{"code":"unrecognized_keys","keys":["widgetId"],"path":[],"message":"Unrecognized key: \"widgetId\""}`)),
		request("move an unknown one", "PATCH", "/placements/nope", `{"x":1}`, 404, noSuchPlace),
		request("remove an unknown one", "DELETE", "/placements/nope", "", 404, noSuchPlace),
		request("remove", "DELETE", "/placements/a", "", 200, `{"message":"Dashboard placement successfully deleted"}`),
		{
			Name: "place on one of another project", Method: "POST", Path: path + "/placements", Key: "neighbour",
			Body: `{"type":"preset","presetId":"home-users"}`, Status: 404, Want: noDashboard,
		},
		{Name: "place without permission", Method: "POST", Path: path + "/placements", Key: "limited", Body: `{}`, Status: 403},
		{Name: "it comes first now", Path: dashboardsPath + "?limit=1", Key: "project", Status: 200, Contains: []string{first}},

		request("change nothing", "PATCH", "", `{"filters":null}`, 400, apitest.BadBody(apitest.NothingToDo)),
		{
			Name: "change", Method: "PATCH", Path: path, Key: "project",
			Body: `{"name":"new","description":"d","filters":[],"definition":{"widgets":[]}}`, Status: 200,
			Contains: []string{`"name":"new","description":"d","definition":{"widgets":[]},"filters":[]}`},
		},
		{
			Name: "change one of another project", Method: "PATCH", Path: path, Key: "neighbour", Body: `{"name":"x"}`, Status: 404,
			Want: noDashboard,
		},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: noDashboard},
		request("delete", "DELETE", "", "", 200, `{"message":"Dashboard successfully deleted"}`),
		request("delete again", "DELETE", "", "", 404, noDashboard),
		{Name: "the widget stays", Path: widgets + "/" + widget, Key: "project", Status: 200},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestFullDashboard(t *testing.T) {
	f := apitest.New(t, nil)
	var placements []string
	for n := range dashboards.MaxPlacements {
		placements = append(placements, fmt.Sprintf(`{"type":"preset","id":"%d","presetId":"home-users","x":0,"y":%d,"width":1,"height":1}`,
			n, n))
	}
	board := apitest.Made(t, f, dashboardsPath, `{"name":"d","definition":{"widgets":[`+strings.Join(placements, ",")+`]}}`)
	full := `{"message":"The dashboard is full: it may have 200 placements, on 100000 rows","code":"conflict"}`
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: dashboardsPath + "/" + board + "/placements", Key: "project",
		Body: `{"type":"preset","presetId":"home-users"}`, Status: 409, Want: full,
	})
	low := apitest.Made(t, f, dashboardsPath,
		`{"name":"d","definition":{"widgets":[{"type":"preset","id":"1","presetId":"home-users","x":0,"y":100000,"width":1,"height":1}]}}`)
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: dashboardsPath + "/" + low + "/placements", Key: "project", Body: `{"type":"preset","presetId":"home-users"}`,
		Status: 409, Want: full,
	})
}
