package respond

import (
	"strings"
	"testing"
)

func TestAppendMetadata(t *testing.T) {
	long := strings.Repeat
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	for _, c := range []struct{ name, text, expand, want string }{
		{"unset", "", "", `{}`},
		{"empty", "{}", "", `{}`},
		{"typed", `{"s":"42","n":42,"b":true,"l":["a",1],"z":null,"e":""}`, "", `{"s":"42","n":42,"b":true,"l":["a",1],"z":null,"e":""}`},
		{"dotted keys stay flat", `{"a.b":1,"a.c.d":"x"}`, "", `{"a.b":1,"a.c.d":"x"}`},
		{"200 characters", `{"a":"` + long("x", 200) + `","b":1}`, "", `{"a":"` + long("x", 200) + `","b":1}`},
		{"201 characters", `{"a":"` + long("x", 201) + `","b":1}`, "", `{"a":"` + long("x", 200) + `","b":1}`},
		{
			"only the long ones", `{"a":1,"b":"` + long("x", 300) + `","c":2,"d":"` + long("y", 999) + `","e":3}`, "",
			`{"a":1,"b":"` + long("x", 200) + `","c":2,"d":"` + long("y", 200) + `","e":3}`,
		},
		{
			"code points, not bytes", `{"a":"` + long("é", 201) + `","b":"` + long("😀", 200) + `"}`, "",
			`{"a":"` + long("é", 200) + `","b":"` + long("😀", 200) + `"}`,
		},
		{
			"escapes are one character", `{"a":"` + long(`\n`, 201) + `","b":"` + long(`\"`, 200) + `","c":"` + long(`\u0001`, 999) + `"}`,
			"",
			`{"a":"` + long(`\n`, 200) + `","b":"` + long(`\"`, 200) + `","c":"` + long(`\u0001`, 200) + `"}`,
		},
		{"pairs are one character", `{"a":"` + long(`\ud83d\ude00`, 201) + `"}`, "", `{"a":"` + long(`\ud83d\ude00`, 200) + `"}`},
		{"halves of pairs are characters", `{"a":"` + long(`\ud83d`, 201) + `"}`, "", `{"a":"` + long(`\ud83d`, 200) + `"}`},
		{"wrong bytes are characters", `{"a":"` + long("\xff", 201) + `"}`, "", `{"a":"` + long("\uFFFD", 200) + `"}`},
		{"an escape at the end", `{"a":"` + long("x", 199) + `\\y"}`, "", `{"a":"` + long("x", 199) + `\\"}`},
		{"a list of 199 characters", `{"a":` + list(99) + `}`, "", `{"a":` + list(99) + `}`},
		{"a long list", `{"a":` + list(101) + `,"b":1}`, "", `{"a":"` + list(101)[:200] + `","b":1}`},
		{"a long list of texts", `{"a":["` + long("é", 300) + `"]}`, "", `{"a":"[\"` + long("é", 198) + `"}`},
		{"a list of many bytes", `{"a":["` + long("é", 190) + `"]}`, "", `{"a":["` + long("é", 190) + `"]}`},
		{"a long number", `{"a":` + long("7", 250) + `,"b":1}`, "", `{"a":"` + long("7", 200) + `","b":1}`},
		{"an object", `{"a":{"b":"` + long("x", 300) + `"}}`, "", `{"a":"{\"b\":\"` + long("x", 194) + `"}`},
		{
			"a listed key", `{"a":"` + long("x", 300) + `","b":"` + long("y", 300) + `"}`, "b",
			`{"a":"` + long("x", 200) + `","b":"` + long("y", 300) + `"}`,
		},
		{
			"a listed key above", `{"a.b":"` + long("x", 300) + `","ab":"` + long("y", 300) + `"}`, "a",
			`{"a.b":"` + long("x", 300) + `","ab":"` + long("y", 200) + `"}`,
		},
		{"a listed list", `{"a":` + list(500) + `}`, "a", `{"a":` + list(500) + `}`},
		{"an unknown listed key", `{"a":"` + long("x", 300) + `"}`, "nope", `{"a":"` + long("x", 200) + `"}`},
		{"wrong bytes in keys", "{\"a\xffb\":1}", "", "{\"a\uFFFDb\":1}"},
		{"damaged at the end", `{"a":"` + long("x", 300) + `","b":`, "", `{}`},
		{"damaged within", `{"a":1 "b":2}`, "", `{}`},
		{"no object", `[1,2]`, "", `{}`},
		{"something behind it", `{"a":1}{"b":2}`, "", `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			expand, refused := ParseExpand(c.expand)
			if refused != nil {
				t.Fatal(refused)
			}
			if got := string(appendMetadata([]byte("before"), "", c.text, expand, nil)); got != "before"+c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAppendNestedMetadata(t *testing.T) {
	deepKey := strings.Repeat("a.", 40) + "b"
	for _, c := range []struct{ name, text, want string }{
		{"unset", "", `{}`},
		{"empty", "{}", `{}`},
		{"flat", `{"k":"v","n":5}`, `{"k":"v","n":5}`},
		{"nested", `{"context.nested.x":1,"context.y":[2],"k":"v"}`, `{"context":{"nested":{"x":1},"y":[2]},"k":"v"}`},
		{"apart", `{"a.x":1,"b":2,"a.y":3}`, `{"a":{"x":1,"y":3},"b":2}`},
		{"names that continue another", `{"a-b.x":1,"a.x":2,"ab.x":3,"a!":4}`, `{"a":{"x":2},"a!":4,"a-b":{"x":1},"ab":{"x":3}}`},
		{"a value and values below it", `{"a.b":1,"a":2,"a.c.d":3}`, `{"a":2,"a.b":1,"a.c.d":3}`},
		{"a value and values below it, within", `{"x.a.b":1,"x.a":2,"x.c.d":3}`, `{"x":{"a":2,"a.b":1,"c":{"d":3}}}`},
		{
			"attributes keep their names",
			`{"attributes.http.method":"GET","resourceAttributes.service.name":"svc","scope.attributes.a.b":1,` +
				`"scope.name":"sdk","my.attributes.a.b":2}`,
			`{"attributes":{"http.method":"GET"},"my":{"attributes":{"a":{"b":2}}},"resourceAttributes":{"service.name":"svc"},` +
				`"scope":{"attributes":{"a.b":1},"name":"sdk"}}`,
		},
		{"attributes below one another", `{"attributes.a":1,"attributes.a.b":2}`, `{"attributes":{"a":1,"a.b":2}}`},
		{"empty names", `{".a":1,"b.":2,"..":3,"":4}`, `{"":4,"..":3,".a":1,"b":{"":2}}`},
		{"escapes", `{"a\"b.c\n":1,"a\"b.d":2}`, `{"a\"b":{"c\n":1,"d":2}}`},
		{"wrong bytes", "{\"a\xff.b\":\"\xfe\"}", "{\"a\uFFFD\":{\"b\":\"\uFFFD\"}}"},
		{"objects", `{"a":{"b":{"c":1}},"a.d":2}`, `{"a":{"b":{"c":1}},"a.d":2}`},
		{"long values", `{"a":"` + strings.Repeat("x", 999) + `"}`, `{"a":"` + strings.Repeat("x", 999) + `"}`},
		{
			"too many names", `{"` + deepKey + `":1}`, strings.Repeat(`{"a":`, 31) + `{"` + strings.Repeat("a.", 9) + `b":1}` +
				strings.Repeat("}", 31),
		},
		{"damaged", `{"a":1`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(appendNestedMetadata([]byte("before"), "", c.text, nil)); got != "before"+c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
