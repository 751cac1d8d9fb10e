package respond

import (
	"slices"
	"testing"
)

func TestFieldGroups(t *testing.T) {
	seen := map[string]string{}
	for _, group := range FieldGroups() {
		if len(group.Fields) == 0 {
			t.Errorf("%s has no fields", group.Group)
		}
		for _, field := range group.Fields {
			if other, twice := seen[field]; twice {
				t.Errorf("%s is in %s and in %s", field, other, group.Group)
			}
			seen[field] = group.Group
		}
		if group.Default != slices.Contains([]string{"core", "basic"}, group.Group) {
			t.Errorf("%s: default is %v", group.Group, group.Default)
		}
	}
	want := map[string]string{
		"id": "core", "name": "basic", "input": "io", "latency": "metrics", "traceName": "trace_context", "promptName": "prompt",
	}
	for field, group := range want {
		if seen[field] != group {
			t.Errorf("%s is in %q, want %s", field, seen[field], group)
		}
	}
}
