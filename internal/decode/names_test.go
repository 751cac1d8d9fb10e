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
