package respond

import (
	"fmt"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		list, name string
		want       bool
	}{
		{"", "a", false},
		{" , ", "a", false},
		{"a", "a", true},
		{" b , a ", "a", true},
		{"a", "A", false},
		{"a", "ab", false},
		{"a", "a.b.c", true},
		{"a.b", "a.b.c", true},
		{"a.b", "a.bc", false},
		{"a.b", "a", false},
		{"ab", "a", false},
		{`quo"te`, `quo\"te`, true},
		{`quo"te`, `quo\u0022te.x`, true},
		{"é", "é", true},
		{"é", `\u00e9`, true},
		{"😀", `\ud83d\ude00`, true},
		{"😀", `\ud83d`, false},
		{"tab\tkey", `tab\tkey`, true},
		{"\b\f\n\rx", `\b\f\n\rx`, true},
		{"\b\f\n\rx", `\b\f\n\tx`, false},
		{`back\slash/`, `back\\slash\/`, true},
		{"\xff", "\xff", true},
	} {
		e, err := ParseExpand(c.list)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.has(c.name); got != c.want {
			t.Errorf("%q among %q: %v, want %v", c.name, c.list, got, c.want)
		}
	}
	if e, _ := ParseExpand(" ,,"); e != nil {
		t.Error("a blank list is not the empty set")
	}
}

func TestExpandLimit(t *testing.T) {
	var keys []string
	for i := range MaxExpandedKeys {
		keys = append(keys, fmt.Sprint("k", i), fmt.Sprint("k", i)) // repeated ones do not count
	}
	e, err := ParseExpand(strings.Join(keys, ","))
	if err != nil || !e.has("k255") {
		t.Fatalf("%d keys are refused: %v", MaxExpandedKeys, err)
	}
	_, err = ParseExpand(strings.Join(append(keys, "one-more"), ","))
	if err == nil || err.Status != 400 || len(err.Issues) != 1 {
		t.Fatalf("more keys give %+v", err)
	}
	if want := "Too big: expected array to have <=256 items"; err.Issues[0].Message != want {
		t.Errorf("the message is %q, want %q", err.Issues[0].Message, want)
	}
}
