package blackbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"almanac/internal/catalog/pgtest"
	"almanac/test/chtest"
	"almanac/test/harness"
)

// TestOutages takes away one after the other of what a server can depend on, and tries every cell of the table in
// docs/operations.md: what it says works is answered as always, and everything else with 503 and Retry-After, in time.
func TestOutages(t *testing.T) {
	table := outageTable(t)
	database, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := database.Stop(); err != nil {
			t.Error(err)
		}
	})
	engine := chtest.StartOwn(t)
	backend := s3mem.New()
	if err := backend.CreateBucket("media"); err != nil {
		t.Fatal(err)
	}
	var bucketAway atomic.Bool
	answers := gofakes3.New(backend).Server()
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bucketAway.Load() {
			panic(http.ErrAbortHandler) // the connection is closed without an answer
		}
		answers.ServeHTTP(w, r)
	}))
	t.Cleanup(bucket.Close)
	s := startForExports(t, filepath.Join(t.TempDir(), "nowhere"),
		"--catalog", database.URL("postgres"), "--store", engine.StoreAddress("outages"),
		"--blob", "s3://media/almanac?endpoint="+bucket.URL, "--blob-access-key=key", "--blob-secret-key=secret",
		"--encryption-key="+strings.Repeat("ab", 32), "--key-cache-life=100ms")

	o := &outage{server: s}
	o.prepare(t)
	parts := []struct {
		name       string
		take, give func() error
	}{
		{"ClickHouse", engine.Kill, engine.Restart},
		{"PostgreSQL", database.Pause, database.Resume},
		{"the bucket", func() error { bucketAway.Store(true); return nil }, func() error { bucketAway.Store(false); return nil }},
	}
	operations := o.operations()
	if len(table.rows) != len(operations) {
		t.Errorf("docs/operations.md has %d lines about outages, and %d operations are tried", len(table.rows), len(operations))
	}
	for _, part := range parts {
		t.Run(part.name+" is away", func(t *testing.T) {
			// Changes of prompts clear the cache, once more when the database tells all servers of them.
			time.Sleep(500 * time.Millisecond)
			operations["prompts served before"](t)
			if err := part.take(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond) // keys are no longer cached
			for name, try := range operations {
				cell := table.cell(t, name, part.name)
				began := time.Now()
				status, retry, body := try(t)
				took := time.Since(began)
				switch works := strings.HasPrefix(cell, "works"); {
				case works && status >= 300:
					t.Errorf("%s: said to work, answered %d %s", name, status, body)
				case !works && (status != http.StatusServiceUnavailable || retry == "" && !strings.Contains(name, "ready")):
					t.Errorf("%s: said to be answered 503, answered %d with Retry-After %q: %s", name, status, retry, body)
				case took > 15*time.Second: // ten are promised
					t.Errorf("%s: answered %d after %s", name, status, took)
				}
			}
			if err := part.give(); err != nil {
				t.Fatal(err)
			}
			for name, try := range operations {
				within(t, name+" works again", 20*time.Second, func() (bool, string) {
					status, _, body := try(t)
					return status < 300, fmt.Sprint(status, " ", body)
				})
			}
		})
	}
}

// outage tries what clients do.
type outage struct {
	server        *harness.Server
	file, content string // id and URL of a stored file
	n             atomic.Int64
}

func (o *outage) prepare(t *testing.T) {
	t.Helper()
	o.file, _ = sendFile(t, o.server, 1000)
	o.content = addressOf(t, o.server, o.file)
	if status, body := o.server.Do(t, "POST", "/api/public/v2/prompts", exportKey, exportPass,
		`{"name":"greeting","prompt":"hello"}`); status >= 300 {
		t.Fatalf("%d %s", status, body)
	}
	for name, try := range o.operations() {
		if status, _, body := try(t); status >= 300 {
			t.Fatalf("%s, before any outage: %d %s", name, status, body)
		}
	}
}

// operations are the lines of the table. Each returns the status of the response, its Retry-After header and its body.
func (o *outage) operations() map[string]func(*testing.T) (int, string, string) {
	request := func(method, path string, body func() string) func(*testing.T) (int, string, string) {
		return func(t *testing.T) (int, string, string) {
			t.Helper()
			text := ""
			if body != nil {
				text = body()
			}
			return o.send(t, method, o.server.URL+path, "application/json", true, []byte(text))
		}
	}
	counted := func(format string) func() string { return func() string { return fmt.Sprintf(format, o.n.Add(1)) } }
	return map[string]func(*testing.T) (int, string, string){
		"receiving traces": func(t *testing.T) (int, string, string) {
			t.Helper()
			body, err := newBatch(2).body()
			if err != nil {
				t.Fatal(err)
			}
			return o.send(t, http.MethodPost, o.server.URL+tracesPath, "application/x-protobuf", true, body)
		},
		"receiving scores":              request("POST", "/api/public/scores", counted(`{"id":"s%d","traceId":"t","name":"n","value":1}`)),
		"reading events":                request("GET", "/api/public/v2/observations", nil),
		"prompts served before":         request("GET", "/api/public/v2/prompts/greeting?label=latest", nil),
		"changes of prompts, settings…": request("POST", "/api/public/v2/prompts", counted(`{"name":"p%d","prompt":"hello"}`)),
		"sending files":                 o.sendFile,
		"fetching files": func(t *testing.T) (int, string, string) {
			t.Helper()
			return o.send(t, http.MethodGet, o.content, "", false, nil)
		},
		"`/api/public/health`": request("GET", "/api/public/health", nil),
		"`/api/public/ready`":  request("GET", "/api/public/ready", nil),
	}
}

// sendFile announces and uploads a file that is not stored yet.
func (o *outage) sendFile(t *testing.T) (status int, retry, body string) {
	t.Helper()
	content := fmt.Appendf(nil, "file %d", o.n.Add(1))
	sum := sha256.Sum256(content)
	announcement := fmt.Sprintf(`{"traceId":"t","field":"input","contentType":"text/plain","contentLength":%d,"sha256Hash":%q}`,
		len(content), base64.StdEncoding.EncodeToString(sum[:]))
	status, retry, body = o.send(t, http.MethodPost, o.server.URL+"/api/public/media", "application/json", true, []byte(announcement))
	var announced struct{ UploadURL string }
	if status != http.StatusCreated {
		return status, retry, body
	}
	if err := json.Unmarshal([]byte(body), &announced); err != nil {
		t.Fatal(err)
	}
	return o.send(t, http.MethodPut, announced.UploadURL, "text/plain", false, content)
}

func (o *outage) send(t *testing.T, method, address, contentType string, withKey bool, body []byte) (status int, retry, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if withKey {
		r.SetBasicAuth(exportKey, exportPass)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Retry-After"), string(read)
}

// outages is the table of docs/operations.md.
type outages struct {
	columns []string
	rows    map[string][]string
}

func outageTable(t *testing.T) outages {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n### When a part is away\n")
	if !found {
		t.Fatal("docs/operations.md has no section about outages")
	}
	table := outages{rows: map[string][]string{}}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") {
			if table.columns != nil {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for n := range cells {
			cells[n] = strings.TrimSpace(cells[n])
		}
		switch {
		case table.columns == nil:
			table.columns = cells
		case !strings.HasPrefix(cells[0], "---"):
			table.rows[cells[0]] = cells
		}
	}
	return table
}

// cell returns what the table says about an operation while a part is away.
func (o outages) cell(t *testing.T, operation, part string) string {
	t.Helper()
	for n, name := range o.columns {
		if name == part && n < len(o.rows[operation]) {
			return o.rows[operation][n]
		}
	}
	t.Fatalf("docs/operations.md does not say what happens to %q without %s", operation, part)
	return ""
}
