package httpapi

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
	"almanac/internal/ingest"
)

const modelsPath = "/api/public/models"

// tiered returns the body of a model with these tiers.
func tiered(tiers ...string) string {
	return `{"modelName":"m","matchPattern":"^m$","unit":"TOKENS","pricingTiers":[` + strings.Join(tiers, ",") + `]}`
}

const (
	defaultTierIn = `{"name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":1,"output":2}}`
	largeTierIn   = `{"name":"Large","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000}],"prices":{"output":4,"input":3}}`
)

// sentModel is a model as a client receives it.
type sentModel struct {
	ID, ModelName string
	BuiltIn       bool `json:"isLangfuseManaged"`
	PricingTiers  []struct{ ID string }
}

func TestCreateModel(t *testing.T) {
	request := func(name, body string, status int, want string, contains ...string) scenario {
		return scenario{name: name, method: "POST", path: modelsPath, key: "project", body: body, status: status, want: want, contains: contains}
	}
	created := func(name, body string, contains ...string) scenario { return request(name, body, 200, "", contains...) }
	refused := func(name, body string, issues ...string) scenario {
		return request(name, body, 400, invalid(issues...))
	}
	says := func(name, body string, parts ...string) scenario { return request(name, body, 400, "", parts...) }
	flat := func(members string) string {
		return `{"modelName":"m","matchPattern":"^m$","unit":"TOKENS"` + members + `}`
	}
	tier := func(members string) string {
		return `{"name":"T","isDefault":false,"priority":7,"conditions":[{"source":"metadata","key":"k","operator":"in","values":["v"]}],"prices":{"input":1,"output":2}` + members + `}`
	}
	condition := func(text string) string {
		return tiered(defaultTierIn, `{"name":"T","isDefault":false,"priority":7,"conditions":[`+text+`],"prices":{"input":1,"output":2}}`)
	}
	units := `["CHARACTERS","TOKENS","MILLISECONDS","SECONDS","IMAGES","REQUESTS"]`
	const missing = "Prices are missing: give pricingTiers, or inputPrice and outputPrice, or totalPrice"
	runScenarios(t, []scenario{
		created("flat prices", flat(`,"inputPrice":4e-7,"outputPrice":0,"unknown":1`),
			`"modelName":"m","matchPattern":"^m$","startDate":null,"tokenizerId":null,"tokenizerConfig":null,"unit":"TOKENS","inputPrice":4e-7,"outputPrice":0,"totalPrice":null,"prices":{"input":{"price":4e-7},"output":{"price":0}},"isLangfuseManaged":false,"pricingTiers":[{"id":"`,
			`_tier_default","name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":4e-7,"output":0}}]}`),
		created("a total price", flat(`,"totalPrice":0.5,"inputPrice":null,"pricingTiers":null`), `"inputPrice":null,"outputPrice":null,"totalPrice":0.5,"prices":{"total":{"price":0.5}}`),
		created("everything", flat(`,"inputPrice":1,"startDate":"2026-01-02T03:04:05+01:00","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel": "gpt-4", "x": [1]}`),
			`"startDate":"2026-01-02T02:04:05.000Z","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel":"gpt-4","x":[1]}`),
		created("tiers", tiered(largeTierIn, defaultTierIn, tier(``)),
			`"inputPrice":1,"outputPrice":2,"totalPrice":null,"prices":{"input":{"price":1},"output":{"price":2}}`,
			`"name":"Large","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000,"caseSensitive":false}],"prices":{"input":3,"output":4}}`,
			`"conditions":[{"source":"metadata","key":"k","operator":"in","values":["v"]}]`),
		created("names are trimmed", tiered(strings.Replace(defaultTierIn, `"Standard"`, `"  Basic  "`, 1)), `"name":"Basic"`),
		created("the name of a built-in model", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":"gpt-4o"`, 1), `"modelName":"gpt-4o"`, `"isLangfuseManaged":false`),

		refused("no prices", flat(``), custom("[]", missing)),
		refused("prices that are null", flat(`,"inputPrice":null,"outputPrice":null,"totalPrice":null,"pricingTiers":null`), custom("[]", missing)),
		refused("both kinds of prices", strings.Replace(tiered(defaultTierIn), `"unit"`, `"inputPrice":1,"unit"`, 1),
			custom("[]", "Give either pricingTiers or inputPrice, outputPrice and totalPrice, not both")),
		refused("a total and an input price", flat(`,"totalPrice":1,"inputPrice":1`), custom(`["totalPrice"]`, "totalPrice excludes inputPrice and outputPrice")),
		refused("a total and an output price", flat(`,"totalPrice":1,"outputPrice":0`), custom(`["totalPrice"]`, "totalPrice excludes inputPrice and outputPrice")),
		says("a negative price", flat(`,"inputPrice":-1`), `"path":["inputPrice"],"message":"Too small: expected number to be >=0"`),
		says("a price that is a text", flat(`,"inputPrice":"1"`), `"path":["inputPrice"],"message":"Invalid input: expected number, received string"`),
		refused("nothing", `{}`, wrongType("modelName", "string", "undefined"), wrongType("matchPattern", "string", "undefined"),
			`{"code":"invalid_value","values":`+units+`,"path":["unit"],"message":"Invalid option: expected one of \"CHARACTERS\"|\"TOKENS\"|\"MILLISECONDS\"|\"SECONDS\"|\"IMAGES\"|\"REQUESTS\""}`),
		says("a unit that is null", strings.Replace(flat(`,"inputPrice":1`), `"TOKENS"`, `null`, 1), `"path":["unit"]`),
		says("an empty name", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":""`, 1), `"path":["modelName"],"message":"Too small`),
		says("a long name", strings.Replace(flat(`,"inputPrice":1`), `"modelName":"m"`, `"modelName":"`+strings.Repeat("x", 501)+`"`, 1), `"path":["modelName"],"message":"Too big: expected string to have <=500 characters"`),
		says("no regular expression", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"["`, 1), `"path":["matchPattern"],"message":"Pattern \"[\" is not a regular expression`),
		says("a look-ahead", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"(?=x)"`, 1), `"path":["matchPattern"],"message":"Pattern \"(?=x)\" is not a regular expression`),
		says("a large pattern", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"(a{100}){9}b{200}"`, 1), `is too large`),
		says("a long pattern", strings.Replace(flat(`,"inputPrice":1`), `"^m$"`, `"`+strings.Repeat("x", 2001)+`"`, 1), `Too big: expected string to have <=2000 characters`),
		says("no date", flat(`,"inputPrice":1,"startDate":"tomorrow"`), `"path":["startDate"]`),
		says("an unknown tokenizer", flat(`,"inputPrice":1,"tokenizerId":"other"`), `"path":["tokenizerId"],"message":"Invalid option: expected one of \"openai\"|\"claude\""`),
		refused("a long tokenizer config", flat(`,"inputPrice":1,"tokenizerConfig":"`+strings.Repeat("x", 10_000)+`"`), custom(`["tokenizerConfig"]`, "tokenizerConfig is longer than 10000 bytes")),

		says("no tiers", tiered(), `"path":["pricingTiers"],"message":"Too small: expected array to have >=1 items"`),
		says("too many tiers", tiered(slices.Repeat([]string{defaultTierIn}, 51)...), `"path":["pricingTiers"],"message":"Too big: expected array to have <=50 items"`),
		refused("no default tier", tiered(largeTierIn), custom(`["pricingTiers"]`, "Exactly one tier is the default one")),
		refused("two default tiers", tiered(defaultTierIn, strings.Replace(defaultTierIn, "Standard", "Other", 1)), custom(`["pricingTiers",1]`, "Duplicate tier priority: 0")),
		refused("a default tier with another priority", tiered(strings.Replace(defaultTierIn, `"priority":0`, `"priority":1`, 1)), custom(`["pricingTiers",0]`, "The default tier has priority 0 and no conditions")),
		refused("a default tier with a condition", tiered(strings.Replace(largeTierIn, `false,"priority":1`, `true,"priority":0`, 1)), custom(`["pricingTiers",0]`, "The default tier has priority 0 and no conditions")),
		refused("another tier without a condition", tiered(defaultTierIn, `{"name":"T","isDefault":false,"priority":7,"conditions":[],"prices":{"input":1,"output":1}}`),
			custom(`["pricingTiers",1]`, "A tier that is not the default one needs at least one condition")),
		refused("a name twice", tiered(defaultTierIn, strings.Replace(largeTierIn, `"Large"`, `" Standard"`, 1)), custom(`["pricingTiers",1]`, "Duplicate tier name: Standard")),
		refused("a priority twice", tiered(defaultTierIn, largeTierIn, strings.Replace(tier(``), `"priority":7`, `"priority":1`, 1)), custom(`["pricingTiers",2]`, "Duplicate tier priority: 1")),
		refused("other usage types", tiered(defaultTierIn, strings.Replace(largeTierIn, `"output":4`, `"total":4`, 1)), custom(`["pricingTiers",1]`, "All tiers have prices for the same usage types")),
		refused("fewer usage types", tiered(defaultTierIn, strings.Replace(largeTierIn, `"output":4,`, ``, 1)), custom(`["pricingTiers",1]`, "All tiers have prices for the same usage types")),
		refused("no prices in a tier", tiered(strings.Replace(defaultTierIn, `{"input":1,"output":2}`, `{}`, 1)), custom(`["pricingTiers",0,"prices"]`, "A tier has from 1 to 200 prices")),
		says("a negative price in a tier", tiered(strings.Replace(defaultTierIn, `"input":1`, `"input":-1`, 1)), `"path":["pricingTiers",0,"prices","input"],"message":"Too small`),
		refused("a usage type without a name", tiered(strings.Replace(defaultTierIn, `"input":1`, `"":1`, 1)), custom(`["pricingTiers",0,"prices",""]`, "A usage type has from 1 to 200 bytes")),
		says("a long name of a tier", tiered(strings.Replace(defaultTierIn, `Standard`, strings.Repeat("x", 101), 1)), `"path":["pricingTiers",0,"name"],"message":"Too big: expected string to have <=100 characters"`),
		says("a blank name of a tier", tiered(strings.Replace(defaultTierIn, `Standard`, `  `, 1)), `"path":["pricingTiers",0,"name"],"message":"Too small`),
		says("a large priority", tiered(defaultTierIn, strings.Replace(largeTierIn, `"priority":1`, `"priority":1000`, 1)), `"path":["pricingTiers",1,"priority"],"message":"Too big: expected number to be <=999"`),
		says("a priority with a fraction", tiered(defaultTierIn, strings.Replace(largeTierIn, `"priority":1`, `"priority":1.5`, 1)), `"path":["pricingTiers",1,"priority"],"message":"Invalid input: expected int`),
		says("a tier of nothing", tiered(`{}`), `["pricingTiers",0,"name"]`, `["pricingTiers",0,"isDefault"]`, `["pricingTiers",0,"priority"]`, `["pricingTiers",0,"conditions"]`, `["pricingTiers",0,"prices"]`),
		says("a tier that is none", tiered(`3`), `"path":["pricingTiers",0],"message":"Invalid input: expected object, received number"`),
		says("tiers that are no list", `{"modelName":"m","matchPattern":"m","unit":"TOKENS","pricingTiers":{}}`, `"path":["pricingTiers"],"message":"Invalid input: expected array, received object"`),
		says("a condition without a pattern", condition(`{"operator":"gt","value":1}`), `"path":["pricingTiers",1,"conditions",0,"usageDetailPattern"]`),
		says("a condition whose pattern is wrong", condition(`{"usageDetailPattern":"(","operator":"gt","value":1}`), `is not a regular expression`),
		says("a condition whose pattern is long", condition(`{"usageDetailPattern":"`+strings.Repeat("x", 201)+`","operator":"gt","value":1}`), `Too big: expected string to have <=200 characters`),
		says("a condition with a negative value", condition(`{"usageDetailPattern":"x","operator":"gt","value":-1}`), `"path":["pricingTiers",1,"conditions",0,"value"],"message":"Too small`),
		says("an unknown operator", condition(`{"usageDetailPattern":"x","operator":"==","value":1}`), `"path":["pricingTiers",1,"conditions",0,"operator"]`),
		says("an unknown source", condition(`{"source":"input","key":"k","operator":"in","values":["v"]}`), `"path":["pricingTiers",1,"conditions",0,"source"]`),
		says("another operator on an attribute", condition(`{"source":"metadata","key":"k","operator":"eq","values":["v"]}`), `"path":["pricingTiers",1,"conditions",0,"operator"]`),
		says("no values", condition(`{"source":"metadata","key":"k","operator":"in","values":[]}`), `"path":["pricingTiers",1,"conditions",0,"values"]`),
		says("values that are no texts", condition(`{"source":"metadata","key":"k","operator":"in","values":[1]}`), `"path":["pricingTiers",1,"conditions",0,"values",0]`),
		says("too many conditions", condition(strings.Join(slices.Repeat([]string{`{"usageDetailPattern":"x","operator":"gt","value":1}`}, 21), ",")), `"path":["pricingTiers",1,"conditions"],"message":"Too big: expected array to have <=20 items"`),
		refused("patterns that are large together", condition(strings.Join(slices.Repeat([]string{`{"usageDetailPattern":"a{400}","operator":"gt","value":1}`}, 3), ",")),
			custom("[]", "The patterns of the model are too large together: write fewer conditions, repetitions and alternatives")),

		{name: "no object", method: "POST", path: modelsPath, key: "project", body: `[]`, status: 400},
		{name: "no permission", method: "POST", path: modelsPath, key: "limited", body: flat(`,"inputPrice":1`), status: 403},
		{name: "an organization key", method: "POST", path: modelsPath, key: "organization", body: flat(`,"inputPrice":1`), status: 403},
	})
}

func TestModelOfOwn(t *testing.T) {
	f := newFixture(t, nil)
	body := func(name string) string {
		return `{"modelName":"` + name + `","matchPattern":"x","unit":"TOKENS","inputPrice":1}`
	}
	own := send[sentModel](t, f, scenario{method: "POST", path: modelsPath, key: "project", body: tiered(defaultTierIn, largeTierIn)})
	send[sentModel](t, f, scenario{method: "POST", path: modelsPath, key: "project", body: body("taken")})
	builtIn, _ := f.Prices.Defaults().Match("gpt-4o")
	const (
		notFound = `{"message":"Model not found within authorized project","error":"LangfuseNotFoundError"}`
		notOwn   = `{"message":"No model with this id found. Built-in models cannot be changed: override them with a model of the same name.","error":"LangfuseNotFoundError"}`
		taken    = `{"message":"Model name 'taken' already exists in project","error":"InvalidRequestError"}`
	)
	path := modelsPath + "/" + own.ID
	for _, s := range []scenario{
		{name: "a name twice", method: "POST", path: modelsPath, key: "project", body: body("taken"), status: 400, want: taken},
		{name: "another project has the name", method: "POST", path: modelsPath, key: "neighbour", body: body("taken"), status: 200},
		{name: "get", path: path, key: "limited", status: 200, contains: []string{`{"id":"` + own.ID + `","createdAt":"20`, `"isLangfuseManaged":false`}},
		{name: "get a built-in one", path: modelsPath + "/" + builtIn.ID, key: "project", status: 200, contains: []string{
			`{"id":"` + builtIn.ID + `","createdAt":"1970-01-01T00:00:00.000Z","modelName":"gpt-4o"`, `"startDate":null`, `"unit":null`, `"inputPrice":0.0000025,"outputPrice":0.00001`, `"isLangfuseManaged":true`,
		}},
		{name: "get an unknown one", path: modelsPath + "/nope", key: "project", status: 404, want: notFound},
		{name: "get one of another project", path: path, key: "neighbour", status: 404, want: notFound},
		{name: "replace", method: "PUT", path: path, key: "project", body: strings.Replace(tiered(largeTierIn, defaultTierIn), `"m"`, `"renamed"`, 1), status: 200, contains: []string{
			`{"id":"` + own.ID + `"`, `"modelName":"renamed"`, `"pricingTiers":[{"id":"` + own.PricingTiers[1].ID + `","name":"Large"`, `{"id":"` + own.ID + `_tier_default"`,
		}},
		{name: "replace with a name that is taken", method: "PUT", path: path, key: "project", body: body("taken"), status: 400, want: taken},
		{name: "replace with nothing", method: "PUT", path: path, key: "project", body: `{}`, status: 400},
		{name: "replace an unknown one", method: "PUT", path: modelsPath + "/nope", key: "project", body: body("n"), status: 404, want: notOwn},
		{name: "replace a built-in one", method: "PUT", path: modelsPath + "/" + builtIn.ID, key: "project", body: body("n"), status: 404, want: notOwn},
		{name: "replace one of another project", method: "PUT", path: path, key: "neighbour", body: body("n"), status: 404, want: notOwn},
		{name: "replace without permission", method: "PUT", path: path, key: "limited", body: body("n"), status: 403},
		{name: "delete an unknown one", method: "DELETE", path: modelsPath + "/nope", key: "project", status: 404, want: notOwn},
		{name: "delete a built-in one", method: "DELETE", path: modelsPath + "/" + builtIn.ID, key: "project", status: 404, want: notOwn},
		{name: "delete one of another project", method: "DELETE", path: path, key: "neighbour", status: 404, want: notOwn},
		{name: "delete without permission", method: "DELETE", path: path, key: "limited", status: 403},
		{name: "delete", method: "DELETE", path: path, key: "project", status: 200, want: `{"message":"Model successfully deleted"}`},
		{name: "delete it again", method: "DELETE", path: path, key: "project", status: 404, want: notOwn},
		{name: "patch", method: "PATCH", path: path, key: "project", status: 405},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestListModels(t *testing.T) {
	f := newFixture(t, nil)
	type page struct {
		Data []sentModel
		Meta struct{ Page, Limit, TotalItems, TotalPages int }
	}
	for _, name := range []string{"gpt-4o", "aaa"} {
		send[sentModel](t, f, scenario{method: "POST", path: modelsPath, key: "project", body: `{"modelName":"` + name + `","matchPattern":"x","unit":"TOKENS","inputPrice":1}`})
	}
	builtIn := len(f.Prices.Defaults().Models())
	var all []sentModel
	for number := 1; ; number++ {
		got := send[page](t, f, scenario{path: fmt.Sprintf("%s?page=%d&limit=100", modelsPath, number), key: "limited"})
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
	for _, s := range []scenario{
		{name: "another project", path: modelsPath + "?limit=1", key: "neighbour", status: 200, contains: []string{`"modelName":"babbage-002","matchPattern":"(?i)^(babbage-002)$"`, fmt.Sprintf(`"totalItems":%d`, builtIn)}},
		{name: "far behind the end", path: modelsPath + "?page=1000000000000&limit=100", key: "project", status: 200, contains: []string{`{"data":[],`}},
		{name: "invalid", path: modelsPath + "?page=0&limit=101", key: "project", status: 400},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestTooManyModels(t *testing.T) {
	f := newFixture(t, nil)
	for n := range catalog.MaxModels {
		if _, err := f.Catalog.CreateModel(t.Context(), domain.OfProject("project-a"), domain.Model{Name: strconv.Itoa(n), MatchPattern: "x"}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	f.run(t, scenario{
		method: "POST", path: modelsPath, key: "project", body: tiered(defaultTierIn), status: 400,
		want: `{"message":"A project has at most 500 model definitions of its own","error":"InvalidRequestError"}`,
	})
}

// TestOwnPrices sends spans before and after changes of a project's definitions: each has the prices in force when it
// was sent.
func TestOwnPrices(t *testing.T) {
	f := newFixture(t, func(o *Options) {
		o.Ingest = newPipeline(t, o.Store.Observations(), o.Registry, o.Log, func(i *ingest.Options) { i.Prices = o.Prices })
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
		span := `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"` + id + `","name":"s","startTimeUnixNano":"1767225600123456789","attributes":` + attributes + `}`
		send[any](t, f, scenario{method: "POST", path: tracesPath, key: key, body: `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"test"},"spans":[` + span + `]}]}]}`})
		filter := `[{"type":"string","column":"id","operator":"=","value":"` + id + `"}]`
		got := send[answer](t, f, scenario{path: "/api/public/v2/observations?fields=core,model,usage&filter=" + url.QueryEscape(filter), key: key})
		if len(got.Data) != 1 {
			t.Fatalf("%d rows", len(got.Data))
		}
		return got.Data[0]
	}
	check := func(name string, got row, model string, cost float64, inputPrice string) {
		t.Helper()
		if got.ModelID == nil || *got.ModelID != model || got.TotalCost == nil || *got.TotalCost != cost || got.InputPrice == nil || *got.InputPrice != inputPrice {
			text, _ := json.Marshal(got)
			t.Errorf("%s: %s, want model %s, cost %v and price %s", name, text, model, cost, inputPrice)
		}
	}
	builtIn, _ := f.Prices.Defaults().Match("gpt-4o")
	check("built in", price("project"), builtIn.ID, 0.0025, "0.0000025")

	body := func(price string) string {
		return `{"modelName":"gpt-4o","matchPattern":"^gpt-4o$","unit":"TOKENS","inputPrice":` + price + `}`
	}
	own := send[sentModel](t, f, scenario{method: "POST", path: modelsPath, key: "project", body: body("2")})
	check("own", price("project"), own.ID, 2000, "2")
	check("of another project", price("neighbour"), builtIn.ID, 0.0025, "0.0000025")
	send[sentModel](t, f, scenario{method: "PUT", path: modelsPath + "/" + own.ID, key: "project", body: body("3")})
	check("replaced", price("project"), own.ID, 3000, "3")
	send[any](t, f, scenario{method: "DELETE", path: modelsPath + "/" + own.ID, key: "project"})
	check("deleted", price("project"), builtIn.ID, 0.0025, "0.0000025")
}
