package domain

import "testing"

func TestExperimentID(t *testing.T) {
	for _, c := range []struct{ project, dataset, run, want string }{
		{"p-1", "d-1", "run-1", "9418f79cf4b07efb"},
		{"p-1", "d-1", "run-2", "2f81748eb22a03b3"},
		{"p-1", "d-1", `A & B <x> é "q"`, "fa8598cc00a7124f"},
		{"p-1", "d-1", "a\u2028b\u2029\\u2028\b\x01", "9d741d28f7552c79"}, // separators that only Go's encoder escapes
	} {
		if got := ExperimentID(c.project, c.dataset, c.run); got != c.want {
			t.Errorf("ExperimentID(%q, %q, %q) = %s, want %s", c.project, c.dataset, c.run, got, c.want)
		}
	}
}
