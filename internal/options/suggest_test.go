package options

import (
	"strings"
	"testing"
)

func TestSuggestion(t *testing.T) {
	names := []string{"--listen", "--list", "--data", "--max-header"}
	for typed, want := range map[string]string{
		"--lisen":                         `, did you mean one of "--listen", "--list"?`,
		"--dta":                           `, did you mean "--data"?`,
		"--Data":                          `, did you mean "--data"?`,
		"-data":                           `, did you mean "--data"?`,
		"--max":                           `, did you mean "--max-header"?`,
		"--headers":                       "",
		"--x":                             "",
		"--":                              "",
		"":                                "",
		"--da":                            `, did you mean "--data"?`,
		"--ta":                            "",
		"--lisstenn":                      `, did you mean "--listen"?`,
		"--" + strings.Repeat("l", 1<<20): "",
	} {
		if got := suggestion(typed, names); got != want {
			t.Errorf("%.20s%s, want %s", typed, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	cases := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "bc", 1},
		{"ab", "ba", 2},
		{"kitten", "sitting", 3},
		{"größe", "grösse", 2},
	}
	for _, c := range cases {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("from %q to %q is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
