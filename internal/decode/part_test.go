package decode

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	for body, want := range map[string][]string{
		`{"b":1,"a":{"c":2},"b":3}`: {"b", "a"},
		`{}`:                        nil,
		`[1]`:                       nil,
	} {
		if diff := cmp.Diff(want, NewBody([]byte(body)).Object().Names()); diff != "" {
			t.Errorf("names of %s: %s", body, diff)
		}
	}
}

func TestPart(t *testing.T) {
	part := NewPart([]byte(` {"a":1} `), "body", 3)
	part.Object().Field("a").Text()
	want := `[{"expected":"string","code":"invalid_type","path":["body",3,"a"],"message":"Invalid input: expected string, received number"}]`
	if got := issuesJSON(t, part.Err()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := NewPart(nil, "body").Kind(); got != "undefined" {
		t.Errorf("a nil part is %s", got)
	}
}
