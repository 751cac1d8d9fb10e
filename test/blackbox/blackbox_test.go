// Package blackbox tests the real program from outside, as operators see it.
package blackbox

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // to make a catalog of a newer version

	"almanac/internal/catalog/pgtest"
	"almanac/test/harness"
)

func TestMain(m *testing.M) {
	code := m.Run()
	harness.Clean()
	os.Exit(code)
}

// TestFirstMinute does what a newcomer does: start, copy the curl lines, and see a first trace.
func TestFirstMinute(t *testing.T) {
	s := harness.Start(t)
	stdout, _ := s.Printed()
	for _, part := range []string{
		"langfuse.auth_check()", `base_url="` + s.URL + `"`, "LangfuseClient", `baseUrl: "` + s.URL + `"`, "/api/docs",
	} {
		if !strings.Contains(stdout, part) {
			t.Errorf("the first start does not print %s", part)
		}
	}
	lines := regexp.MustCompile(`(?s)curl -u .*?\n\n`).FindString(stdout)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(lines, "curl ", "curl -s ")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"name":"hello"`) {
		t.Errorf("the printed lines %q give %s, %v", lines, out, err)
	}
	if status, body := s.Get(t, "/api/public/projects"); status != 200 || !strings.Contains(body, `"name":"My project"`) {
		t.Errorf("%d %s", status, body)
	}

	// The next start keeps everything and shows no secret.
	if code := s.Signal(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d after SIGTERM", code)
	}
	again := harness.StartOn(t, s.Data)
	stdout, log := again.Printed()
	if again.PublicKey != "" || strings.Contains(stdout+log, s.SecretKey) {
		t.Errorf("the second start shows keys: %s", stdout)
	}
	again.PublicKey, again.SecretKey = s.PublicKey, s.SecretKey
	if status, _ := again.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("the key does not work after a restart: %d", status)
	}
	if code := again.Signal(t, os.Interrupt); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestHeadlessStart(t *testing.T) {
	s := harness.Start(t, "--init-org-id=acme", "--init-project-id=bot", "--init-project-name=Support bot",
		"--init-project-public-key=pk-lf-1234567890", "--init-project-secret-key=sk-lf-1234567890")
	status, body := s.Do(t, "GET", "/api/public/projects", "pk-lf-1234567890", "sk-lf-1234567890", "")
	if status != 200 ||
		body != `{"data":[{"id":"bot","name":"Support bot","organization":{"id":"acme","name":"Provisioned Org"},"metadata":{}}]}` {
		t.Errorf("%d %s", status, body)
	}
	stdout, log := s.Printed()
	if strings.Contains(stdout+log, "sk-lf-1234567890") {
		t.Errorf("the secret is printed:\n%s%s", stdout, log)
	}
}

// TestRefusals checks starts that must fail with one clear line and exit code 1.
func TestRefusals(t *testing.T) {
	running := harness.Start(t)
	address := strings.TrimPrefix(running.URL, "http://")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	newer := newerCatalog(t)
	if err := os.Chmod(newer, 0o700); err != nil { // directories open to others cause a warning
		t.Fatal(err)
	}
	cases := []struct {
		name string
		args []string
		want string
	}{
		{
			"data directory in use",
			[]string{"serve", "--listen", "127.0.0.1:0", "--data", running.Data},
			fmt.Sprintf("is in use by another Almanac (process %d)", running.Process.Process.Pid),
		},
		{"port in use", []string{"serve", "--listen", address, "--data", t.TempDir()}, address + " is in use by another program"},
		{
			"metrics port in use",
			[]string{"serve", "--listen", "127.0.0.1:0", "--metrics-listen", address, "--data", t.TempDir()},
			"choose another address with --metrics-listen",
		},
		{
			"data directory that cannot be made",
			[]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(file, "data")},
			"cannot create the data directory",
		},
		{
			"data directory that cannot be written",
			[]string{"serve", "--listen", "127.0.0.1:0", "--data", "/proc/sys"},
			"cannot write to the data directory",
		},
		{
			"catalog of a newer version",
			[]string{"serve", "--listen", "127.0.0.1:0", "--data", newer},
			"written by a newer version of Almanac",
		},
		{"keys without a catalog", []string{"keys", "list", "--data", t.TempDir()}, "there is no catalog in"},
		{"keys of a newer catalog", []string{"keys", "list", "--data", newer}, "written by a newer version of Almanac"},
		{"no such address", []string{"serve", "--listen", "nonsense", "--data", t.TempDir()}, "cannot listen on the address of --listen"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := harness.Run(t, c.args...)
			if code != 1 || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
				t.Errorf("exit code %d, printed %q and %q; want 1 and one line with %q", code, stdout, stderr, c.want)
			}
		})
	}
	if status, _ := running.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("the running server suffered: %d", status)
	}
}

func newerCatalog(t *testing.T) string {
	t.Helper()
	s := harness.Start(t)
	s.Stop(t)
	db, err := sql.Open("sqlite", filepath.Join(s.Data, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "INSERT INTO schema_versions (version, at) VALUES (9999, 0)"); err != nil {
		t.Fatal(err)
	}
	return s.Data
}

func TestUsage(t *testing.T) {
	if stdout, _, code := harness.Run(t); code != 0 || !strings.Contains(stdout, "Start with: almanac serve") {
		t.Errorf("without arguments: %d %s", code, stdout)
	}
	if stdout, _, code := harness.Run(t, "version"); code != 0 || !strings.Contains(stdout, "API 4.55.0") {
		t.Errorf("version: %d %s", code, stdout)
	}
	if _, stderr, code := harness.Run(t, "serv"); code != 2 || !strings.Contains(stderr, "almanac --help") {
		t.Errorf("a wrong command: %d %s", code, stderr)
	}
}

// TestKeysOfARunningServer creates, uses and revokes keys from the command line while a server runs.
func TestKeysOfARunningServer(t *testing.T) {
	s := harness.Start(t, "--key-cache-life=200ms")
	create := func(args ...string) (public, secret string) {
		t.Helper()
		stdout, stderr, code := harness.Run(t, append([]string{"keys", "create", "--data", s.Data}, args...)...)
		found := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
		if code != 0 || found == nil {
			t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
		}
		return found[1], found[2]
	}
	public, secret := create("--note", "for the test", "--permissions", "traces:read,scores:write", "--expires", "1h")
	if status, body := s.Do(t, "GET", "/api/public/projects", public, secret, ""); status != 200 {
		t.Fatalf("the new key does not work: %d %s", status, body)
	}
	stdout, _, code := harness.Run(t, "keys", "list", "--data", s.Data)
	for _, part := range []string{public, s.PublicKey, "traces:read,scores:write", "for the test", secret[len(secret)-4:]} {
		if code != 0 || !strings.Contains(stdout, part) {
			t.Errorf("keys list lacks %s: %d\n%s", part, code, stdout)
		}
	}
	if strings.Contains(stdout, secret) || strings.Contains(stdout, s.SecretKey) {
		t.Errorf("keys list shows a secret:\n%s", stdout)
	}

	if _, stderr, code := harness.Run(t, "keys", "revoke", secret, "--data", s.Data); code != 1 ||
		!strings.Contains(stderr, "this is a secret key") {
		t.Errorf("revoking by the secret: %d %s", code, stderr)
	}
	if stdout, stderr, code := harness.Run(t, "keys", "revoke", public, "--data", s.Data); code != 0 ||
		!strings.Contains(stdout, "Revoked "+public) {
		t.Errorf("keys revoke: %d %s%s", code, stdout, stderr)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		status, _ := s.Do(t, "GET", "/api/public/projects", public, secret, "")
		if status == 401 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a revoked key still works after 10 s")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, stderr, code := harness.Run(t, "keys", "revoke", public, "--data", s.Data); code != 1 || !strings.Contains(stderr, "not found") {
		t.Errorf("revoking twice: %d %s", code, stderr)
	}
	if _, stderr, code := harness.Run(t, "keys", "create", "--permissions", "nope", "--data", s.Data); code != 1 ||
		!strings.Contains(stderr, `unknown permission "nope"`) {
		t.Errorf("an unknown permission: %d %s", code, stderr)
	}
	if _, stderr, code := harness.Run(t, "keys", "create", "--project", "nope", "--data", s.Data); code != 1 ||
		!strings.Contains(stderr, `project "nope": not found`) {
		t.Errorf("an unknown project: %d %s", code, stderr)
	}

	// An organization key creates a project and a key for it, over HTTP.
	_, body := s.Get(t, "/api/public/projects")
	organization := regexp.MustCompile(`"organization":\{"id":"([^"]+)"`).FindStringSubmatch(body)[1]
	orgPublic, orgSecret := create("--organization", organization)
	status, body := s.Do(t, "POST", "/api/public/projects", orgPublic, orgSecret, `{"name":"Second project"}`)
	if status != 201 {
		t.Fatalf("%d %s", status, body)
	}
	second := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(body)[1]
	if _, stderr, code := harness.Run(t, "keys", "create", "--data", s.Data); code != 1 ||
		!strings.Contains(stderr, "choose one with --project") || !strings.Contains(stderr, second) {
		t.Errorf("keys create with two projects: %d %s", code, stderr)
	}
	if status, _ := s.Do(t, "DELETE", "/api/public/projects/"+second, orgPublic, orgSecret, ""); status != 202 {
		t.Errorf("deleting the project: %d", status)
	}
}

func TestDoctor(t *testing.T) {
	s := harness.Start(t)
	if stdout, stderr, code := harness.Run(t, "doctor", "--data", s.Data); code != 0 ||
		!strings.Contains(stdout, "a server is running on it") || !strings.Contains(stdout, "Everything is in order.") {
		t.Errorf("running: %d %s%s", code, stdout, stderr)
	}
	s.Stop(t)
	if stdout, _, code := harness.Run(t, "doctor", "--data", s.Data); code != 0 || !strings.Contains(stdout, "no server is running on it") {
		t.Errorf("stopped: %d %s", code, stdout)
	}
	if stdout, stderr, code := harness.Run(t, "doctor", "--data", filepath.Join(s.Data, "nope")); code != 1 ||
		!strings.Contains(stdout, "does not exist") || !strings.Contains(stderr, "1 faults found") {
		t.Errorf("nothing there: %d %s%s", code, stdout, stderr)
	}
	damage(t, filepath.Join(s.Data, "catalog.db"))
	if stdout, _, code := harness.Run(t, "doctor", "--data", s.Data); code != 1 || !strings.Contains(stdout, "FAULT  catalog") {
		t.Errorf("damaged: %d %s", code, stdout)
	}
}

// TestLostCatalog checks that a server does not start afresh next to events that it has no catalog for.
func TestLostCatalog(t *testing.T) {
	s := harness.Start(t)
	s.Stop(t)
	file := filepath.Join(s.Data, "catalog.db")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := harness.Run(t, "serve", "--listen", "127.0.0.1:0", "--data", s.Data)
	if code != 1 || !strings.Contains(stderr, file+" is missing, but there are events: restore a backup") {
		t.Errorf("%d %s", code, stderr)
	}
}

// damage overwrites the middle of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(strings.Repeat("damage! ", 2048)), min(8192, info.Size()/2)); err != nil {
		t.Fatal(err)
	}
}

// TestPostgresCatalog runs the server with its catalog in PostgreSQL.
func TestPostgresCatalog(t *testing.T) {
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	s := harness.Start(t, "--catalog", server.URL("postgres"))
	if status, body := s.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if _, err := os.Stat(filepath.Join(s.Data, "catalog.db")); err == nil {
		t.Error("there is a catalog file too")
	}
	if stdout, stderr, code := harness.Run(t, "keys", "list", "--catalog", server.URL("postgres")); code != 0 ||
		!strings.Contains(stdout, s.PublicKey) {
		t.Errorf("keys list: %d %s%s", code, stdout, stderr)
	}
	s.Stop(t)
	again := harness.StartOn(t, t.TempDir(), "--catalog", server.URL("postgres"))
	if status, _ := again.Do(t, "GET", "/api/public/projects", s.PublicKey, s.SecretKey, ""); status != 200 {
		t.Errorf("the key does not work on another directory with the same catalog: %d", status)
	}
}

// TestTimeoutsAndHeaders checks clients that are too slow or send too many headers.
func TestTimeoutsAndHeaders(t *testing.T) {
	s := harness.Start(t, "--header-timeout=300ms", "--read-timeout=600ms", "--max-header=8KB")
	exchange := func(start string) string {
		t.Helper()
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, start); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil && !strings.Contains(err.Error(), "reset") {
			t.Fatalf("the server did not hang up: %v", err)
		}
		return string(answer)
	}
	if got := exchange("GET /api/public/health HTTP/1.1\r\nHost: x\r\nX-Slow: "); strings.Contains(got, " 200 ") {
		t.Errorf("a header that never ends is answered with %q", got)
	}
	if got := exchange("POST /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); !strings.HasPrefix(got, "HTTP/1.1 408 ") {
		t.Errorf("a body that never ends is answered with %q", got)
	}
	if got := exchange("GET /api/public/health HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 20<<10) +
		"\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 431 ") {
		t.Errorf("a header of 20 KB is answered with %q", got)
	}
	if status, _ := s.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("status %d afterwards", status)
	}
}

// TestLargeBody sends 100 MB to a route that accepts 1 MB.
func TestLargeBody(t *testing.T) {
	s := harness.Start(t)
	before := residentKB(t, s)
	for name, length := range map[string]int64{"announced": 100 << 20, "chunked": -1} {
		t.Run(name, func(t *testing.T) {
			sent := &countingReader{left: 100 << 20}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/public/score-configs", sent)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = length
			r.SetBasicAuth(s.PublicKey, s.SecretKey) // of a stranger's body, next to nothing is read
			r.Header.Set("Content-Type", "application/json")
			answer, err := http.DefaultClient.Do(r)
			switch {
			case err == nil:
				defer answer.Body.Close()
				if answer.StatusCode != 413 {
					t.Errorf("status %d, want 413", answer.StatusCode)
				}
			case !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe"):
				// The server closes the connection while the client is still sending; some clients notice before they
				// read the response.
				t.Error(err)
			}
			if sent.read > 20<<20 {
				t.Errorf("the server took %d MB", sent.read>>20)
			}
		})
	}
	if after := residentKB(t, s); after > before+20<<10 {
		t.Errorf("resident memory went from %d to %d KB", before, after)
	}
	if status, _ := s.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("status %d afterwards", status)
	}
}

type countingReader struct{ left, read int }

func (r *countingReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left, 64<<10)
	r.left -= n
	r.read += n
	for i := range n {
		p[i] = ' '
	}
	return n, nil
}

// TestRunningRequestsFinish stops the server while a request is being sent.
func TestRunningRequestsFinish(t *testing.T) {
	s := harness.Start(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn,
		"POST /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"name\":"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // the server has the header by now
	if err := s.Process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // and the signal
	if _, err := io.WriteString(conn, "\"x\"}"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the request was cut off: %v", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 401 { // it has no key, but it got its response
		t.Errorf("status %d", answer.StatusCode)
	}
	if code := s.Wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestMonitoringListeners(t *testing.T) {
	s := harness.Start(t, "--metrics-listen", "127.0.0.1:0", "--pprof-listen", "127.0.0.1:0", "--metrics-token", "scrape", "--log-format",
		"json", "--log-level", "debug")
	if status, _ := s.Get(t, "/metrics"); status != 404 {
		t.Errorf("the metrics are still at the API's address: %d", status)
	}
	if status, _ := s.Get(t, "/debug/pprof/"); status != 404 {
		t.Errorf("the profiler is at the API's address: %d", status)
	}
	_, log := s.Printed()
	metrics := regexp.MustCompile(`"metrics":"([^"]+)"`).FindStringSubmatch(log)
	profiler := regexp.MustCompile(`"pprof":"([^"]+)"`).FindStringSubmatch(log)
	if metrics == nil || profiler == nil {
		t.Fatalf("the log does not say where they are: %s", log)
	}
	other := *s
	other.URL = "http://" + metrics[1]
	if status, _ := other.Do(t, "GET", "/metrics", "", "", ""); status != 401 {
		t.Errorf("the metrics are open: %d", status)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer scrape")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 || !strings.Contains(string(text), "almanac_http_requests_total") {
		t.Errorf("%d %.200s", answer.StatusCode, text)
	}
	other.URL = "http://" + profiler[1]
	if status, body := other.Do(t, "GET", "/debug/pprof/", "", "", ""); status != 200 || !strings.Contains(body, "goroutine") {
		t.Errorf("%d %.200s", status, body)
	}
	if !strings.Contains(log, `"msg":"request"`) {
		t.Errorf("at debug level requests are not logged: %s", log)
	}
}

// TestFootprint limits the size of the program on disk and in memory, and its time to start on an empty directory, and
// holds the figures of the README against what it measures. It usually fails because of a new dependency;
// docs/dependencies.md has the weight of each.
func TestFootprint(t *testing.T) {
	const (
		maxBinary   = 60 << 20
		maxIdleKB   = 60 << 10
		maxStart    = 300 * time.Millisecond
		settleAfter = 500 * time.Millisecond
	)
	info, err := os.Stat(harness.Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("the program has %d bytes, at most %d are allowed", info.Size(), maxBinary)
	}
	// The machine may be busy: a program that is fast enough shows it in one of many starts.
	const starts = 20
	var idle int
	fastest := time.Duration(math.MaxInt64)
	for i := 0; i < starts && fastest > maxStart; i++ {
		started := time.Now()
		s := harness.Start(t)
		if status, _ := s.Get(t, "/api/public/projects"); status != 200 {
			t.Fatal(status)
		}
		fastest = min(fastest, time.Since(started))
		if i > 0 {
			continue
		}
		time.Sleep(settleAfter)
		if idle = residentKB(t, s); idle > maxIdleKB {
			t.Errorf("resident memory when idle is %d KB, at most %d are allowed", idle, maxIdleKB)
		}
	}
	if fastest > maxStart {
		t.Errorf("the first request was answered %v after the start, the fastest of %d; at most %v is allowed", fastest, starts, maxStart)
	}
	size, idleMB := float64(info.Size())/1e6, float64(idle)*1024/1e6
	t.Logf("program %.1f MB, idle %.1f MB, first answered request %v after the start on an empty directory",
		size, idleMB, fastest.Round(time.Millisecond))
	// Memory differs between machines and starts, so only a figure that is clearly too good is wrong.
	if said := footprintInREADME(t, "size of the binary"); math.Abs(said-size) > 1.5 {
		t.Errorf("the README says that the program has %v MB, and it has %.1f", said, size)
	}
	if said := footprintInREADME(t, "resident memory when idle"); idleMB > 1.3*said {
		t.Errorf("the README says that the idle program has %v MB, and it has %.1f", said, idleMB)
	}
}

// footprintInREADME returns a figure of the table in the README.
func footprintInREADME(t *testing.T, name string) float64 {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\| ` + name + `[^|]*\| (\d+) MB \|$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the README has no line %q", name)
	}
	figure, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

func residentKB(t *testing.T, s *harness.Server) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no VmRSS in %s", text)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb
}
