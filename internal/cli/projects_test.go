package cli

import (
	"strings"
	"testing"
)

// TestProjects goes from an installation with one organization to projects in two of them.
func TestProjects(t *testing.T) {
	data := newInstallation(t, false)
	ok := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := runHere(append(args, "--data", data)...)
		if code != 0 {
			t.Fatalf("almanac %v: %s", args, stderr)
		}
		return strings.TrimSpace(stdout)
	}
	refused := func(part string, args ...string) {
		t.Helper()
		if stdout, stderr, code := runHere(append(args, "--data", data)...); code == 0 || !strings.Contains(stderr, part) {
			t.Errorf("almanac %v: exit code %d, %s%s, want a refusal with %q", args, code, stdout, stderr, part)
		}
	}
	random := ok("projects", "create", "Support bot")
	if id := ok("projects", "create", "Nightly", "--id", "nightly", "--retention", "30"); id != "nightly" {
		t.Errorf("the id is %q", id)
	}
	if id := ok("organizations", "create", "Other", "--id", "other"); id != "other" {
		t.Errorf("the id is %q", id)
	}
	if id := ok("organizations", "create", "Third"); len(id) < 20 {
		t.Errorf("the id is %q", id)
	}
	ok("projects", "create", "Elsewhere", "--id", "elsewhere", "--organization", "other")

	organizations, projects := ok("organizations", "list"), ok("projects", "list")
	for _, line := range []string{"acme Acme", "other Other"} {
		if !strings.Contains(strings.Join(strings.Fields(organizations), " "), line) {
			t.Errorf("%q is not in\n%s", line, organizations)
		}
	}
	for _, line := range []string{
		random + " Support bot acme forever", "nightly Nightly acme 30 days", "elsewhere Elsewhere other forever",
	} {
		if !strings.Contains(strings.Join(strings.Fields(projects), " "), line) {
			t.Errorf("%q is not in\n%s", line, projects)
		}
	}
	if keys := ok("keys", "create", "--project", "nightly"); !strings.Contains(keys, "LANGFUSE_SECRET_KEY=") {
		t.Errorf("no key for a new project: %s", keys)
	}

	refused("more than one organization", "projects", "create", "Where")
	refused("at least 3 days", "projects", "create", "Short", "--retention", "2")
	refused("at least 3 days", "projects", "create", "Negative", "--retention=-1")
	refused(`"nightly"`, "projects", "create", "Again", "--id", "nightly", "--organization", "acme")
	refused(`"other"`, "organizations", "create", "Again", "--id", "other")
	refused("not found", "projects", "create", "Nowhere", "--organization", "nope")
}
