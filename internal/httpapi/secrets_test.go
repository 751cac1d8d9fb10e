package httpapi_test

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
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest/pricing"
)

// TestSecretsAreNowhere plants secrets in connections and integrations and checks that they do not appear in the
// database file, its write-ahead log, the server log, responses, including those of rejected requests, or the audit
// log.
func TestSecretsAreNowhere(t *testing.T) {
	directory := t.TempDir()
	f := apitest.New(t, func(o *httpapi.Options) {
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
	request := func(status int, s apitest.Scenario) {
		t.Helper()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, s.Request())
		if w.Code != status {
			t.Errorf("%s %s: status %d, want %d: %s", s.Method, s.Path, w.Code, status, w.Body)
		}
		_, _ = fmt.Fprintln(&seen, w.Header(), w.Body)
	}
	secret := planted + "-and-more"
	for _, status := range []int{201, 200} {
		request(status, apitest.Scenario{
			Method: "PUT", Path: connectionsPath, Key: "project", Body: `{"provider":"p","adapter":"openai","secretKey":"` + secret +
				`","extraHeaders":{"X-Token":"` + secret + `"}}`,
		})
	}
	for _, body := range []string{
		`{"provider":"p","adapter":"bedrock","secretKey":"` + secret + `","config":{"region":"r"}}`,
		`{"provider":"p","adapter":"bedrock","secretKey":"{\"apiKey\":[\"` + secret + `\"]}","config":{"region":"r"}}`,
		`{"provider":"","adapter":"` + secret + `","secretKey":["` + secret + `"],"extraHeaders":{"X":["` + secret + `"],"Y":"` + secret +
			`\n"},"baseURL":"https://u:` + secret + `@example.org"}`,
		`{"provider":"p","adapter":"openai","secretKey":"` + secret + `","baseURL":"` + secret + `"}`,
		`{"provider":"p","adapter":"openai","secretKey":"` + secret,
	} {
		request(400, apitest.Scenario{Method: "PUT", Path: connectionsPath, Key: "project", Body: body})
	}
	request(200, apitest.Scenario{Path: connectionsPath, Key: "project"})
	for range 2 {
		request(200, apitest.Scenario{Method: "PUT", Path: blobPath, Key: "organization", Body: apitest.Integration(`,"secretAccessKey":"` + secret + `"`)})
	}
	request(400, apitest.Scenario{Method: "PUT", Path: blobPath, Key: "organization", Body: apitest.Integration(`,"secretAccessKey":["` + secret + `"]`)})
	request(400, apitest.Scenario{
		Method: "PUT", Path: blobPath, Key: "organization", Body: apitest.Integration(`,"accessKeyId":null,"secretAccessKey":"` + secret + `"`),
	})
	request(200, apitest.Scenario{Path: blobPath, Key: "organization"})
	request(200, apitest.Scenario{Path: blobPath + "/project-a", Key: "organization"})
	for _, query := range []string{"", "?format=jsonl"} {
		request(200, apitest.Scenario{Path: auditPath + query, Key: "organization"})
		request(200, apitest.Scenario{Path: adminAuditPath + query, Header: adminHeader()})
	}

	log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
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
	seen.WriteString(f.Logged.String())
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

const auditPath = "/api/public/organizations/audit-log"

const adminAuditPath = "/api/admin/audit-log"

func adminHeader() map[string]string {
	return map[string]string{"Authorization": "Bearer admin-secret"}
}

const blobPath = "/api/public/integrations/blob-storage"

const connectionsPath = "/api/public/llm-connections"
