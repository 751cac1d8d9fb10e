package deploy

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDependenciesAreExplained finds modules required by go.mod that docs/dependencies.md does not mention, and modules
// that it mentions although they are no longer required.
func TestDependenciesAreExplained(t *testing.T) {
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("docs/dependencies.md")
	required := make(map[string]bool)
	for line := range strings.Lines(read("go.mod")) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") {
			continue
		}
		required[fields[0]] = true
		if !strings.Contains(line, "// indirect") && !strings.Contains(page, "`"+fields[0]+"`") {
			t.Errorf("docs/dependencies.md does not explain %s", fields[0])
		}
	}
	if len(required) < 20 {
		t.Fatalf("go.mod requires only %v", required)
	}
	tables, _, _ := strings.Cut(page, "`test/exporters` is a module of its own")
	for line := range strings.Lines(tables) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, name := range regexp.MustCompile("`([a-z]+\\.[a-z.]+/[^`*]+)`").FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			if !required[name[1]] {
				t.Errorf("docs/dependencies.md explains %s, which go.mod does not require", name[1])
			}
		}
	}
}
