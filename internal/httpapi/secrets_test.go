package httpapi

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
)

// TestSecretsAreNowhere plants secrets in connections and integrations and checks that they do not appear in the
// database file, its write-ahead log, the server log, responses, including those of rejected requests, or the audit
// log.
func TestSecretsAreNowhere(t *testing.T) {
	directory := t.TempDir()
	f := newFixture(t, func(o *Options) {
		// A separate database, whose files are known.
		if err := o.Catalog.Backup(t.Context(), disk.Disk{}, filepath.Join(directory, "catalog.db")); err != nil {
			t.Fatal(err)
		}
		c, err := catalog.Open(t.Context(), filepath.Join(directory, "catalog.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		o.Catalog, o.Prices = c, pricing.NewLists(o.Prices.Defaults(), c)
	})
	const planted = "planted-s3cr3t"
	var seen bytes.Buffer
	request := func(status int, s scenario) {
		t.Helper()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, s.request())
		if w.Code != status {
			t.Errorf("%s %s: status %d, want %d: %s", s.method, s.path, w.Code, status, w.Body)
		}
		_, _ = fmt.Fprintln(&seen, w.Header(), w.Body)
	}
	secret := planted + "-and-more"
	for _, status := range []int{201, 200} {
		request(status, scenario{method: "PUT", path: connectionsPath, key: "project", body: `{"provider":"p","adapter":"openai","secretKey":"` + secret + `","extraHeaders":{"X-Token":"` + secret + `"}}`})
	}
	for _, body := range []string{
		`{"provider":"p","adapter":"bedrock","secretKey":"` + secret + `","config":{"region":"r"}}`,
		`{"provider":"p","adapter":"bedrock","secretKey":"{\"apiKey\":[\"` + secret + `\"]}","config":{"region":"r"}}`,
		`{"provider":"","adapter":"` + secret + `","secretKey":["` + secret + `"],"extraHeaders":{"X":["` + secret + `"],"Y":"` + secret + `\n"},"baseURL":"https://u:` + secret + `@example.org"}`,
		`{"provider":"p","adapter":"openai","secretKey":"` + secret + `","baseURL":"` + secret + `"}`,
		`{"provider":"p","adapter":"openai","secretKey":"` + secret,
	} {
		request(400, scenario{method: "PUT", path: connectionsPath, key: "project", body: body})
	}
	request(200, scenario{path: connectionsPath, key: "project"})
	for range 2 {
		request(200, scenario{method: "PUT", path: blobPath, key: "organization", body: integration(`,"secretAccessKey":"` + secret + `"`)})
	}
	request(400, scenario{method: "PUT", path: blobPath, key: "organization", body: integration(`,"secretAccessKey":["` + secret + `"]`)})
	request(400, scenario{method: "PUT", path: blobPath, key: "organization", body: integration(`,"accessKeyId":null,"secretAccessKey":"` + secret + `"`)})
	request(200, scenario{path: blobPath, key: "organization"})
	request(200, scenario{path: blobPath + "/project-a", key: "organization"})
	for _, query := range []string{"", "?format=jsonl"} {
		request(200, scenario{path: auditPath + query, key: "organization"})
		request(200, scenario{path: adminAuditPath + query, header: adminHeader()})
	}

	log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range log {
		if e.ResourceKind == "llmConnection" || e.ResourceKind == "blobStorageIntegration" {
			found++
		}
		_, _ = fmt.Fprintln(&seen, e.ResourceID, string(e.Before), string(e.After))
	}
	if found != 4 {
		t.Errorf("%d audit entries, want 4", found)
	}
	seen.WriteString(f.log.String())
	files, err := filepath.Glob(filepath.Join(directory, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of the database: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(content)
	}
	if !bytes.Contains(seen.Bytes(), []byte("eu-central-1")) || !bytes.Contains(seen.Bytes(), []byte("X-Token")) {
		t.Error("what was stored is not in the files that were looked at")
	}
	if at := bytes.Index(seen.Bytes(), []byte(planted)); at >= 0 {
		t.Errorf("a secret is found: %q", seen.Bytes()[max(0, at-200):min(seen.Len(), at+50)])
	}
}
