package legacy

import (
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/ingest"
)

// masks returns masking rules.
func masks(t *testing.T, rules string) *ingest.Masks {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(path, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := ingest.LoadMasks(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
