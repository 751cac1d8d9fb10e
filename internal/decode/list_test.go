package decode

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStrictQuery(t *testing.T) {
	read := func(q *Query) {
		q.String("a")
		q.Int("b", IntRule{Max: 10})
		q.CommaList("c")
		q.Date("d")
		q.Strict()
	}
	for query, want := range map[string]string{
		"":                        ``,
		"a=1&b=2&c=3&d=2020":      ``,
		"foo=1":                   `[{"code":"unrecognized_keys","keys":["foo"],"path":[],"message":"Unrecognized key: \"foo\""}]`,
		"foo=1&a=1&bar=2&foo=3":   `[{"code":"unrecognized_keys","keys":["bar","foo"],"path":[],"message":"Unrecognized keys: \"bar\", \"foo\""}]`,
		"A=1":                     `[{"code":"unrecognized_keys","keys":["A"],"path":[],"message":"Unrecognized key: \"A\""}]`,
		"b=11&foo=1&c=x&c=y&d=no": `[{"origin":"number","code":"too_big","maximum":10,"inclusive":true,"path":["b"],"message":"Too big: expected number to be <=10"},{"expected":"string","code":"invalid_type","path":["c"],"message":"Invalid input: expected string, received array"},{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["d"],"message":"Invalid input: expected date, received Date"},{"code":"unrecognized_keys","keys":["foo"],"path":[],"message":"Unrecognized key: \"foo\""}]`,
	} {
		q := queryOf(t, query)
		read(q)
		if got := issuesJSON(t, q.Err()); got != want {
			t.Errorf("issues of %q:\n got %s\nwant %s", query, got, want)
		}
	}
}

func TestIssuesHas(t *testing.T) {
	q := queryOf(t, "b=11")
	if q.Has("too_big") {
		t.Error("a query that nobody read has an issue")
	}
	q.Int("b", IntRule{Max: 10})
	if !q.Has("invalid_type", "too_big") || q.Has("invalid_type") {
		t.Errorf("wrong codes of %s", issuesJSON(t, q.Err()))
	}
}

func TestCommas(t *testing.T) {
	for query, want := range map[string][]string{
		"":                  nil,
		"l=":                nil,
		"l=,+,,":            nil,
		"l=a":               {"a"},
		"l=a,b":             {"a", "b"},
		"l=+a+,,b+c,%09d":   {"a", "b c", "d"},
		"l=a%2Cb":           {"a", "b"},
		"l=A,a":             {"A", "a"},
		"l=a&l=b":           nil, // with an issue
		"l=" + numbers(999): strings.Split(numbers(999), ","),
	} {
		if diff := cmp.Diff(want, queryOf(t, query).CommaList("l")); diff != "" {
			t.Errorf("%.50s: %s", query, diff)
		}
	}
	q := queryOf(t, "l="+numbers(1001))
	if list := q.CommaList("l"); list != nil {
		t.Errorf("a list of %d items is accepted", len(list))
	}
	const want = `[{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["l"],"message":"Too big: expected array to have <=1000 items"}]`
	if got := issuesJSON(t, q.Err()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// numbers returns the numbers up to n, separated by commas.
func numbers(n int) string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ",")
}

func queryOf(t *testing.T, text string) *Query {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return NewQuery(values)
}
