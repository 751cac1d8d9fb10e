package blackbox

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"almanac/internal/catalog/pgtest"
	"almanac/test/chtest"
	"almanac/test/harness"
)

// within polls until ask succeeds, and fails the test if that takes longer than the limit.
func within(t *testing.T, what string, limit time.Duration, ask func() (ok bool, got string)) {
	t.Helper()
	began := time.Now()
	for {
		ok, got := ask()
		took := time.Since(began)
		if ok {
			t.Logf("%s: %v", what, took.Round(100*time.Microsecond))
			return
		}
		if took > limit {
			t.Fatalf("%s: not within %v: %.300s", what, limit, got)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestNodes runs two stateless servers: the catalog is in PostgreSQL, events are in ClickHouse, media in a bucket. Each
// must see what the other does, and both must survive outages of their dependencies.
func TestNodes(t *testing.T) {
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
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	elsewhere := []string{
		"--catalog", database.URL("postgres"), "--store", engine.StoreAddress("nodes"),
		"--blob", "s3://media/almanac?endpoint=" + bucket.URL, "--blob-access-key=key", "--blob-secret-key=secret",
	}
	// Keys are cached for long, so that a server looks again only when it is notified.
	more := slices.Concat(elsewhere, []string{
		"--encryption-key=" + strings.Repeat("ab", 32), "--admin-api-key=admin-key-of-the-nodes", "--key-cache-life=1h",
		"--log-level=debug", "--shutdown-delay=1s",
	})
	start := func() *harness.Server { return startForExports(t, nowhere, more...) } // it outlives a part of the test
	one, two := start(), start()

	t.Run("rows and files", func(t *testing.T) {
		b := newBatch(3)
		body, err := b.body()
		if err != nil {
			t.Fatal(err)
		}
		if status, answer, _, err := post(t.Context(), one, "application/x-protobuf", "", bytes.NewReader(body)); status != 200 ||
			err != nil {
			t.Fatalf("%d %s %v", status, answer, err)
		}
		if got := observationsOf(t, two, url.Values{"traceId": {b.trace}}); len(got) != 3 {
			t.Errorf("the other server has %d of 3 spans at once", len(got))
		}
		id, sum := sendFile(t, one, 1<<20)
		got := sha256.New()
		if _, err := io.Copy(got, transfer(t, http.MethodGet, addressOf(t, two, id), "", nil, 0).Body); err != nil ||
			!bytes.Equal(got.Sum(nil), sum) {
			t.Errorf("the other server has another file: %v", err)
		}
	})
	t.Run("one score", func(t *testing.T) {
		const writes = 24
		var work sync.WaitGroup
		for n := range writes {
			s := []*harness.Server{one, two}[n%2]
			work.Go(func() {
				body := fmt.Sprintf(`{"id":"shared","traceId":"t","name":"n","value":1,"metadata":{"part%d":true}}`, n)
				if status, answer := s.Do(t, "POST", "/api/public/scores", s.PublicKey, s.SecretKey, body); status != 200 {
					t.Errorf("%d %s", status, answer)
				}
			})
		}
		work.Wait()
		_, body := two.Get(t, "/api/public/v3/scores?limit=10&fields=core,details&id=shared")
		for n := range writes {
			if !strings.Contains(body, fmt.Sprintf(`"part%d":true`, n)) {
				t.Errorf("write %d of one score is lost: %s", n, body)
			}
		}
	})
	t.Run("keys", func(t *testing.T) {
		refused := func(s *harness.Server, path, public, secret string) func() (bool, string) {
			return func() (bool, string) {
				status, body := s.Do(t, "GET", path, public, secret, "")
				return status == 401, body
			}
		}
		use := func(path, public, secret string) {
			t.Helper()
			for _, s := range []*harness.Server{one, two} {
				if status, body := s.Do(t, "GET", path, public, secret, ""); status != 200 {
					t.Fatalf("%d %s", status, body)
				}
			}
		}
		const ofProject, ofOrganization = "/api/public/projects", "/api/public/organizations/apiKeys"
		stdout, stderr, code := harness.Run(t, append([]string{"keys", "create"}, elsewhere...)...)
		created := regexp.MustCompile(`(pk-lf-\S+)[\s\S]*?(sk-lf-\S+)`).FindStringSubmatch(stdout)
		if code != 0 || created == nil {
			t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
		}
		use(ofProject, created[1], created[2])
		if _, stderr, code := harness.Run(t, append([]string{"keys", "revoke", created[1]}, elsewhere...)...); code != 0 {
			t.Fatalf("keys revoke: %d %s", code, stderr)
		}
		within(t, "a key revoked by a command is refused by one", time.Second, refused(one, ofProject, created[1], created[2]))
		within(t, "and by the other", time.Second, refused(two, ofProject, created[1], created[2]))

		const admin = "/api/admin/organizations/acme/apiKeys"
		within(t, "a key that is not there", time.Second, refused(two, ofOrganization, "pk-lf-organization", "sk-lf-organization"))
		if answer := authorized(t, one, "POST", admin,
			`{"publicKey":"pk-lf-organization","secretKey":"sk-lf-organization"}`); !strings.Contains(answer, "pk-lf-organization") {
			t.Fatal(answer)
		}
		within(t, "a key made on one is known to the other", time.Second, func() (bool, string) {
			status, body := two.Do(t, "GET", ofOrganization, "pk-lf-organization", "sk-lf-organization", "")
			return status == 200, body
		})
		id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(authorized(t, one, "GET", admin, ""))
		if id == nil {
			t.Fatal("the list of keys has no id")
		}
		authorized(t, one, "DELETE", admin+"/"+id[1], "")
		within(t, "a key revoked on one is refused by the other", time.Second,
			refused(two, ofOrganization, "pk-lf-organization", "sk-lf-organization"))
	})
	t.Run("prompts", func(t *testing.T) {
		for version := range 3 {
			changePrompt(t, one, two, version+1)
		}
	})
	t.Run("jobs", func(t *testing.T) {
		began := func(of ...*harness.Server) (times int) {
			for _, s := range of {
				_, log := s.Printed()
				times += strings.Count(log, `"background job began" kind=retention job=cleanup`)
			}
			return times
		}
		retry := func() (times int) {
			t.Helper()
			before := began(one, two)
			if _, stderr, code := harness.Run(t, append([]string{"jobs", "retry", "cleanup"}, elsewhere...)...); code != 0 {
				t.Fatal(stderr)
			}
			within(t, "somebody does the job", 5*time.Second, func() (bool, string) { return began(one, two) > before, "nobody" })
			return began(one, two) - before
		}
		within(t, "somebody does the job at the start", 5*time.Second, func() (bool, string) { return began(one, two) > 0, "nobody" })
		retry() // it is due in a minute now
		if times := retry(); times != 1 {
			t.Errorf("the job was done %d times", times)
		}
		first, second := one, two
		t.Run("draining", func(t *testing.T) { drain(t, first) })
		retry()
		one, two = second, start()
	})
	ready := func(s *harness.Server, want int) func() (bool, string) {
		return func() (bool, string) {
			status, body := s.Do(t, "GET", "/api/public/ready", "", "", "")
			return status == want, fmt.Sprint(status, " ", body)
		}
	}
	t.Run("PostgreSQL is restarted", func(t *testing.T) {
		if err := database.Pause(); err != nil {
			t.Fatal(err)
		}
		within(t, "not ready", 5*time.Second, ready(one, 503))
		if status, body := one.Do(t, "GET", "/api/public/health", "", "", ""); status != 200 {
			t.Errorf("health: %d %s", status, body)
		}
		if err := database.Resume(); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*harness.Server{one, two} {
			within(t, "ready again", 5*time.Second, ready(s, 200))
			within(t, "hears again", 10*time.Second, func() (bool, string) {
				_, log := s.Printed()
				return strings.Contains(log, "listening for catalog changes again"), log
			})
		}
		changePrompt(t, two, one, 4)
	})
	t.Run("ClickHouse is restarted", func(t *testing.T) {
		if err := engine.Kill(); err != nil {
			t.Fatal(err)
		}
		within(t, "not ready", 5*time.Second, ready(one, 503))
		if err := engine.Restart(); err != nil {
			t.Fatal(err)
		}
		within(t, "ready again", 5*time.Second, ready(one, 200))
	})
	if _, err := os.Stat(nowhere); err == nil {
		t.Error("there is a data directory")
	}
	if stdout, stderr, code := harness.Run(t, append([]string{"doctor"}, elsewhere...)...); code != 0 {
		t.Errorf("doctor: %d %s%s", code, stdout, stderr)
	}
	if _, stderr, code := harness.Run(t, append([]string{"backup", filepath.Join(t.TempDir(), "b")}, elsewhere...)...); code != 1 ||
		!strings.Contains(stderr, "pg_dump") {
		t.Errorf("backup: %d %s", code, stderr)
	}
}

// changePrompt creates a version of a prompt on one server and checks that the other, which has cached the previous
// one, serves it soon.
func changePrompt(t *testing.T, on, seen *harness.Server, version int) {
	t.Helper()
	read := func() string {
		_, body := seen.Get(t, "/api/public/v2/prompts/greeting?label=latest")
		return body
	}
	read()
	if status, body := on.Do(t, "POST", "/api/public/v2/prompts", on.PublicKey, on.SecretKey,
		fmt.Sprintf(`{"name":"greeting","prompt":"version %d"}`, version)); status != 201 && status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	within(t, "a prompt changed on one is served by the other", time.Second, func() (bool, string) {
		body := read()
		return strings.Contains(body, fmt.Sprintf(`"version %d"`, version)), body
	})
}

// authorized sends a request as the administrator and returns the response.
func authorized(t *testing.T, s *harness.Server, method, path, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer admin-key-of-the-nodes")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s %v", method, path, answer.Status, text, err)
	}
	return string(text)
}

// drain stops a server and checks that it reports not ready and still serves for a while.
func drain(t *testing.T, s *harness.Server) {
	t.Helper()
	if err := s.Process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	within(t, "not ready", time.Second, func() (bool, string) {
		status, body := s.Do(t, "GET", "/api/public/ready", "", "", "")
		return status == 500, body
	})
	if status, body := s.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("a request while the server drains: %d %s", status, body)
	}
	if code := s.Wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
