package sdk

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"almanac/test/harness"
	"almanac/test/langfusetest"
)

// TestOldKeys imports an installation from its databases. Its clients keep working with their keys, and the hashes of
// the old program are replaced on use.
func TestOldKeys(t *testing.T) {
	t.Parallel()
	old := langfusetest.Start(t)
	data := filepath.Join(t.TempDir(), "new")
	if stdout, stderr, code := harness.Run(t, "import", "langfuse", "--postgres", old.Postgres, "--clickhouse", old.ClickHouse,
		"--data", data,
		"--salt", langfusetest.Salt, "--source-encryption-key", langfusetest.EncryptionKey); code != 0 {
		t.Fatalf("%d %s%s", code, stdout, stderr)
	}
	s := harness.StartOn(t, data)
	environment := []string{
		"ALMANAC_URL=" + s.URL, "ALMANAC_PUBLIC_KEY=" + langfusetest.ProjectKey, "ALMANAC_SECRET_KEY=" + langfusetest.Secret,
	}
	t.Run("clients", func(t *testing.T) {
		for name, command := range map[string][]string{"Python": {python, "import_check.py"}, "JavaScript": {"node", "import_check.mjs"}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if out := run(t, environment, command[0], command[1:]...); !strings.HasSuffix(out, "ok\n") {
					t.Error(out)
				}
			})
		}
	})
	if status, body := s.Do(t, "GET", "/api/public/projects", langfusetest.ProjectKey, langfusetest.Secret+"x",
		""); status != http.StatusUnauthorized {
		t.Errorf("a wrong secret is answered with %d %s", status, body)
	}
	s.Stop(t)
	if _, log := s.Printed(); strings.Count(log, "replaced its imported hash") != 1 {
		t.Error("the log does not say, once, that the imported hash was replaced")
	}

	// A server with another encryption key cannot read old hashes. The key that was used has a new hash, the other one
	// does not.
	s = harness.StartOn(t, data, "--encryption-key", strings.Repeat("1c", 32))
	if status, body := s.Do(t, "GET", "/api/public/v2/prompts/greet", langfusetest.ProjectKey, langfusetest.Secret,
		""); status != http.StatusOK {
		t.Errorf("the key that was used is answered with %d %s", status, body)
	}
	if status, body := s.Do(t, "GET", "/api/public/organizations/projects", langfusetest.OrganizationKey, langfusetest.Secret,
		""); status != http.StatusServiceUnavailable {
		t.Errorf("a key that has its old hash is answered with %d %s", status, body)
	}
	s.Stop(t)
	s = harness.StartOn(t, data)
	if status, body := s.Do(t, "GET", "/api/public/organizations/projects", langfusetest.OrganizationKey, langfusetest.Secret,
		""); status != http.StatusOK {
		t.Errorf("a key that has its old hash is answered with %d %s", status, body)
	}
}
