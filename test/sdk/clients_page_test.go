package sdk

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestClientsPage compares the versions in docs/clients.md with those installed.
func TestClientsPage(t *testing.T) {
	t.Parallel()
	page := read(t, "../../docs/clients.md")
	installed := make(map[string]bool)
	for _, file := range []string{
		"requirements.txt", "requirements-previous.txt", "requirements-older.txt", "requirements-frameworks.txt",
	} {
		for _, pin := range regexp.MustCompile(`(?m)^([\w-]+)==(\S+)$`).FindAllStringSubmatch(read(t, file), -1) {
			installed[fmt.Sprintf("`%s` %s", pin[1], pin[2])] = true
		}
	}
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(read(t, "package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	for name, version := range manifest.Dependencies {
		installed[fmt.Sprintf("`%s` %s", name, version)] = true
	}
	named := regexp.MustCompile("`[@\\w/-]+` \\d[\\w.]*").FindAllString(page, -1)
	if len(named) < 20 {
		t.Errorf("the page names %d packages only: %q", len(named), named)
	}
	for _, name := range named {
		if !installed[name] {
			t.Errorf("%s is not what is installed", name)
		}
	}
	version := regexp.MustCompile(`/telemetrygen v(\S+)`).FindStringSubmatch(read(t, "../exporters/go.mod"))
	if version == nil || !strings.Contains(page, "| telemetrygen | "+version[1]+" |") {
		t.Errorf("the page does not name telemetrygen %q", version)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
