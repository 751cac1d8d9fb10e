package settings_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest"
)

const modelsPath = "/api/public/models"

const (
	largeTierIn = `{"name":"Large","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000}],"prices":{"output":4,"input":3}}`
)

// sentModel is a model as a client receives it.
type sentModel struct {
	ID, ModelName string
	BuiltIn       bool `json:"isLangfuseManaged"`
	PricingTiers  []struct{ ID string }
}

func TestCreateModel(t *testing.T) {
	request := func(name, body string, status int, want string, contains ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: modelsPath, Key: "project", Body: body, Status: status, Want: want, Contains: contains,
		}
	}
	created := func(name, body string, contains ...string) apitest.Scenario {
		return request(name, body, 200, "", contains...)
	}
	refused := func(name, body string, issues ...string) apitest.Scenario {
		return request(name, body, 400, apitest.Invalid(issues...))
	}
	says := func(name, body string, parts ...string) apitest.Scenario {
		return request(name, body, 400, "", parts...)
	}
	flat := func(members string) string {
		return `{"modelName":"m","matchPattern":"^m$","unit":"TOKENS"` + members + `}`
	}
	tier := func(members string) string {
		return `{"name":"T","isDefault":false,"priority":7,"conditions":[{"source":"metadata","key":"k","operator":"in","values":["v"]}],"prices":{"input":1,"output":2}` + members + `}`
	}
	condition := func(text string) string {
		return apitest.Tiered(apitest.DefaultTierIn, `{"name":"T","isDefault":false,"priority":7,"conditions":[`+text+`],"prices":{"input":1,"output":2}}`)
	}
	units := `["CHARACTERS","TOKENS","MILLISECONDS","SECONDS","IMAGES","REQUESTS"]`
	const missing = "Prices are missing: give pricingTiers, or inputPrice and outputPrice, or totalPrice"
	apitest.Run(t, []apitest.Scenario{
		created("flat prices", flat(`,"inputPrice":4e-7,"outputPrice":0,"unknown":1`),
			`"modelName":"m","matchPattern":"^m$","startDate":null,"tokenizerId":null,"tokenizerConfig":null,"unit":"TOKENS","inputPrice":4e-7,"outputPrice":0,"totalPrice":null,"prices":{"input":{"price":4e-7},"output":{"price":0}},"isLangfuseManaged":false,"pricingTiers":[{"id":"`,
			`_tier_default","name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":4e-7,"output":0}}]}`),
		created("a total price", flat(`,"totalPrice":0.5,"inputPrice":null,"pricingTiers":null`),
			`"inputPrice":null,"outputPrice":null,"totalPrice":0.5,"prices":{"total":{"price":0.5}}`),
		created("everything",
			flat(`,"inputPrice":1,"startDate":"2026-01-02T03:04:05+01:00","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel": "gpt-4", "x": [1]}`),
			`"startDate":"2026-01-02T02:04:05.000Z","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel":"gpt-4","x":[1]}`),
		created("tiers", apitest.Tiered(largeTierIn, apitest.DefaultTierIn, tier(``)),
			`"inputPrice":1,"outputPrice":2,"totalPrice":null,"prices":{"input":{"price":1},"output":{"price":2}}`,
			`"name":"Large","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000,"caseSensitive":false}],"prices":{"input":3,"output":4}}`,
			`"conditions":[{"source":"metadata","key":"k","operator":"in","values":["v"]}]`),
		created("names are trimmed", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `"Standard"`, `"  Basic  "`, 1)), `"name":"Basic"`),
		created("the name of a built-in model", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":"gpt-4o"`, 1),
			`"modelName":"gpt-4o"`, `"isLangfuseManaged":false`),

		refused("no prices", flat(``), apitest.Custom("[]", missing)),
		refused("prices that are null", flat(`,"inputPrice":null,"outputPrice":null,"totalPrice":null,"pricingTiers":null`),
			apitest.Custom("[]", missing)),
		refused("both kinds of prices", strings.Replace(apitest.Tiered(apitest.DefaultTierIn), `"unit"`, `"inputPrice":1,"unit"`, 1),
			apitest.Custom("[]", "Give either pricingTiers or inputPrice, outputPrice and totalPrice, not both")),
		refused("a total and an input price", flat(`,"totalPrice":1,"inputPrice":1`),
			apitest.Custom(`["totalPrice"]`, "totalPrice excludes inputPrice and outputPrice")),
		refused("a total and an output price", flat(`,"totalPrice":1,"outputPrice":0`),
			apitest.Custom(`["totalPrice"]`, "totalPrice excludes inputPrice and outputPrice")),
		says("a negative price", flat(`,"inputPrice":-1`), `"path":["inputPrice"],"message":"Too small: expected number to be >=0"`),
		says("a price that is a text", flat(`,"inputPrice":"1"`),
			`"path":["inputPrice"],"message":"Invalid input: expected number, received string"`),
		refused("nothing", `{}`, apitest.WrongType("modelName", "string", "undefined"), apitest.WrongType("matchPattern", "string", "undefined"),
			`{"code":"invalid_value","values":`+units+
				`,"path":["unit"],"message":"Invalid option: expected one of \"CHARACTERS\"|\"TOKENS\"|\"MILLISECONDS\"|\"SECONDS\"|\"IMAGES\"|\"REQUESTS\""}`),
		says("a unit that is null", strings.Replace(flat(`,"inputPrice":1`), `"TOKENS"`, `null`, 1), `"path":["unit"]`),
		says("an empty name", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":""`, 1),
			`"path":["modelName"],"message":"Too small`),
		says("a long name", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":"`+strings.Repeat("x", 501)+`"`, 1),
			`"path":["modelName"],"message":"Too big: expected string to have <=500 characters"`),
		says("no regular expression", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"["`, 1),
			`"path":["matchPattern"],"message":"Pattern \"[\" is not a regular expression`),
		says("a look-ahead", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"(?=x)"`, 1),
			`"path":["matchPattern"],"message":"Pattern \"(?=x)\" is not a regular expression`),
		says("a large pattern", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"(a{100}){9}b{200}"`, 1), `is too large`),
		says("a long pattern", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"`+strings.Repeat("x", 2001)+`"`, 1),
			`Too big: expected string to have <=2000 characters`),
		says("no date", flat(`,"inputPrice":1,"startDate":"tomorrow"`), `"path":["startDate"]`),
		says("an unknown tokenizer", flat(`,"inputPrice":1,"tokenizerId":"other"`),
			`"path":["tokenizerId"],"message":"Invalid option: expected one of \"openai\"|\"claude\""`),
		refused("a long tokenizer config", flat(`,"inputPrice":1,"tokenizerConfig":"`+strings.Repeat("x", 10_000)+`"`),
			apitest.Custom(`["tokenizerConfig"]`, "tokenizerConfig is longer than 10000 bytes")),

		says("no tiers", apitest.Tiered(), `"path":["pricingTiers"],"message":"Too small: expected array to have >=1 items"`),
		says("too many tiers", apitest.Tiered(slices.Repeat([]string{apitest.DefaultTierIn}, 51)...),
			`"path":["pricingTiers"],"message":"Too big: expected array to have <=50 items"`),
		refused("no default tier", apitest.Tiered(largeTierIn), apitest.Custom(`["pricingTiers"]`, "Exactly one tier is the default one")),
		refused("two default tiers", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(apitest.DefaultTierIn, "Standard", "Other", 1)),
			apitest.Custom(`["pricingTiers",1]`, "Duplicate tier priority: 0")),
		refused("a default tier with another priority", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `"priority":0`, `"priority":1`, 1)),
			apitest.Custom(`["pricingTiers",0]`, "The default tier has priority 0 and no conditions")),
		refused("a default tier with a condition", apitest.Tiered(strings.Replace(largeTierIn, `false,"priority":1`, `true,"priority":0`, 1)),
			apitest.Custom(`["pricingTiers",0]`, "The default tier has priority 0 and no conditions")),
		refused("another tier without a condition",
			apitest.Tiered(apitest.DefaultTierIn, `{"name":"T","isDefault":false,"priority":7,"conditions":[],"prices":{"input":1,"output":1}}`),
			apitest.Custom(`["pricingTiers",1]`, "A tier that is not the default one needs at least one condition")),
		refused("a name twice", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(largeTierIn, `"Large"`, `" Standard"`, 1)),
			apitest.Custom(`["pricingTiers",1]`, "Duplicate tier name: Standard")),
		refused("a priority twice", apitest.Tiered(apitest.DefaultTierIn, largeTierIn, strings.Replace(tier(``), `"priority":7`, `"priority":1`, 1)),
			apitest.Custom(`["pricingTiers",2]`, "Duplicate tier priority: 1")),
		refused("other usage types", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(largeTierIn, `"output":4`, `"total":4`, 1)),
			apitest.Custom(`["pricingTiers",1]`, "All tiers have prices for the same usage types")),
		refused("fewer usage types", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(largeTierIn, `"output":4,`, ``, 1)),
			apitest.Custom(`["pricingTiers",1]`, "All tiers have prices for the same usage types")),
		refused("no prices in a tier", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `{"input":1,"output":2}`, `{}`, 1)),
			apitest.Custom(`["pricingTiers",0,"prices"]`, "A tier has from 1 to 200 prices")),
		says("a negative price in a tier", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `"input":1`, `"input":-1`, 1)),
			`"path":["pricingTiers",0,"prices","input"],"message":"Too small`),
		refused("a usage type without a name", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `"input":1`, `"":1`, 1)),
			apitest.Custom(`["pricingTiers",0,"prices",""]`, "A usage type has from 1 to 200 bytes")),
		says("a long name of a tier", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `Standard`, strings.Repeat("x", 101), 1)),
			`"path":["pricingTiers",0,"name"],"message":"Too big: expected string to have <=100 characters"`),
		says("a blank name of a tier", apitest.Tiered(strings.Replace(apitest.DefaultTierIn, `Standard`, `  `, 1)),
			`"path":["pricingTiers",0,"name"],"message":"Too small`),
		says("a large priority", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(largeTierIn, `"priority":1`, `"priority":1000`, 1)),
			`"path":["pricingTiers",1,"priority"],"message":"Too big: expected number to be <=999"`),
		says("a priority with a fraction", apitest.Tiered(apitest.DefaultTierIn, strings.Replace(largeTierIn, `"priority":1`, `"priority":1.5`, 1)),
			`"path":["pricingTiers",1,"priority"],"message":"Invalid input: expected int`),
		says("a tier of nothing", apitest.Tiered(`{}`), `["pricingTiers",0,"name"]`, `["pricingTiers",0,"isDefault"]`,
			`["pricingTiers",0,"priority"]`, `["pricingTiers",0,"conditions"]`, `["pricingTiers",0,"prices"]`),
		says("a tier that is none", apitest.Tiered(`3`), `"path":["pricingTiers",0],"message":"Invalid input: expected object, received number"`),
		says("tiers that are no list", `{"modelName":"m","matchPattern":"m","unit":"TOKENS","pricingTiers":{}}`,
			`"path":["pricingTiers"],"message":"Invalid input: expected array, received object"`),
		says("a condition without a pattern", condition(`{"operator":"gt","value":1}`),
			`"path":["pricingTiers",1,"conditions",0,"usageDetailPattern"]`),
		says("a condition whose pattern is wrong", condition(`{"usageDetailPattern":"(","operator":"gt","value":1}`),
			`is not a regular expression`),
		says("a condition whose pattern is long",
			condition(`{"usageDetailPattern":"`+strings.Repeat("x", 201)+`","operator":"gt","value":1}`),
			`Too big: expected string to have <=200 characters`),
		says("a condition with a negative value", condition(`{"usageDetailPattern":"x","operator":"gt","value":-1}`),
			`"path":["pricingTiers",1,"conditions",0,"value"],"message":"Too small`),
		says("an unknown operator", condition(`{"usageDetailPattern":"x","operator":"==","value":1}`),
			`"path":["pricingTiers",1,"conditions",0,"operator"]`),
		says("an unknown source", condition(`{"source":"input","key":"k","operator":"in","values":["v"]}`),
			`"path":["pricingTiers",1,"conditions",0,"source"]`),
		says("another operator on an attribute", condition(`{"source":"metadata","key":"k","operator":"eq","values":["v"]}`),
			`"path":["pricingTiers",1,"conditions",0,"operator"]`),
		says("no values", condition(`{"source":"metadata","key":"k","operator":"in","values":[]}`),
			`"path":["pricingTiers",1,"conditions",0,"values"]`),
		says("values that are no texts", condition(`{"source":"metadata","key":"k","operator":"in","values":[1]}`),
			`"path":["pricingTiers",1,"conditions",0,"values",0]`),
		says("too many conditions",
			condition(strings.Join(slices.Repeat([]string{`{"usageDetailPattern":"x","operator":"gt","value":1}`}, 21), ",")),
			`"path":["pricingTiers",1,"conditions"],"message":"Too big: expected array to have <=20 items"`),
		refused("patterns that are large together",
			condition(strings.Join(slices.Repeat([]string{`{"usageDetailPattern":"a{400}","operator":"gt","value":1}`}, 3), ",")),
			apitest.Custom("[]", "The patterns of the model are too large together: write fewer conditions, repetitions and alternatives")),

		{Name: "no object", Method: "POST", Path: modelsPath, Key: "project", Body: `[]`, Status: 400},
		{Name: "no permission", Method: "POST", Path: modelsPath, Key: "limited", Body: flat(`,"inputPrice":1`), Status: 403},
		{Name: "an organization key", Method: "POST", Path: modelsPath, Key: "organization", Body: flat(`,"inputPrice":1`), Status: 403},
	})
}

func TestModelOfOwn(t *testing.T) {
	f := apitest.New(t, nil)
	body := func(name string) string {
		return `{"modelName":"` + name + `","matchPattern":"x","unit":"TOKENS","inputPrice":1}`
	}
	own := apitest.Send[sentModel](t, f, apitest.Scenario{Method: "POST", Path: modelsPath, Key: "project", Body: apitest.Tiered(apitest.DefaultTierIn, largeTierIn)})
	apitest.Send[sentModel](t, f, apitest.Scenario{Method: "POST", Path: modelsPath, Key: "project", Body: body("taken")})
	builtIn, _ := f.Prices.Defaults().Match("gpt-4o")
	const (
		notFound = `{"message":"Model not found within authorized project","error":"LangfuseNotFoundError"}`
		notOwn   = `{"message":"No model with this id found. Built-in models cannot be changed: override them with a model of the same name.","error":"LangfuseNotFoundError"}`
		taken    = `{"message":"Model name 'taken' already exists in project","error":"InvalidRequestError"}`
	)
	path := modelsPath + "/" + own.ID
	for _, s := range []apitest.Scenario{
		{Name: "a name twice", Method: "POST", Path: modelsPath, Key: "project", Body: body("taken"), Status: 400, Want: taken},
		{Name: "another project has the name", Method: "POST", Path: modelsPath, Key: "neighbour", Body: body("taken"), Status: 200},
		{
			Name: "get", Path: path, Key: "limited", Status: 200, Contains: []string{
				`{"id":"` + own.ID + `","createdAt":"20`, `"isLangfuseManaged":false`,
			},
		},
		{Name: "get a built-in one", Path: modelsPath + "/" + builtIn.ID, Key: "project", Status: 200, Contains: []string{
			`{"id":"` + builtIn.ID + `","createdAt":"1970-01-01T00:00:00.000Z","modelName":"gpt-4o"`, `"startDate":null`, `"unit":null`,
			`"inputPrice":0.0000025,"outputPrice":0.00001`, `"isLangfuseManaged":true`,
		}},
		{Name: "get an unknown one", Path: modelsPath + "/nope", Key: "project", Status: 404, Want: notFound},
		{Name: "get one of another project", Path: path, Key: "neighbour", Status: 404, Want: notFound},
		{Name: "replace", Method: "PUT", Path: path, Key: "project", Body: strings.Replace(apitest.Tiered(largeTierIn, apitest.DefaultTierIn), `"m"`,
			`"renamed"`, 1), Status: 200, Contains: []string{
			`{"id":"` + own.ID + `"`, `"modelName":"renamed"`, `"pricingTiers":[{"id":"` + own.PricingTiers[1].ID + `","name":"Large"`,
			`{"id":"` + own.ID + `_tier_default"`,
		}},
		{
			Name: "replace with a name that is taken", Method: "PUT", Path: path, Key: "project", Body: body("taken"), Status: 400,
			Want: taken,
		},
		{Name: "replace with nothing", Method: "PUT", Path: path, Key: "project", Body: `{}`, Status: 400},
		{
			Name: "replace an unknown one", Method: "PUT", Path: modelsPath + "/nope", Key: "project", Body: body("n"), Status: 404,
			Want: notOwn,
		},
		{
			Name: "replace a built-in one", Method: "PUT", Path: modelsPath + "/" + builtIn.ID, Key: "project", Body: body("n"),
			Status: 404, Want: notOwn,
		},
		{Name: "replace one of another project", Method: "PUT", Path: path, Key: "neighbour", Body: body("n"), Status: 404, Want: notOwn},
		{Name: "replace without permission", Method: "PUT", Path: path, Key: "limited", Body: body("n"), Status: 403},
		{Name: "delete an unknown one", Method: "DELETE", Path: modelsPath + "/nope", Key: "project", Status: 404, Want: notOwn},
		{Name: "delete a built-in one", Method: "DELETE", Path: modelsPath + "/" + builtIn.ID, Key: "project", Status: 404, Want: notOwn},
		{Name: "delete one of another project", Method: "DELETE", Path: path, Key: "neighbour", Status: 404, Want: notOwn},
		{Name: "delete without permission", Method: "DELETE", Path: path, Key: "limited", Status: 403},
		{Name: "delete", Method: "DELETE", Path: path, Key: "project", Status: 200, Want: `{"message":"Model successfully deleted"}`},
		{Name: "delete it again", Method: "DELETE", Path: path, Key: "project", Status: 404, Want: notOwn},
		{Name: "patch", Method: "PATCH", Path: path, Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestListModels(t *testing.T) {
	f := apitest.New(t, nil)
	type page struct {
		Data []sentModel
		Meta struct{ Page, Limit, TotalItems, TotalPages int }
	}
	for _, name := range []string{"gpt-4o", "aaa"} {
		apitest.Send[sentModel](t, f, apitest.Scenario{
			Method: "POST", Path: modelsPath, Key: "project",
			Body: `{"modelName":"` + name + `","matchPattern":"x","unit":"TOKENS","inputPrice":1}`,
		})
	}
	builtIn := len(f.Prices.Defaults().Models())
	var all []sentModel
	for number := 1; ; number++ {
		got := apitest.Send[page](t, f, apitest.Scenario{Path: fmt.Sprintf("%s?page=%d&limit=100", modelsPath, number), Key: "limited"})
		if len(got.Data) == 0 {
			break
		}
		if got.Meta.TotalItems != builtIn+2 || got.Meta.TotalPages != (builtIn+2+99)/100 {
			t.Errorf("the meta is %+v", got.Meta)
		}
		all = append(all, got.Data...)
	}
	if len(all) != builtIn+2 || !slices.IsSortedFunc(all, func(a, b sentModel) int { return strings.Compare(a.ModelName, b.ModelName) }) {
		t.Errorf("%d models, want %d in the order of their names", len(all), builtIn+2)
	}
	if all[0].ModelName != "aaa" || all[0].BuiltIn {
		t.Errorf("the first is %+v", all[0])
	}
	for n, m := range all {
		if m.ModelName == "gpt-4o" && m.BuiltIn != (all[n-1].ModelName == "gpt-4o") {
			t.Errorf("%d is %+v: a definition without a unit comes last", n, m)
		}
	}
	for _, s := range []apitest.Scenario{
		{
			Name: "another project", Path: modelsPath + "?limit=1", Key: "neighbour", Status: 200,
			Contains: []string{`"modelName":"babbage-002","matchPattern":"(?i)^(babbage-002)$"`, fmt.Sprintf(`"totalItems":%d`, builtIn)},
		},
		{
			Name: "far behind the end", Path: modelsPath + "?page=1000000000000&limit=100", Key: "project", Status: 200,
			Contains: []string{`{"data":[],`},
		},
		{Name: "invalid", Path: modelsPath + "?page=0&limit=101", Key: "project", Status: 400},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestTooManyModels(t *testing.T) {
	f := apitest.New(t, nil)
	for n := range catalog.MaxModels {
		if _, err := f.Catalog.ModelDefinitions.Create(t.Context(), domain.OfProject("project-a"),
			domain.Model{Name: strconv.Itoa(n), MatchPattern: "x"}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: modelsPath, Key: "project", Body: apitest.Tiered(apitest.DefaultTierIn), Status: 400,
		Want: `{"message":"A project has at most 500 model definitions of its own","error":"InvalidRequestError"}`,
	})
}

// TestOwnPrices sends spans before and after changes of a project's definitions: each has the prices in force when it
// was sent.
func TestOwnPrices(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Ingest = apitest.NewPipeline(t, o.Store.Observations(), o.Registry, o.Log, func(i *ingest.Options) { i.Prices = o.Prices })
	})
	type row struct {
		ModelID, UsagePricingTierID, InputPrice *string
		TotalCost                               *float64
	}
	type answer struct{ Data []row }
	spans := 0
	price := func(key string) row {
		t.Helper()
		spans++
		id := fmt.Sprintf("%016x", spans)
		attributes := `[{"key":"langfuse.observation.type","value":{"stringValue":"generation"}},{"key":"langfuse.observation.model.name","value":{"stringValue":"gpt-4o"}},{"key":"langfuse.observation.usage_details","value":{"stringValue":"{\"input\":1000}"}}]`
		span := `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"` + id +
			`","name":"s","startTimeUnixNano":"1767225600123456789","attributes":` + attributes + `}`
		apitest.Send[any](t, f, apitest.Scenario{
			Method: "POST", Path: tracesPath, Key: key, Body: `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"test"},"spans":[` +
				span + `]}]}]}`,
		})
		filter := `[{"type":"string","column":"id","operator":"=","value":"` + id + `"}]`
		got := apitest.Send[answer](t, f, apitest.Scenario{
			Path: "/api/public/v2/observations?fields=core,model,usage&filter=" + url.QueryEscape(filter), Key: key,
		})
		if len(got.Data) != 1 {
			t.Fatalf("%d rows", len(got.Data))
		}
		return got.Data[0]
	}
	check := func(name string, got row, model string, cost float64, inputPrice string) {
		t.Helper()
		if got.ModelID == nil || *got.ModelID != model || got.TotalCost == nil || *got.TotalCost != cost || got.InputPrice == nil ||
			*got.InputPrice != inputPrice {
			text, _ := json.Marshal(got)
			t.Errorf("%s: %s, want model %s, cost %v and price %s", name, text, model, cost, inputPrice)
		}
	}
	builtIn, _ := f.Prices.Defaults().Match("gpt-4o")
	check("built in", price("project"), builtIn.ID, 0.0025, "0.0000025")

	body := func(price string) string {
		return `{"modelName":"gpt-4o","matchPattern":"^gpt-4o$","unit":"TOKENS","inputPrice":` + price + `}`
	}
	own := apitest.Send[sentModel](t, f, apitest.Scenario{Method: "POST", Path: modelsPath, Key: "project", Body: body("2")})
	check("own", price("project"), own.ID, 2000, "2")
	check("of another project", price("neighbour"), builtIn.ID, 0.0025, "0.0000025")
	apitest.Send[sentModel](t, f, apitest.Scenario{Method: "PUT", Path: modelsPath + "/" + own.ID, Key: "project", Body: body("3")})
	check("replaced", price("project"), own.ID, 3000, "3")
	apitest.Send[any](t, f, apitest.Scenario{Method: "DELETE", Path: modelsPath + "/" + own.ID, Key: "project"})
	check("deleted", price("project"), builtIn.ID, 0.0025, "0.0000025")
}

const tracesPath = "/api/public/otel/v1/traces"
