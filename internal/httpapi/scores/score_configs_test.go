package scores_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/scores"
)

const scoreConfigs = "/api/public/score-configs"

const (
	badCategories = "Category must be an array of objects with label value pairs, where labels and values are unique."
	emptyInterval = "Maximum value must be greater than Minimum value"
)

func TestCreateScoreConfig(t *testing.T) {
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: scoreConfigs, Key: "project", Body: body, Status: status, Want: want}
	}
	created := func(name, body string, parts ...string) apitest.Scenario {
		s := post(name, body, 200, "")
		s.Contains = append([]string{`"projectId":"project-a"`, `"isArchived":false`, `"createdAt":"2`, `"updatedAt":"2`}, parts...)
		return s
	}
	badName := `{"origin":"string","code":"invalid_format","format":"regex","pattern":"/^[\\p{L}\\p{M}\\p{N}_ .()-]+$/u","path":["name"],"message":"Name contains invalid characters"}`
	noVariant := `{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"dataType","path":["dataType"],"message":"Invalid input"}`
	tooMany := make([]string, scores.MaxCategories+1)
	for n := range tooMany {
		tooMany[n] = fmt.Sprintf(`{"label":"%d","value":%d}`, n, n)
	}
	apitest.Run(t, []apitest.Scenario{
		created("numeric", `{"name":"n","dataType":"NUMERIC"}`,
			`"name":"n","dataType":"NUMERIC","isArchived":false,"description":null,"minValue":null,"maxValue":null,"categories":null,"createdAt"`),
		created("numeric with bounds",
			`{"name":"n","dataType":"NUMERIC","minValue":-0.5,"maxValue":1e3,"description":"d","categories":null,"unknown":1}`,
			`"description":"d","minValue":-0.5,"maxValue":1000,"categories":null`),
		created("numeric with one bound", `{"name":"n","dataType":"NUMERIC","minValue":5,"maxValue":null}`, `"minValue":5,"maxValue":null`),
		created("categorical",
			`{"name":"quality","dataType":"CATEGORICAL","categories":[{"label":"good","value":1},{"label":"bad","value":0,"x":1}]}`,
			`"minValue":null,"maxValue":null,"categories":[{"label":"good","value":1},{"label":"bad","value":0}]`),
		created("categorical without categories to choose from",
			`{"name":"q","dataType":"CATEGORICAL","categories":[],"minValue":null,"maxValue":null}`, `"categories":[]`),
		created("boolean", `{"name":"b","dataType":"BOOLEAN","minValue":3,"maxValue":"ignored"}`,
			`"minValue":null,"maxValue":null,"categories":[{"label":"True","value":1},{"label":"False","value":0}]`),
		created("text", `{"name":"t","dataType":"TEXT","minValue":null,"maxValue":null,"description":null}`,
			`"description":null,"minValue":null,"maxValue":null,"categories":null`),
		created("every kind of name character", `{"name":"aZ_9 .()-é漢字हिन्दी٣","dataType":"TEXT"}`, `"name":"aZ_9 .()-é漢字हिन्दी٣"`),
		created("the longest name", `{"name":"`+strings.Repeat("n", 35)+`","dataType":"TEXT"}`),

		post("a bound that is no number", `{"name":"n","dataType":"NUMERIC","minValue":"1","maxValue":true}`, 400,
			apitest.Invalid(apitest.WrongType("minValue", "number", "string"), apitest.WrongType("maxValue", "number", "boolean"))),
		post("maximum below minimum", `{"name":"n","dataType":"NUMERIC","minValue":2,"maxValue":1}`, 400,
			apitest.Invalid(apitest.Custom("[]", emptyInterval))),
		post("maximum at minimum", `{"name":"n","dataType":"NUMERIC","minValue":0,"maxValue":0}`, 400,
			apitest.Invalid(apitest.Custom("[]", emptyInterval))),
		post("numeric with categories", `{"name":"n","dataType":"NUMERIC","categories":[]}`, 400,
			apitest.Invalid(apitest.WrongType("categories", "undefined", "array"))),
		post("categorical without categories", `{"name":"n","dataType":"CATEGORICAL"}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("categories are null", `{"name":"n","dataType":"CATEGORICAL","categories":null}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("categories are no list", `{"name":"n","dataType":"CATEGORICAL","categories":{"good":1}}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("categories are no objects", `{"name":"n","dataType":"CATEGORICAL","categories":["good"]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("a category without a label", `{"name":"n","dataType":"CATEGORICAL","categories":[{"key":"first","value":1}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("a category with an empty label", `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"","value":1}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("a category whose value is a text", `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"a","value":"1"}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, badCategories))),
		post("a label twice", `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"X","value":1},{"label":"X","value":1}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, "Duplicate category label: X, category labels must be unique"))),
		post("a value twice", `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"X","value":1},{"label":"Y","value":1.0}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, "Duplicate category value: 1, category values must be unique"))),
		post("too many categories", `{"name":"n","dataType":"CATEGORICAL","categories":[`+strings.Join(tooMany, ",")+`]}`, 400,
			apitest.Invalid(`{"origin":"array","code":"too_big","maximum":500,"inclusive":true,"path":["categories"],"message":"Too big: expected array to have <=500 items"}`)),
		post("a long label", `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"`+strings.Repeat("x", 501)+`","value":1}]}`, 400,
			apitest.Invalid(`{"origin":"string","code":"too_big","maximum":500,"inclusive":true,"path":["categories",0,"label"],"message":"Too big: expected string to have <=500 characters"}`)),
		post("categorical with bounds", `{"name":"n","dataType":"CATEGORICAL","categories":[],"minValue":0,"maxValue":1}`, 400,
			apitest.Invalid(apitest.WrongType("minValue", "undefined", "number"), apitest.WrongType("maxValue", "undefined", "number"))),
		post("boolean with categories",
			`{"name":"n","dataType":"BOOLEAN","categories":[{"label":"True","value":1},{"label":"False","value":0}]}`, 400,
			apitest.Invalid(apitest.WrongType("categories", "undefined", "array"))),
		post("boolean, categories are null", `{"name":"n","dataType":"BOOLEAN","categories":null}`, 400,
			apitest.Invalid(apitest.WrongType("categories", "undefined", "null"))),
		post("text with categories", `{"name":"n","dataType":"TEXT","categories":[]}`, 400,
			apitest.Invalid(apitest.WrongType("categories", "undefined", "array"))),
		post("text with a bound", `{"name":"n","dataType":"TEXT","minValue":0}`, 400,
			apitest.Invalid(apitest.WrongType("minValue", "undefined", "number"))),
		post("no name", `{"dataType":"TEXT"}`, 400, apitest.Invalid(apitest.WrongType("name", "string", "undefined"))),
		post("an empty name", `{"name":"","dataType":"TEXT"}`, 400,
			apitest.Invalid(`{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=1 characters"}`)),
		post("a long name", `{"name":"`+strings.Repeat("n", 36)+`","dataType":"TEXT"}`, 400,
			apitest.Invalid(`{"origin":"string","code":"too_big","maximum":35,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=35 characters"}`)),
		post("a slash in the name", `{"name":"a/b","dataType":"TEXT"}`, 400, apitest.Invalid(badName)),
		post("a line break in the name", `{"name":"a\nb","dataType":"TEXT"}`, 400, apitest.Invalid(badName)),
		post("a description of another type", `{"name":"n","dataType":"TEXT","description":1}`, 400,
			apitest.Invalid(apitest.WrongType("description", "string", "number"))),
		post("a long description", `{"name":"n","dataType":"TEXT","description":"`+strings.Repeat("x", 10_001)+`"}`, 400, ""),
		post("no data type", `{"name":"a/b"}`, 400, apitest.Invalid(noVariant)),
		post("a data type of scores only", `{"name":"n","dataType":"CORRECTION"}`, 400, apitest.Invalid(noVariant)),
		post("a data type that is no text", `{"name":"n","dataType":1}`, 400, apitest.Invalid(noVariant)),
		post("no object", `[]`, 400,
			apitest.Invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}`)),
		post("no JSON", `{`, 400, "Invalid JSON"),
		{Name: "no permission", Method: "POST", Path: scoreConfigs, Key: "limited", Body: `{}`, Status: 403},
		{Name: "no credentials", Method: "POST", Path: scoreConfigs, Body: `{}`, Status: 401},
	})
}

func TestReadScoreConfigs(t *testing.T) {
	f := apitest.New(t, nil)
	var want []string
	for n := range 3 {
		created, err := f.Catalog.ScoreConfigs.Create(t.Context(), domain.OfProject("project-a"), domain.ScoreConfig{
			Name: fmt.Sprint("config ", n), DataType: domain.ScoreNumeric, Archived: n == 1,
		}, domain.Actor{})
		if err != nil {
			t.Fatal(err)
		}
		at := created.CreatedAt.Format("2006-01-02T15:04:05.000Z")
		want = append([]string{fmt.Sprintf(`{"id":%q,"projectId":"project-a","name":"config %d","dataType":"NUMERIC","isArchived":%v,"description":null,"minValue":null,"maxValue":null,"categories":null,"createdAt":%q,"updatedAt":%q}`,
			created.ID, n, n == 1, at, at)}, want...)
		apitest.WaitForNextMillisecond()
	}
	id := regexp.MustCompile(`"id":"(\w+)"`).FindStringSubmatch(want[2])[1]
	list := func(query, end string, items ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: "list" + query, Path: scoreConfigs + query, Key: "project", Status: 200,
			Want: `{"data":[` + strings.Join(items, ",") + end,
		}
	}
	for _, s := range []apitest.Scenario{
		list("", apitest.Meta(1, 50, 3, 1), want...),
		list("?limit=2", apitest.Meta(1, 2, 3, 2), want[:2]...),
		list("?limit=2&page=2&unknown=1", apitest.Meta(2, 2, 3, 2), want[2:]...),
		list("?page=1000000000000&limit=100", apitest.Meta(1000000000000, 100, 3, 1)),
		list("?page=&limit=", apitest.Meta(1, 50, 3, 1), want...),
		{
			Name: "invalid", Path: scoreConfigs + "?page=0&limit=101", Key: "project", Status: 400,
			Contains: []string{
				`"path":["page"],"message":"Too small: expected number to be >0"`,
				`"path":["limit"],"message":"Too big: expected number to be <=100"`,
			},
		},
		{Name: "another project", Path: scoreConfigs, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "no permission", Path: scoreConfigs, Key: "limited", Status: 403},

		{Name: "get", Path: scoreConfigs + "/" + id, Key: "project", Status: 200, Want: want[2]},
		{
			Name: "get an unknown one", Path: scoreConfigs + "/nope", Key: "project", Status: 404,
			Want: `{"message":"Score config not found within authorized project","error":"LangfuseNotFoundError"}`,
		},
		{Name: "get an odd one", Path: scoreConfigs + "/%00%ff", Key: "project", Status: 404},
		{Name: "get one of another project", Path: scoreConfigs + "/" + id, Key: "neighbour", Status: 404},
		{Name: "get without permission", Path: scoreConfigs + "/" + id, Key: "limited", Status: 403},
		{Name: "delete", Method: "DELETE", Path: scoreConfigs + "/" + id, Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestUpdateScoreConfig(t *testing.T) {
	f := apitest.New(t, nil)
	ids := make(map[string]string)
	for name, config := range map[string]domain.ScoreConfig{
		"numeric":     {DataType: domain.ScoreNumeric, MinValue: new(0.0), MaxValue: new(1.0), Description: new("before")},
		"categorical": {DataType: domain.ScoreCategorical, Categories: []domain.ScoreCategory{{Label: "good", Value: 1}}},
		"boolean":     {DataType: domain.ScoreBoolean, Categories: scores.BooleanCategories()},
		"text":        {DataType: domain.ScoreText},
	} {
		config.Name = name
		created, err := f.Catalog.ScoreConfigs.Create(t.Context(), domain.OfProject("project-a"), config, domain.Actor{})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = created.ID
	}
	apitest.WaitForNextMillisecond()
	refused := func(message string) string {
		return fmt.Sprintf(`{"message":%q,"error":"InvalidRequestError"}`, message)
	}
	const (
		empty     = "Request body cannot be empty. At least one field must be provided for update."
		noNumber  = "Invalid input: expected undefined, received number"
		noList    = "Invalid input: expected undefined, received array"
		noBoolean = "The categories of a boolean config are True with the value 1 and False with the value 0"
	)
	for _, c := range []struct {
		name, config, body string
		status             int
		want               string
		contains           []string
	}{
		{"archive", "text", `{"isArchived":true}`, 200, "", []string{`"isArchived":true`, `"name":"text"`}},
		{
			"restore", "text", `{"isArchived":false,"dataType":"NUMERIC","id":"x"}`, 200, "",
			[]string{`"isArchived":false`, `"dataType":"TEXT"`},
		},
		{
			"rename and describe", "numeric", `{"name":"n (2)","description":"after"}`, 200, "",
			[]string{`"name":"n (2)"`, `"description":"after","minValue":0,"maxValue":1`},
		},
		{
			"move the bounds", "numeric", `{"minValue":5,"maxValue":6}`, 200, "", []string{
				`"minValue":5,"maxValue":6`, `"description":"after"`,
			},
		},
		{"a bound beyond the one that stays", "numeric", `{"minValue":6}`, 400, refused(emptyInterval), nil},
		{
			"new categories", "categorical", `{"categories":[{"label":"a","value":0},{"label":"b","value":2}]}`, 200, "",
			[]string{`"categories":[{"label":"a","value":0},{"label":"b","value":2}]`},
		},
		{
			"the categories that a boolean has", "boolean", `{"categories":[{"label":"True","value":1},{"label":"False","value":0}]}`,
			200, "", nil,
		},
		{
			"other categories of a boolean", "boolean", `{"categories":[{"label":"Yes","value":1},{"label":"No","value":0}]}`, 400,
			refused(noBoolean), nil,
		},
		{"a bound of a boolean", "boolean", `{"maxValue":1}`, 400, refused(noNumber), nil},
		{"bounds of categories", "categorical", `{"minValue":0,"maxValue":1}`, 400, refused(noNumber + ", " + noNumber), nil},
		{"categories of numbers", "numeric", `{"categories":[]}`, 400, refused(noList), nil},
		{
			"everything of a text", "text", `{"categories":[],"minValue":1,"maxValue":0}`, 400,
			refused(noNumber + ", " + noNumber + ", " + noList), nil,
		},
		{"nothing", "text", `{}`, 400, apitest.Invalid(apitest.Custom("[]", empty)), nil},
		{"nothing that is known", "text", `{"dataType":"NUMERIC"}`, 400, apitest.Invalid(apitest.Custom("[]", empty)), nil},
		{"null", "numeric", `{"isArchived":null,"name":null,"minValue":null,"maxValue":null,"description":null}`, 400, apitest.Invalid(
			apitest.WrongType("isArchived", "boolean", "null"), apitest.WrongType("name", "string", "null"), apitest.WrongType("minValue", "number", "null"),
			apitest.WrongType("maxValue", "number", "null"), apitest.WrongType("description", "string", "null")), nil},
		{"categories are null", "categorical", `{"categories":null}`, 400, apitest.Invalid(apitest.Custom(`["categories"]`, badCategories)), nil},
		{
			"a label twice", "categorical", `{"categories":[{"label":"X","value":1},{"label":"X","value":2}]}`, 400,
			apitest.Invalid(apitest.Custom(`["categories"]`, "Duplicate category label: X, category labels must be unique")), nil,
		},
		{"a name that is not allowed", "text", `{"name":"<b>"}`, 400, "", []string{"Name contains invalid characters"}},
		{
			"no object", "text", `"x"`, 400,
			apitest.Invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}`),
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.Run(t, apitest.Scenario{
				Method: "PATCH", Path: scoreConfigs + "/" + ids[c.config], Key: "project", Body: c.body, Status: c.status, Want: c.want,
				Contains: c.contains,
			})
		})
	}
	for _, s := range []apitest.Scenario{
		{
			Name: "unknown", Path: scoreConfigs + "/nope", Key: "project", Body: `{"isArchived":true}`, Status: 404,
			Want: `{"message":"Score config not found within authorized project","error":"LangfuseNotFoundError"}`,
		},
		{Name: "the body comes first", Path: scoreConfigs + "/nope", Key: "project", Body: `{}`, Status: 400},
		{Name: "another project", Path: scoreConfigs + "/" + ids["text"], Key: "neighbour", Body: `{"isArchived":true}`, Status: 404},
		{Name: "no permission", Path: scoreConfigs + "/" + ids["text"], Key: "limited", Body: `{"isArchived":true}`, Status: 403},
	} {
		s.Method = "PATCH"
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
	got, err := f.Catalog.ScoreConfigs.Get(t.Context(), domain.OfProject("project-a"), ids["numeric"])
	if err != nil || *got.MinValue != 5 || *got.MaxValue != 6 || !got.UpdatedAt.After(got.CreatedAt) {
		t.Errorf("stored %+v, %v", got, err)
	}
}
