package domain

import "testing"

func TestExperimentID(t *testing.T) {
	for _, c := range []struct{ project, dataset, run, want string }{
		{"p-1", "d-1", "run-1", "9418f79cf4b07efb"},
		{"p-1", "d-1", "run-2", "2f81748eb22a03b3"},
		{"p-1", "d-1", `A & B <x> é "q"`, "fa8598cc00a7124f"},
	} {
		if got := ExperimentID(c.project, c.dataset, c.run); got != c.want {
			t.Errorf("ExperimentID(%q, %q, %q) = %s, want %s", c.project, c.dataset, c.run, got, c.want)
		}
	}
}

func TestExperimentIDWritesTextAsJavaScriptDoes(t *testing.T) {
	for escaped, want := range map[string]string{
		`"\u2028"`: "\"\u2028\"", `"a\u2029b"`: "\"a\u2029b\"", `"\\u2028"`: `"\\u2028"`, `"\b\f\n\t\u0001"`: `"\b\f\n\t\u0001"`, `"\\"`: `"\\"`,
	} {
		if got := string(unescapeSeparators([]byte(escaped))); got != want {
			t.Errorf("%s became %s, want %s", escaped, got, want)
		}
	}
}
