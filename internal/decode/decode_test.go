package decode

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/jsontext"
)

// TestQueryIssues checks the issue objects that clients see, byte for byte.
func TestQueryIssues(t *testing.T) {
	level := func(q *Query) { q.Enum("level", "DEBUG", "DEFAULT", "WARNING", "ERROR") }
	limit := func(q *Query) { q.Int("limit", IntRule{Default: 50, Max: 1000, EmptyIsZero: true}) }
	page := func(q *Query) { q.Page(50) }

	cases := []struct {
		name  string
		query string
		read  func(*Query)
		want  string // the issues; "" for none
	}{
		{
			"repeated single value", "name=a&name=b", func(q *Query) { q.String("name") },
			`[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received array"}]`,
		},
		{
			"required but absent", "", func(q *Query) { q.RequiredString("query") },
			`[{"expected":"string","code":"invalid_type","path":["query"],"message":"Invalid input: expected string, received undefined"}]`,
		},
		{
			"required and repeated", "query=a&query=b", func(q *Query) { q.RequiredString("query") },
			`[{"expected":"string","code":"invalid_type","path":["query"],"message":"Invalid input: expected string, received array"}]`,
		},
		{
			"not a number", "limit=abc", limit,
			`[{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}]`,
		},
		{
			"number repeated", "limit=1&limit=2", limit,
			`[{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}]`,
		},
		{
			"Go's own number forms are no numbers", "limit=0x10", limit,
			`[{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}]`,
		},
		{
			"not an integer", "page=1.5", page,
			`[{"expected":"int","format":"safeint","code":"invalid_type","path":["page"],"message":"Invalid input: expected int, received number"}]`,
		},
		{
			"above the maximum", "limit=1001", limit,
			`[{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=1000"}]`,
		},
		{
			"below the minimum", "limit=-1", limit,
			`[{"origin":"number","code":"too_small","minimum":0,"inclusive":true,"path":["limit"],"message":"Too small: expected number to be >=0"}]`,
		},
		{
			"at an exclusive minimum", "page=0", page,
			`[{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["page"],"message":"Too small: expected number to be >0"}]`,
		},
		{
			"not in the enum", "level=debug", level,
			`[{"code":"invalid_value","values":["DEBUG","DEFAULT","WARNING","ERROR"],"path":["level"],"message":"Invalid option: expected one of \"DEBUG\"|\"DEFAULT\"|\"WARNING\"|\"ERROR\""}]`,
		},
		{
			"empty is not in the enum", "level=", level,
			`[{"code":"invalid_value","values":["DEBUG","DEFAULT","WARNING","ERROR"],"path":["level"],"message":"Invalid option: expected one of \"DEBUG\"|\"DEFAULT\"|\"WARNING\"|\"ERROR\""}]`,
		},
		{
			"not a boolean", "isRoot=maybe", func(q *Query) { q.Bool("isRoot") },
			`[{"code":"invalid_value","values":["true","false"],"path":["isRoot"],"message":"Invalid option: expected one of \"true\"|\"false\""}]`,
		},
		{
			"booleans are lower case", "isRoot=True", func(q *Query) { q.Bool("isRoot") },
			`[{"code":"invalid_value","values":["true","false"],"path":["isRoot"],"message":"Invalid option: expected one of \"true\"|\"false\""}]`,
		},
		{
			"several, in reading order", "page=0&limit=101", page,
			`[{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["page"],"message":"Too small: expected number to be >0"},{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}]`,
		},
		{
			"unknown parameters", "y=1&limit=x&x=2&x=3", func(q *Query) { limit(q); q.Strict() },
			`[{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"},{"code":"unrecognized_keys","keys":["x","y"],"path":[],"message":"Unrecognized keys: \"x\", \"y\""}]`,
		},
		{"all parameters are known", "a=1&b=true&c=2&d=e&f=2026-03-04T05:06Z&g=h&i=j&k=l&m=&n=o&page=1&limit=2", func(q *Query) {
			q.String("a")
			q.Bool("b")
			q.Number("c")
			q.Values("d")
			q.Time("f")
			q.List("g")
			q.RequiredString("i")
			q.Enum("k", "l")
			q.Int("m", IntRule{Max: 1})
			q.String("n")
			q.String("absent")
			page(q)
			q.Strict()
		}, ""},
		{
			"a required parameter that is absent is not unknown", "", func(q *Query) { q.RequiredString("i"); q.Strict() },
			`[{"expected":"string","code":"invalid_type","path":["i"],"message":"Invalid input: expected string, received undefined"}]`,
		},
		{"lenient numbers", "limit=+1e2+", limit, ""},
		{"absent", "", func(q *Query) {
			limit(q)
			level(q)
			q.Bool("b")
			q.Time("t")
			q.List("l")
			q.Number("n")
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			values, err := url.ParseQuery(c.query)
			if err != nil {
				t.Fatal(err)
			}
			q := NewQuery(values)
			c.read(q)
			if got := issuesJSON(t, q.Err()); got != c.want {
				t.Errorf("issues of %q:\n got %s\nwant %s", c.query, got, c.want)
			}
		})
	}
}

func TestOtherIssues(t *testing.T) {
	cases := []struct {
		name  string
		issue Issue
		want  string
	}{
		{"rule violated", Violation([]any{"name"}, "no"), `{"code":"custom","path":["name"],"message":"no"}`},
		{
			"another form", NotMatching([]any{"name"}, "/^a$/u", "Only a"),
			`{"origin":"string","code":"invalid_format","format":"regex","pattern":"/^a$/u","path":["name"],"message":"Only a"}`,
		},
		{
			"unknown key", UnknownKeys(nil, []string{"x"}),
			`{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`,
		},
		{
			"unknown keys", UnknownKeys(nil, []string{"x", "y"}),
			`{"code":"unrecognized_keys","keys":["x","y"],"path":[],"message":"Unrecognized keys: \"x\", \"y\""}`,
		},
		{
			"unknown filter type", NoDiscriminator([]any{"filter", 0, "type"}, "type"),
			`{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type","path":["filter",0,"type"],"message":"Invalid input"}`,
		},
		{
			"no union branch fits",
			NoVariant([]any{"parseIoAsJson"}, []Issue{NotInEnum(nil, []string{"true"})}, []Issue{NotInEnum(nil, []string{"false"})}),
			`{"code":"invalid_union","errors":[[{"code":"invalid_value","values":["true"],"path":[],"message":"Invalid input: expected \"true\""}],[{"code":"invalid_value","values":["false"],"path":[],"message":"Invalid input: expected \"false\""}]],"path":["parseIoAsJson"],"message":"Invalid input"}`,
		},
		{
			"string too short", TooShort([]any{"name"}, "string", 3),
			`{"origin":"string","code":"too_small","minimum":3,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=3 characters"}`,
		},
		{
			"array too long", TooLong([]any{"ids"}, "array", 9),
			`{"origin":"array","code":"too_big","maximum":9,"inclusive":true,"path":["ids"],"message":"Too big: expected array to have <=9 items"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsontext.Marshal(c.issue)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDatetime(t *testing.T) {
	accepted := map[string]string{
		"2026-03-04T05:06:07.123Z":         "2026-03-04T05:06:07.123Z",
		"2026-03-04T05:06:07.123999Z":      "2026-03-04T05:06:07.123Z",
		"2026-03-04T05:06:07Z":             "2026-03-04T05:06:07Z",
		"2026-03-04T05:06Z":                "2026-03-04T05:06:00Z",
		"2026-03-04T05:06+02:00":           "2026-03-04T03:06:00Z",
		"2026-03-04T05:06:07.5-05:30":      "2026-03-04T10:36:07.5Z",
		"2024-02-29T00:00:00Z":             "2024-02-29T00:00:00Z",
		"2000-02-29T00:00:00Z":             "2000-02-29T00:00:00Z",
		"2026-03-04T05:06:07.1234567890Z":  "2026-03-04T05:06:07.123Z",
		"1969-12-31T23:59:59.999999+00:00": "1969-12-31T23:59:59.999Z",
	}
	for text, want := range accepted {
		got, ok := ParseDatetime(text)
		if !ok || got.Format(time.RFC3339Nano) != want {
			t.Errorf("ParseDatetime(%q) = %v, %v; want %s", text, got, ok, want)
		}
	}
	refused := []string{
		"", "2026-03-04", "2026-03-04T05:06:07", "2026-03-04T05:06:07+0200", "2026-03-04T05:06:07+02",
		"2026-03-04 05:06:07Z", "2026-03-04t05:06:07Z", "2026-03-04T05:06:07z", "2026-03-04T24:00:00Z",
		"2026-06-30T23:59:60Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
		"1783000000000", "2026-03-04T05:06:07.Z", "2026-03-04T05:06:07.1234Z\n",
		"2026-03-04T05:06:07." + strings.Repeat("1", 200) + "Z",
	}
	for _, text := range refused {
		if got, ok := ParseDatetime(text); ok {
			t.Errorf("ParseDatetime(%q) = %v, want a refusal", text, got)
		}
	}

	q := NewQuery(url.Values{"from": {"yesterday"}})
	q.Time("from")
	got := issuesJSON(t, q.Err())
	for _, part := range []string{
		`[{"origin":"string","code":"invalid_format","format":"datetime","pattern":"/^(?:`,
		`)$/","path":["from"],"message":"Invalid ISO datetime"}]`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("the issue lacks %s: %s", part, got)
		}
	}
}

func TestQueryValues(t *testing.T) {
	q := NewQuery(url.Values{
		"name": {""}, "flag": {"true"}, "off": {"false"}, "limit": {""}, "page": {"3"}, "ratio": {" 0.5 "},
		"csv": {" a, b,,c "}, "many": {"a,b", "c"}, "from": {"2026-03-04T05:06Z"},
	})
	if got := q.String("name"); got == nil || *got != "" {
		t.Errorf("an empty value is not kept: %v", got)
	}
	if got := q.String("absent"); got != nil {
		t.Errorf("String of an absent parameter = %q", *got)
	}
	if got := q.Bool("flag"); got == nil || !*got {
		t.Errorf("flag = %v", got)
	}
	if got := q.Bool("off"); got == nil || *got {
		t.Errorf("off = %v", got)
	}
	if got := q.Page(10); got != (Page{3, 10}) || got.Offset() != 20 {
		t.Errorf("page = %v with offset %d", got, got.Offset())
	}
	if got := q.Int("limit", IntRule{Default: 50, Max: 10, EmptyIsZero: true}); got != 0 {
		t.Errorf("an empty limit = %d, want 0", got)
	}
	if got := q.Number("ratio"); got == nil || *got != 0.5 {
		t.Errorf("ratio = %v", got)
	}
	if got := q.List("csv"); !cmp.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("csv = %q", got)
	}
	if got := q.List("many"); !cmp.Equal(got, []string{"a,b", "c"}) {
		t.Errorf("repeated values are split: %q", got)
	}
	if got := q.Time("from"); got.IsZero() {
		t.Error("from is not read")
	}
	if err := q.Err(); err != nil {
		t.Errorf("issues: %v", err)
	}
}

func TestBody(t *testing.T) {
	b := NewBody([]byte(`{"name":"ada","note":null,"size":3,"at":"2026-03-04T05:06Z","tags":["a","b"],"on":true,"inner":{"x":1.5},"kind":"B"}`)).Object()
	if got := b.Field("name").TextLen(3, 60); got != "ada" {
		t.Errorf("name = %q", got)
	}
	if got := Nullish(b.Field("note"), Value.Text); got != nil {
		t.Errorf("note = %q", *got)
	}
	if got := Optional(b.Field("absent"), Value.Text); got != nil {
		t.Errorf("absent = %q", *got)
	}
	if got := b.Field("size").Int(); got != 3 {
		t.Errorf("size = %d", got)
	}
	if got := b.Field("at").Time(); got.Minute() != 6 {
		t.Errorf("at = %v", got)
	}
	if got := b.Field("tags").Array(); len(got) != 2 || got[1].Text() != "b" {
		t.Errorf("tags = %v", got)
	}
	if !b.Field("on").Bool() {
		t.Error("on = false")
	}
	if got := b.Field("inner").Object().Field("x").Number(); got != 1.5 {
		t.Errorf("inner.x = %v", got)
	}
	if got := b.Field("kind").Enum("A", "B"); got != "B" {
		t.Errorf("kind = %q", got)
	}
	b.Strict()
	if err := b.Err(); err != nil {
		t.Errorf("issues: %v", err)
	}
}

func TestWebAddress(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://x.test": true, "https://x.test:8080/a?b=c#d": true, "HTTPS://X.test": true, "http://[::1]/": true, "": false,
		"x.test": false,
		"/a":     false, "http://": false, "http:///a": false, "http://:80": false, "javascript:alert(1)": false,
		"http://x.test/%zz": false, "http://a b/": false,
	} {
		v := NewText(text)
		if got := v.WebAddress(100); got != text {
			t.Errorf("WebAddress(%q) = %q", text, got)
		}
		if err := v.Err(); (err == nil) != ok {
			t.Errorf("WebAddress(%q): %v", text, err)
		}
	}
}

func TestTrimmedLen(t *testing.T) {
	for _, c := range [][2]string{{" a b ", "a b"}, {"\ufeffa\u2003", "a"}, {"\u0085a", "\u0085a"}, {"", ""}} {
		if got := NewText(c[0]).TrimmedLen(0, 10); got != c[1] {
			t.Errorf("TrimmedLen of %q = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestBodyIssues(t *testing.T) {
	cases := []struct {
		name string
		body string
		read func(*Object)
		want string
	}{
		{
			"missing member", `{}`, func(o *Object) { o.Field("name").Text() },
			`[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}]`,
		},
		{
			"wrong type", `{"name":[]}`, func(o *Object) { o.Field("name").Text() },
			`[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received array"}]`,
		},
		{
			"null is not absent", `{"name":null}`, func(o *Object) { Optional(o.Field("name"), Value.Text) },
			`[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received null"}]`,
		},
		{
			"not an object, and no issues about its members", `[1]`, func(o *Object) { o.Field("name").Text() },
			`[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}]`,
		},
		{"paths lead inwards", `{"a":[{"b":"x"}]}`, func(o *Object) {
			o.Field("a").Array()[0].Object().Field("b").Number()
		}, `[{"expected":"number","code":"invalid_type","path":["a",0,"b"],"message":"Invalid input: expected number, received string"}]`},
		{
			"unknown members", `{"x":1,"name":"a","y":2}`, func(o *Object) { o.Field("name").Text(); o.Strict() },
			`[{"code":"unrecognized_keys","keys":["x","y"],"path":[],"message":"Unrecognized keys: \"x\", \"y\""}]`,
		},
		{
			"fraction", `{"n":1.5}`, func(o *Object) { o.Field("n").Int() },
			`[{"expected":"int","format":"safeint","code":"invalid_type","path":["n"],"message":"Invalid input: expected int, received number"}]`,
		},
		{
			"number out of range", `{"n":1e999}`, func(o *Object) { o.Field("n").Number() },
			`[{"expected":"number","code":"invalid_type","path":["n"],"message":"Invalid input: expected number, received Infinity"}]`,
		},
		{
			"length counts UTF-16 units", `{"s":"😀"}`, func(o *Object) { o.Field("s").TextLen(0, 1) },
			`[{"origin":"string","code":"too_big","maximum":1,"inclusive":true,"path":["s"],"message":"Too big: expected string to have <=1 characters"}]`,
		},
		{
			"blanks do not count", `{"s":" \t\n\u00a0\ufeff ","t":"  ab  ","u":1}`, func(o *Object) {
				o.Field("s").TrimmedLen(1, 5)
				o.Field("t").TrimmedLen(1, 2)
				o.Field("u").TrimmedLen(1, 2)
			},
			`[{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["s"],"message":"Too small: expected string to have >=1 characters"},{"expected":"string","code":"invalid_type","path":["u"],"message":"Invalid input: expected string, received number"}]`,
		},
		{
			"not a web address", `{"u":"ftp://x.test/"}`, func(o *Object) { o.Field("u").WebAddress(100) },
			`[{"code":"invalid_format","format":"url","path":["u"],"message":"Invalid URL"}]`,
		},
		{
			"a long web address", `{"u":"http://x.test/"}`, func(o *Object) { o.Field("u").WebAddress(10) },
			`[{"origin":"string","code":"too_big","maximum":10,"inclusive":true,"path":["u"],"message":"Too big: expected string to have <=10 characters"}]`,
		},
		{
			"a web address of another type", `{"u":1}`, func(o *Object) { o.Field("u").WebAddress(10) },
			`[{"expected":"string","code":"invalid_type","path":["u"],"message":"Invalid input: expected string, received number"}]`,
		},
		{
			"enum of another type", `{"k":1}`, func(o *Object) { o.Field("k").Enum("A") },
			`[{"code":"invalid_value","values":["A"],"path":["k"],"message":"Invalid input: expected \"A\""}]`,
		},
		{"within a range", `{"a":0,"b":2.5,"c":7}`, func(o *Object) {
			o.Field("a").Within(0, 1)
			o.Field("b").Within(0, 2.5)
			o.Field("c").IntWithin(7, 7)
		}, ""},
		{
			"outside of a range", `{"a":-0.5,"b":3,"c":-1,"d":8}`, func(o *Object) {
				o.Field("a").Within(0, 1)
				o.Field("b").Within(0, 2.5)
				o.Field("c").IntWithin(0, 7)
				o.Field("d").IntWithin(0, 7)
			},
			`[{"origin":"number","code":"too_small","minimum":0,"inclusive":true,"path":["a"],"message":"Too small: expected number to be >=0"},` +
				`{"origin":"number","code":"too_big","maximum":2.5,"inclusive":true,"path":["b"],"message":"Too big: expected number to be <=2.5"},` +
				`{"origin":"number","code":"too_small","minimum":0,"inclusive":true,"path":["c"],"message":"Too small: expected number to be >=0"},` +
				`{"origin":"number","code":"too_big","maximum":7,"inclusive":true,"path":["d"],"message":"Too big: expected number to be <=7"}]`,
		},
		{
			"no number within a range", `{"a":"1","b":1.5}`, func(o *Object) { o.Field("a").Within(2, 3); o.Field("b").IntWithin(0, 3) },
			`[{"expected":"number","code":"invalid_type","path":["a"],"message":"Invalid input: expected number, received string"},` +
				`{"expected":"int","format":"safeint","code":"invalid_type","path":["b"],"message":"Invalid input: expected int, received number"}]`,
		},
		{
			"the length of arrays", `{"a":[1],"b":[1,2],"c":[],"d":{}}`, func(o *Object) {
				for _, name := range []string{"a", "b", "c", "d"} {
					o.Field(name).ArrayLen(1, 1)
				}
			},
			`[{"origin":"array","code":"too_big","maximum":1,"inclusive":true,"path":["b"],"message":"Too big: expected array to have <=1 items"},` +
				`{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["c"],"message":"Too small: expected array to have >=1 items"},` +
				`{"expected":"array","code":"invalid_type","path":["d"],"message":"Invalid input: expected array, received object"}]`,
		},
		{"the last duplicate counts", `{"n":"x","n":2}`, func(o *Object) { o.Field("n").Int(); o.Strict() }, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := NewBody([]byte(c.body)).Object()
			c.read(o)
			if got := issuesJSON(t, o.Err()); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("plain text", func(t *testing.T) {
		o := NewText("hello").Object()
		if got, want := issuesJSON(t, o.Err()),
			`[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}]`; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	})
}

func TestBodyAt(t *testing.T) {
	body := NewPart([]byte(` {"a":[1]} `), "query", "x")
	body.Object().Field("a").Array()[0].Text()
	err := body.Err()
	var invalid *Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"query", "x", "a", 0}, invalid.Issues[0].Path); diff != "" {
		t.Error(diff)
	}
}

func TestArraysAndNames(t *testing.T) {
	o := NewBody([]byte(`{"b":[1,2],"a":0,"b":[3]}`)).Object()
	if got := o.Names(); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("the names are %q", got)
	}
	if got := o.Field("b").ArrayLen(0, 1); len(got) != 1 || got[0].Int() != 3 {
		t.Errorf("the array has %d items", len(got))
	}
	if got := NewBody([]byte(`[]`)).Object().Names(); len(got) != 0 {
		t.Errorf("a list has the names %q", got)
	}
}

func TestIssuesAreBounded(t *testing.T) {
	body := NewBody([]byte("[" + strings.Repeat("1,", 10*maxIssues) + "1]"))
	for _, v := range body.Array() {
		_ = v.Text()
	}
	var invalid *Invalid
	if !errors.As(body.Err(), &invalid) || len(invalid.Issues) != maxIssues {
		t.Errorf("%d issues, want %d", len(invalid.Issues), maxIssues)
	}
}

func TestLen(t *testing.T) {
	for text, want := range map[string]int{
		`[]`: 0, `[ ]`: 0, `[1]`: 1, `[1,2]`: 2, `[[1,2],{"a":[3,4],"b":5}]`: 2, `["a,b","\",["]`: 2, `[ "x" , null ]`: 2,
		`{"a":1,"b":2}`: 0, `"a,b"`: 0, `5`: 0,
	} {
		v := NewBody([]byte(text))
		if got := v.Len(); got != want || v.Kind() == "array" && got != len(v.Array()) {
			t.Errorf("%s has %d items", text, got)
		}
	}
	if got := NewBody(nil).Len(); got != 0 {
		t.Errorf("nothing has %d items", got)
	}
}

// TestApart reads the items of a list with separate issues.
func TestApart(t *testing.T) {
	body := NewBody([]byte(`["a",5]`))
	for n, item := range body.Array() {
		item = item.WithOwnIssues()
		_ = item.Text()
		if err := item.Err(); (err != nil) != (n == 1) {
			t.Errorf("item %d: %v", n, err)
		} else if err != nil && !strings.Contains(issuesJSON(t, err), `"path":[1]`) {
			t.Errorf("the path is lost: %s", issuesJSON(t, err))
		}
	}
	if err := body.Err(); err != nil {
		t.Errorf("issues of the items are those of the body: %v", err)
	}
}

func TestInstant(t *testing.T) {
	v := NewBody([]byte(`"2026-03-04T05:06:07.123456+02:00"`))
	if got := v.Instant(); got.Format(time.RFC3339Nano) != "2026-03-04T03:06:07.123456Z" || v.Err() != nil {
		t.Errorf("read %v, %v", got, v.Err())
	}
	for _, text := range []string{`"2026-03-04"`, `5`, `null`, `"2026-02-30T00:00Z"`} {
		if v := NewBody([]byte(text)); !v.Instant().IsZero() || v.Err() == nil {
			t.Errorf("%s is an instant", text)
		}
	}
}

func TestInvalid(t *testing.T) {
	one := &Invalid{[]Issue{Violation([]any{"a", 0}, "<no>")}}
	if got, want := one.Indented(),
		"[\n  {\n    \"code\": \"custom\",\n    \"path\": [\n      \"a\",\n      0\n    ],\n    \"message\": \"<no>\"\n  }\n]"; got != want {
		t.Errorf("indented:\n%s", got)
	}
	if got, want := (&Invalid{[]Issue{Violation(nil, "no"), Violation(nil, "never")}}).Error(),
		"invalid request data: no; never"; got != want {
		t.Errorf("the error says %q, want %q", got, want)
	}
	for _, c := range []struct {
		issue Issue
		want  bool
	}{
		{Violation(nil, "no"), true},
		{TooLong(nil, "string", 5), true},
		{TooSmall(nil, 5, false), true},
		{NotADatetime(nil), true},
		{WrongType(nil, "string", "null"), false},
		{NotInEnum(nil, []string{"a"}), false},
		{NoVariant(nil), false},
	} {
		if got := (&Invalid{[]Issue{Violation(nil, "first"), c.issue}}).AllowsFurtherChecks(); got != c.want {
			t.Errorf("rules are checked next to %s: %v", c.issue.Code, got)
		}
	}
}

// TestPageBounds requests the last possible page, and the one after it.
func TestPageBounds(t *testing.T) {
	for _, c := range []struct {
		page, limit string
		ok          bool
	}{
		{"1", "1", true},
		{"1099511627776", "100", true},
		{"1099511627777", "100", false},
		{"1", "101", false},
		{"0", "1", false},
		{"1", "0", false},
	} {
		q := NewQuery(url.Values{"page": {c.page}, "limit": {c.limit}})
		if page := q.Page(10); (q.Err() == nil) != c.ok || page.Offset() < 0 {
			t.Errorf("page %s of %s is %+v, %v", c.page, c.limit, page, q.Err())
		}
	}
}

func TestCheckJSON(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for text, ok := range map[string]bool{
		`{}`: true, ` "a" `: true, `1`: true, ``: false, `{`: false, `{"a":1} {}`: false, `nope`: false,
		`"[[["`: true, `"\"[["`: true, nested(jsontext.MaxDepth): true, nested(jsontext.MaxDepth + 1): false,
		// Brackets in strings and sibling arrays do not count as nesting.
		`"` + strings.Repeat("[{", jsontext.MaxDepth) + `"`: true, `[` + strings.Repeat("[],{},", jsontext.MaxDepth) + `[]]`: true,
	} {
		if err := CheckJSON([]byte(text)); (err == nil) != ok {
			t.Errorf("CheckJSON(%.40q) = %v", text, err)
		}
	}
}

func issuesJSON(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var invalid *Invalid
	if !errors.As(err, &invalid) {
		t.Fatalf("not an *Invalid: %v", err)
	}
	out, err := jsontext.Marshal(invalid.Issues)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// FuzzQuery checks that no query makes the reader panic, accept what its rule forbids, or produce issues that are not
// JSON.
func FuzzQuery(f *testing.F) {
	f.Add("limit=10&from=2026-03-04T05:06:07.123Z&flag=true&csv=a,b&n=1e3")
	f.Add("date=2026-03-04 05:06&ids=a,,b&unknown=1")
	f.Add("limit=1e400&limit=&from=24:00&flag=TRUE&n=0x1p-2")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		q := NewQuery(values)
		if got := q.Int("limit", IntRule{Default: 5, Min: 1, Max: 100}); got < 1 || got > 100 {
			t.Errorf("limit = %d is out of bounds", got)
		}
		if at := q.Time("from"); at.Nanosecond()%int(time.Millisecond) != 0 {
			t.Errorf("from = %v is finer than a millisecond", at)
		}
		q.Bool("flag")
		q.Enum("level", "A", "B")
		q.List("csv")
		q.Number("n")
		q.Page(50)
		q.RequiredString("name")
		if at := q.Date("date"); at != nil && at.Nanosecond()%int(time.Millisecond) != 0 {
			t.Errorf("date = %v is finer than a millisecond", at)
		}
		if list := q.CommaList("ids"); len(list) > MaxCommaList {
			t.Errorf("a list of %d items is accepted", len(list))
		}
		q.Strict()
		checkIssues(t, q.Err())
	})
}

// FuzzWalk compares how a body is walked with the standard library.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(` { "a\u0062" : [ 1 , "x,]" , { } ] , "" : {"n":null} , "a" : -1.5e3 } `))
	f.Add([]byte(`[[],["\"",{"a":[1]}],true]`))
	f.Add([]byte("{\"\xff\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := NewBody(text)
		if CheckJSON(text) != nil {
			v.Len() // must terminate
			if v.Kind() == "object" {
				v.Object()
			}
			return
		}
		switch v.Kind() {
		case "array":
			var want []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			var got []json.RawMessage
			for _, item := range v.Array() {
				got = append(got, item.Raw())
			}
			if len(got) != len(want) || v.Len() != len(want) || len(want) > 0 && !cmp.Equal(got, want) {
				t.Errorf("%s has the items %s, want %s", text, got, want)
			}
		case "object":
			want := map[string]json.RawMessage{}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if got := v.Object().members; !cmp.Equal(got, want) {
				t.Errorf("%s has the members %s, want %s", text, got, want)
			}
		case "string":
			var want string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if got := v.Text(); got != want {
				t.Errorf("%s is the text %q, want %q", text, got, want)
			}
		}
	})
}

// FuzzBody checks the same for bodies, which must pass CheckJSON first as in the server.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"name":"a","n":1,"list":[{"x":null}],"at":"2026-03-04T05:06Z","on":false}`))
	f.Add([]byte(`{"name":"\ud800","n":1e309,"list":{},"list":[[]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if CheckJSON(text) != nil {
			return
		}
		o := NewBody(text).Object()
		o.Field("name").TextLen(1, 10)
		o.Field("n").Int()
		o.Field("at").Time()
		o.Field("at").Instant()
		o.Field("on").Bool()
		o.Field("kind").Enum("A")
		o.Field("content").TrimmedLen(1, 10)
		o.Field("url").WebAddress(50)
		if list := o.Field("list"); list.Kind() == "array" && list.Len() != len(list.Array()) {
			t.Errorf("%s has %d items, not %d", list.Raw(), len(list.Array()), list.Len())
		}
		for _, v := range o.Field("list").Array() {
			Nullish(v.Object().Field("x"), Value.Number)
		}
		o.Strict()
		checkIssues(t, o.Err())
	})
}

func checkIssues(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var invalid *Invalid
	if !errors.As(err, &invalid) || len(invalid.Issues) == 0 || len(invalid.Issues) > maxIssues {
		t.Fatalf("not a bounded *Invalid: %v", err)
	}
	out, err := jsontext.Marshal(invalid.Issues)
	if err != nil || !json.Valid(out) {
		t.Fatalf("issues are not JSON: %s, %v", out, err)
	}
}
