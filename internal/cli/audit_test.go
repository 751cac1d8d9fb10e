package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/buildinfo"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/datadir"
	"almanac/internal/domain"
)

// TestAudit reads the changes made by commands and a client, as a table and as lines of JSON.
func TestAudit(t *testing.T) {
	data := newInstallation(t, false)
	ok := func(args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, code := runHere(append(args, "--data", data)...)
		if code != 0 {
			t.Fatalf("almanac %v: %s", args, stderr)
		}
		return stdout, stderr
	}
	audit := func(args ...string) string {
		t.Helper()
		stdout, stderr := ok(append([]string{"audit"}, args...)...)
		if stderr != "" {
			t.Errorf("almanac audit %v: %s", args, stderr)
		}
		return stdout
	}
	ok("organizations", "create", "Other", "--id", "other")
	ok("projects", "create", "Bot", "--id", "bot", "--organization", "other", "--retention", "30")
	keys, _ := ok("keys", "create", "--project", "bot", "--note", "planted note")
	_, secret, _ := strings.Cut(strings.TrimSpace(keys), "LANGFUSE_SECRET_KEY=")

	c, err := catalog.Open(t.Context(), datadir.CatalogFile(data))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx := domain.WithOrigin(t.Context(), domain.Origin{Address: "203.0.113.9", RequestID: "r-1", Client: strings.Repeat("long/", 20)})
	if _, err := c.UpdateProject(ctx, domain.OfOrganization("other"), "bot", tenants.ProjectChange{Name: "Bot", RetentionDays: new(7)},
		domain.Actor{Kind: "api-key", ID: "k1"}); err != nil {
		t.Fatal(err)
	}
	if err := c.RecordDeletion(ctx, domain.OfProject("bot"), "trace", []string{"evil\x1b[2J\tid"},
		domain.Actor{Kind: "api-key", ID: "k1"}); err != nil {
		t.Fatal(err)
	}

	table := strings.Split(strings.TrimSpace(audit("--organization", "other")), "\n")
	fields := func(line string) string { return strings.Join(strings.Fields(line)[2:], " ") } // after the time
	client := "almanac " + buildinfo.Version()
	for n, want := range []string{
		"ACTOR ACTION TYPE ID IN ADDRESS CLIENT CHANGED",
		"api-key k1 delete trace evil?[2J?id project bot 203.0.113.9 long/long/long/long/long/long/long/long…",
		"api-key k1 update project bot project bot 203.0.113.9 long/long/long/long/long/long/long/long… retentionDays",
	} {
		if n >= len(table) || fields(table[n]) != want {
			t.Errorf("line %d is %q, want %q", n, table[n:], want)
		}
	}
	if len(table) != 6 || !strings.HasPrefix(fields(table[3]), "cli create apiKey ") || !strings.Contains(table[3], cell(client)) {
		t.Errorf("the table is %q", table)
	}

	lines := audit("--format", "jsonl")
	if strings.Count(lines, "\n") != 7 || strings.Contains(lines, secret) || !strings.Contains(lines, "planted note") {
		t.Errorf("the lines are\n%s", lines)
	}
	var newest struct {
		ResourceID, Address, RequestID string
		Actor                          struct{ Type, ID string }
	}
	first, _, _ := strings.Cut(lines, "\n")
	if err := json.Unmarshal([]byte(first), &newest); err != nil || newest.ResourceID != "evil\x1b[2J\tid" ||
		newest.Address != "203.0.113.9" ||
		newest.RequestID != "r-1" || newest.Actor.ID != "k1" {
		t.Errorf("the first line is %s: %v", first, err)
	}
	for _, test := range []struct {
		want  int
		words string
	}{
		{7, ""},
		{5, "--organization other"},
		{4, "--project bot"},
		{2, "--actor-type api-key"},
		{2, "--actor k1"},
		{1, "--action update"},
		{2, "--resource-type project"},
		{2, "--resource bot"},
		{0, "--from 2090-01-01"},
		{0, "--to 1990-01-01T00:00:00Z"},
		{3, "--limit 3"},
		{1, "--project bot --action create --resource-type project"},
		{0, "--organization nope"},
	} {
		if got := strings.Count(audit(append(strings.Fields(test.words), "--format", "jsonl")...), "\n"); got != test.want {
			t.Errorf("%s: %d lines, want %d", test.words, got, test.want)
		}
	}
	stdout, stderr := ok("audit", "--limit", "2")
	if strings.Count(stdout, "\n") != 3 || !strings.Contains(stderr, "newest 2") {
		t.Errorf("a table with a limit: %s%s", stdout, stderr)
	}
	if got := audit("--limit", "7"); strings.Count(got, "\n") != 8 {
		t.Errorf("a table of exactly as many as there are: %s", got)
	}
	for words, want := range map[string]string{
		"--limit 0": "at least 1", "--from yesterday": "2026-11-16", "--action changed": `"create","update","delete"`,
		"--format csv": `"table","jsonl"`,
	} {
		if _, stderr, code := runHere(append(strings.Fields("audit "+words), "--data", data)...); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", words, code, stderr)
		}
	}
	if _, stderr, code := runHere("audit", "--data", t.TempDir()); code == 0 || !strings.Contains(stderr, "--data") {
		t.Errorf("no installation: exit code %d, %s", code, stderr)
	}
}
