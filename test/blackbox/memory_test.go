package blackbox

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/test/harness"
)

// These tests run the program with little memory and request a lot of data: the server must not be killed, must keep
// its limit, and must answer small requests meanwhile.

const (
	memoryLimit = 300 << 20
	heavyRows   = 5
	heavyBytes  = 10 << 20 // per row: an input of that size with much to escape
)

// memoryGroup is a control group with a hard limit: a process that exceeds it is killed.
type memoryGroup struct {
	path string
	v1   bool
}

// newMemoryGroup creates a control group, or returns nil where that is not possible.
func newMemoryGroup(t *testing.T, limit int64) *memoryGroup {
	t.Helper()
	for _, g := range []memoryGroup{{"/sys/fs/cgroup/memory", true}, {"/sys/fs/cgroup", false}} {
		g.path = filepath.Join(g.path, fmt.Sprintf("almanac-test-%d-%d", os.Getpid(), rand.Uint32()))
		file := "memory.max"
		if g.v1 {
			file = "memory.limit_in_bytes"
		}
		if os.Mkdir(g.path, 0o755) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(g.path, file), []byte(strconv.FormatInt(limit, 10)), 0o644) != nil {
			_ = os.Remove(g.path)
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(g.path); err != nil {
				t.Errorf("the control group stays: %v", err)
			}
		})
		return &g
	}
	return nil
}

func (g *memoryGroup) add(pid int) error {
	return os.WriteFile(filepath.Join(g.path, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644)
}

// startLimited starts a server with a memory limit: in a control group or, without one, given as an option.
func startLimited(t *testing.T, limit int64, args ...string) *harness.Server {
	t.Helper()
	return startLimitedOn(t, t.TempDir(), limit, args...)
}

// startLimitedOn is startLimited on a data directory.
func startLimitedOn(t *testing.T, data string, limit int64, args ...string) *harness.Server {
	t.Helper()
	group := newMemoryGroup(t, limit)
	if group == nil {
		t.Log("no control groups here: the server is told its limit, and its resident memory is looked at")
		return harness.StartOn(t, data, append(args, "--memory", strconv.FormatInt(limit, 10))...)
	}
	s, err := harness.TryStartPaused(t, data, group.add, args...)
	if err != nil {
		t.Fatal(err)
	}
	known := fmt.Sprintf("memory_limit_mb=%d", limit>>20)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) { // the log line follows a moment later
		_, log := s.Printed()
		switch {
		case strings.Contains(log, known):
			return s
		case time.Now().After(deadline):
			t.Fatalf("the server does not know of its limit: %s", log)
		}
	}
}

// heavyText returns a string that compresses badly and has characters to escape throughout.
func heavyText(random *rand.Rand, size int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \"\n\\"
	b := make([]byte, size)
	for i := range b {
		b[i] = letters[random.IntN(len(letters))]
	}
	return string(b)
}

// sendHeavy sends large rows, each in its own trace, all in one session.
func sendHeavy(t *testing.T, s *harness.Server) {
	t.Helper()
	sendHeavyRows(t, s, heavyRows)
}

func sendHeavyRows(t *testing.T, s *harness.Server, rows int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range rows {
		text, err := json.Marshal(heavyText(random, heavyBytes))
		if err != nil {
			t.Fatal(err)
		}
		attribute := func(key, value string) string {
			return fmt.Sprintf(`{"key":%q,"value":{"stringValue":%s}}`, key, value)
		}
		body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","name":"heavy",`+
			`"startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[%s,%s,%s]}]}]}]}`, n+1, n+1, time.Now().UnixNano(),
			time.Now().UnixNano(),
			attribute("langfuse.observation.input", string(text)), attribute("session.id", `"s"`), attribute("user.id", `"u"`))
		for {
			status, answer := s.Do(t, http.MethodPost, "/api/public/otel/v1/traces", s.PublicKey, s.SecretKey, body)
			if status == http.StatusServiceUnavailable {
				continue
			}
			if status != http.StatusOK {
				t.Fatalf("sending row %d: %d %s", n, status, answer)
			}
			break
		}
	}
}

// heavyRequest is a request that many clients send at the same time.
type heavyRequest struct{ method, path, body string }

func (h heavyRequest) do(ctx context.Context, s *harness.Server) (*http.Response, error) {
	signed := strings.HasPrefix(h.path, "http") // a URL that needs no key
	address := s.URL + h.path
	if signed {
		address = h.path
	}
	r, err := http.NewRequestWithContext(ctx, h.method, address, strings.NewReader(h.body))
	if err != nil {
		return nil, err
	}
	if !signed {
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(s.PublicKey+":"+s.SecretKey)))
	}
	r.Header.Set("Accept-Encoding", "identity")
	if h.body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
	}
	return http.DefaultClient.Do(r)
}

// keepAsking sends small requests until stop is closed, and returns how many were answered.
func keepAsking(t *testing.T, s *harness.Server, stop <-chan struct{}) int {
	t.Helper()
	small := []heavyRequest{
		{http.MethodGet, "/api/public/projects", ""},
		{http.MethodGet, "/api/public/v2/observations?fields=core&limit=1", ""},
	}
	for answered := 0; ; answered++ {
		select {
		case <-stop:
			return answered
		default:
		}
		answer, err := small[answered%len(small)].do(t.Context(), s)
		if err != nil {
			t.Errorf("a small request: %v", err)
			return answered
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("a small request is answered %d: %s", answer.StatusCode, body)
			return answered
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestHeavyReads reads large rows through every kind of route, from many clients at the same time.
func TestHeavyReads(t *testing.T) {
	s := startLimited(t, memoryLimit)
	sendHeavy(t, s)
	metrics := url.QueryEscape(`{"view":"observations","metrics":[{"measure":"count","aggregation":"count"}],` +
		`"dimensions":[{"field":"name"}],` +
		`"fromTimestamp":"2020-01-01T00:00:00Z","toTimestamp":"2040-01-01T00:00:00Z"}`)
	tool := func(name, arguments string) heavyRequest {
		return heavyRequest{
			http.MethodPost, "/api/public/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name +
				`","arguments":` + arguments + `}}`,
		}
	}
	get := func(path string) heavyRequest { return heavyRequest{http.MethodGet, path, ""} }
	for name, c := range map[string]struct {
		request heavyRequest
		clients int
	}{
		"observations": {get("/api/public/v2/observations?fields=core,basic,io"), 12},
		"observations by content": {
			get("/api/public/v2/observations?fields=core&filter=" +
				url.QueryEscape(`[{"type":"string","column":"input","operator":"=","value":"nothing is like that"}]`)), 8,
		},
		"old observations": {get("/api/public/observations?limit=50"), 8},
		"an observation":   {get("/api/public/observations/" + fmt.Sprintf("%016x", 2)), 12},
		"traces":           {get("/api/public/traces?limit=50"), 8},
		"a trace":          {get("/api/public/traces/" + fmt.Sprintf("%032x", 3)), 12},
		"sessions":         {get("/api/public/sessions"), 8},
		"a session":        {get("/api/public/sessions/s"), 6},
		"metrics":          {get("/api/public/v2/metrics?query=" + metrics), 8},
		"a tool":           {tool("listObservations", `{"limit":10,"fields":"core,io"}`), 12},
	} {
		t.Run(name, func(t *testing.T) {
			stop, asked := make(chan struct{}), make(chan int)
			go func() { asked <- keepAsking(t, s, stop) }()
			var wg sync.WaitGroup
			var whole, later, cut atomic.Int64
			for range c.clients {
				wg.Go(func() {
					answer, err := c.request.do(t.Context(), s)
					if err != nil {
						t.Errorf("no answer: %v", err)
						return
					}
					defer answer.Body.Close()
					read, err := io.Copy(io.Discard, answer.Body)
					switch {
					case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
						later.Add(1)
					case answer.StatusCode != http.StatusOK:
						t.Errorf("status %d", answer.StatusCode)
					case err != nil:
						cut.Add(1)
						t.Errorf("cut off after %d bytes: %v", read, err)
					default:
						whole.Add(1)
					}
				})
			}
			wg.Wait()
			close(stop)
			if answered := <-asked; answered == 0 {
				t.Error("no small request was answered meanwhile")
			} else {
				t.Logf("%d whole answers, %d asked to come back, %d cut; %d small requests; peak %d MB", whole.Load(), later.Load(),
					cut.Load(), answered, peakMemory(t, s)>>20)
			}
			if whole.Load() == 0 {
				t.Error("nobody got a whole answer")
			}
			if peak := peakMemory(t, s); peak > memoryLimit {
				t.Errorf("%d MB are in use, %d MB allowed", peak>>20, memoryLimit>>20)
			}
		})
	}
}

// TestSlowReaders makes many clients request large responses and read nothing.
func TestSlowReaders(t *testing.T) {
	s := startLimited(t, memoryLimit)
	sendHeavy(t, s)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var wg sync.WaitGroup
	var begun, later atomic.Int64
	const slow = 150
	for range slow {
		wg.Go(func() {
			answer, err := heavyRequest{http.MethodGet, "/api/public/v2/observations?fields=core,basic,io", ""}.do(ctx, s)
			switch {
			case errors.Is(err, context.Canceled):
			case err != nil:
				t.Errorf("no answer: %v", err)
			case answer.StatusCode == http.StatusServiceUnavailable:
				later.Add(1)
				_ = answer.Body.Close()
			default:
				begun.Add(1)
				_, _ = answer.Body.Read(make([]byte, 1))
				<-ctx.Done()
				_ = answer.Body.Close()
			}
		})
	}
	for deadline := time.Now().Add(30 * time.Second); begun.Load()+later.Load() < slow && time.Now().Before(deadline); {
		for _, path := range []string{"/api/public/projects", "/api/public/v2/observations?fields=core&limit=1"} {
			if status, body := s.Get(t, path); status != http.StatusOK {
				t.Fatalf("%s beside slow readers: %d %s", path, status, body)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Logf("%d slow readers are served, %d were asked to come back; peak %d MB", begun.Load(), later.Load(), peakMemory(t, s)>>20)
	if begun.Load() == 0 || later.Load() == 0 {
		t.Errorf("%d slow readers are served, %d were asked to come back: the test says nothing", begun.Load(), later.Load())
	}
	if peak := peakMemory(t, s); peak > memoryLimit {
		t.Errorf("%d MB are in use, %d MB allowed", peak>>20, memoryLimit>>20)
	}
	hangUp()
	wg.Wait()
	// Their memory is released.
	if status, body := s.Get(t, "/api/public/v2/observations?fields=core,basic,io&limit=1"); status != http.StatusOK ||
		!bytes.Contains([]byte(body), []byte(`"input"`)) {
		t.Errorf("after the slow readers left: %d, %d bytes", status, len(body))
	}
}
