package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/media"
)

// addMedium adds a medium to an installation, and returns the file that holds it.
func addMedium(t *testing.T, data string) (file string) {
	t.Helper()
	c, err := catalog.Open(t.Context(), datadir.CatalogFile(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateProject(t.Context(), domain.OfOrganization("acme"), tenants.NewProject{ID: "p", Name: "p"}, operator); err != nil {
		t.Fatal(err)
	}
	blobs, err := blob.OpenDirectory(datadir.MediaDir(data))
	if err != nil {
		t.Fatal(err)
	}
	content := []byte(strings.Repeat("a picture ", 100))
	hash := sha256.Sum256(content)
	library := &media.Library{Catalog: c, Blobs: blobs}
	if err := library.Keep(t.Context(), domain.OfProject("p"), []media.Extracted{{
		ContentType: "image/png", SHA256: base64.StdEncoding.EncodeToString(hash[:]), Data: content,
		Link: domain.MediumLink{TraceID: "t", Field: "input"},
	}}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return mediaFile(t, data)
}

// mediaFile returns the only medium of a data directory or a backup.
func mediaFile(t *testing.T, data string) (file string) {
	t.Helper()
	if err := filepath.WalkDir(datadir.MediaDir(data), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			file = path
		}
		return err
	}); err != nil || file == "" {
		t.Fatalf("no medium, %v", err)
	}
	return file
}

// TestDamagedMediaAreNoticed damages a medium, or removes it: neither a restore nor a backup may say that all is well.
func TestDamagedMediaAreNoticed(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, file string){
		"flipped": func(t *testing.T, file string) { damageOne(t, file) },
		"missing": func(t *testing.T, file string) {
			t.Helper()
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		},
		"cut": func(t *testing.T, file string) {
			t.Helper()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(file); err != nil { // a backup shares it
				t.Fatal(err)
			}
			if err := os.WriteFile(file, content[:10], 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := newInstallation(t, true)
			addMedium(t, data)
			backup := filepath.Join(t.TempDir(), "backup")
			mustRun(t, "backup", backup, "--data", data)
			damage(t, mediaFile(t, backup))
			restored := filepath.Join(t.TempDir(), "restored")
			stdout, stderr, code := runHere("restore", backup, "--data", restored)
			if code != 1 || !strings.Contains(stdout, "FAULT  medium ") || strings.Contains(stdout, "Restored") ||
				!strings.Contains(stderr, "1 faults found") {
				t.Errorf("restore: %d %s%s", code, stdout, stderr)
			}
			damage(t, mediaFile(t, data))
			stdout, stderr, code = runHere("backup", filepath.Join(t.TempDir(), "second"), "--data", data)
			if code != 1 || !strings.Contains(stdout, "FAULT  medium ") || !strings.Contains(stderr, "1 faults found") {
				t.Errorf("backup: %d %s%s", code, stdout, stderr)
			}
		})
	}
}

// TestExportKeepsTheFile checks that an export that fails leaves an existing file alone, and that it waits for a server
// that is being restarted.
func TestExportKeepsTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(file, []byte("yesterday\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var polls, downloads atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost || r.Method == http.MethodDelete:
			_, _ = w.Write([]byte(`{"id":"e1","state":"running"}`))
		case r.URL.Path == "/api/public/exports/e1" && polls.Add(1) == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/api/public/exports/e1":
			_, _ = w.Write([]byte(`{"id":"e1","state":"done","rows":1,"downloadUrl":"http://elsewhere/api/public/exports/e1/file"}`))
		case downloads.Add(1) == 1:
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("part of it")) // and then the connection breaks
		default:
			_, _ = w.Write([]byte("today\n"))
		}
	}))
	defer server.Close()
	run := func(address string) (string, int) {
		_, stderr, code := runHere("export", "observations", "-o", file, "--url", address, "--public-key", "pk", "--secret-key", "sk")
		return stderr, code
	}
	content := func() string {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if stderr, code := run(gone.URL); code != 1 || content() != "yesterday\n" {
		t.Errorf("%d %s, the file has %q", code, stderr, content())
	}
	if stderr, code := run(server.URL); code != 0 || content() != "today\n" {
		t.Errorf("%d %s, the file has %q", code, stderr, content())
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
}
