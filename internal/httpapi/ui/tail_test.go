package ui_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

const tailPath = "/api/public/tail"

// justNow returns rows as if they had just arrived.
func justNow(rows ...domain.Observation) []domain.Observation {
	at := domain.MicrosOf(time.Now())
	for n := range rows {
		rows[n].CreatedAt, rows[n].UpdatedAt = at, at
		if rows[n].StartTime == 0 {
			rows[n].StartTime = at - domain.Micros(1_000_000*(n+1))
		}
	}
	return rows
}

// since returns the header of a client that reconnects.
func since(ago time.Duration) map[string]string {
	return map[string]string{"Last-Event-ID": strconv.FormatInt(time.Now().Add(-ago).UnixMicro(), 10)}
}

func TestTail(t *testing.T) {
	given := func() []domain.Observation {
		return justNow(
			domain.Observation{
				TraceID: "t1", ID: "root", Name: "checkout", Input: "where is it", Environment: "production", Metadata: `{"tenant":"acme"}`,
			},
			domain.Observation{
				TraceID: "t1", ID: "call", ParentID: "root", Name: "llm", Level: "ERROR", Environment: "production",
				TotalCost: domain.FloatOf(0.5),
			},
			domain.Observation{TraceID: "t2", ID: "root", Name: "chat"},
			domain.Observation{TraceID: "t3", ID: "ancient", Name: "import", StartTime: 1_000_000},
		)
	}
	const ends = `event: end` + "\n" + `data: {"reason":"duration",`
	cases := []apitest.Scenario{
		{
			Name: "what is stored already is not new", Given: given(), Status: 200,
			Contains: []string{"retry: 2000\n\n", "event: ready\ndata: {}\n\n", ends}, Missing: []string{"checkout", "event: rows"},
		},
		{
			Name: "after coming back", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{
				`event: rows` + "\n" + `data: {"rows":[{"id":"root","traceId":"t1"`, `{"id":"root","traceId":"t2"`, `"id":"call"`,
				`"inputPreview":"where is it"`, `"skipped":0}`, ends,
			},
			Missing: []string{"ready", "gap", "ancient"},
		},
		{
			Name: "traces", Path: "?kind=traces", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{`"traceId":"t1"`, `"observations":2,"errors":1`, `"totalCost":0.5`, `"traceId":"t2"`},
			Missing:  []string{`"id":"call"`},
		},
		{
			Name: "a filter", Path: "?filter=" + url.QueryEscape(`[{"type":"string","column":"level","operator":"=","value":"ERROR"}]`),
			Header: since(time.Minute), Given: given(), Status: 200, Contains: []string{`"id":"call"`}, Missing: []string{`"id":"root"`},
		},
		{
			Name: "words", Path: "?search=where+is", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{"checkout"}, Missing: []string{"chat", `"id":"call"`},
		},
		{
			Name: "an environment", Path: "?environment=default", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{"chat"}, Missing: []string{"checkout"},
		},
		{
			Name: "metadata", Path: "?metadataKey=tenant&scores=true", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{`"metadata":{"tenant":"acme"}`},
		},
		{
			Name: "more than wanted", Path: "?limit=1", Header: since(time.Minute), Given: given(), Status: 200,
			Contains: []string{`"skipped":2}`},
		},
		{
			Name: "after too long", Header: since(time.Hour), Given: given(), Status: 200, Contains: []string{"event: gap\n", "checkout"},
			Missing: []string{"ready"},
		},
		{
			Name: "nothing on the way keeps it", Header: map[string]string{"Accept-Encoding": "gzip"}, Status: 200,
			WantHeader: map[string]string{
				"Content-Type": "text/event-stream; charset=utf-8", "Content-Encoding": "", "Cache-Control": "no-store, no-transform",
				"X-Accel-Buffering": "no", "ETag": "",
			},
		},
		{Name: "no such kind", Path: "?kind=scores", Status: 400, Contains: []string{`"kind"`}},
		{Name: "a filter that is none", Path: "?filter=x", Status: 400, Contains: []string{"Invalid JSON in filter parameter"}},
		{Name: "no words", Path: "?search=...", Status: 400, Contains: []string{"Type at least one word"}},
		{Name: "too long a search", Path: "?search=" + strings.Repeat("x", 4001), Status: 400, Contains: []string{"search"}},
		{Name: "too many rows", Path: "?limit=201", Status: 400, Contains: []string{"limit"}},
		{
			Name: "too many keys", Path: "?metadataKey=a" + strings.Repeat("&metadataKey=a", 20), Status: 400,
			Contains: []string{"metadataKey"},
		},
		{Name: "too long an environment", Path: "?environment=" + strings.Repeat("x", 201), Status: 400, Contains: []string{"environment"}},
		{
			Name: "an id of something else", Header: map[string]string{"Last-Event-ID": "7x"}, Status: 400,
			Contains: []string{"Last-Event-ID"},
		},
		{Name: "a key that may not read", Key: "organization", Status: 403},
	}
	for n := range cases {
		cases[n].Path = tailPath + cases[n].Path
		cases[n].Once = n > 0 // one walk is enough: each attempt takes as long as a tail
		if cases[n].Key == "" {
			cases[n].Key = "limited"
		}
	}
	apitest.Run(t, cases)
}

// following is an open tail, read event by event.
type following struct {
	events chan string
	leave  context.CancelFunc
}

// follow opens a tail over a real connection.
func follow(t *testing.T, f *apitest.Fixture, path string, change func(*http.Request)) (*following, *http.Response) {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	pair := apitest.Keys["project"]
	r.SetBasicAuth(pair.PublicKey, pair.SecretKey)
	if change != nil {
		change(r)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	s := &following{events: make(chan string, 1000), leave: leave}
	go func() {
		defer close(s.events)
		var event []string
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if line := lines.Text(); line != "" {
				event = append(event, line)
				continue
			}
			s.events <- strings.Join(event, "\n")
			event = nil
		}
	}()
	return s, answer
}

// until waits for an event that contains a string.
func (s *following) until(t *testing.T, text string) string {
	t.Helper()
	for {
		select {
		case event, open := <-s.events:
			if !open {
				t.Fatalf("the tail ended before %s", text)
			}
			if strings.Contains(event, text) {
				return event
			}
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

// ended waits for the end of the tail.
func (s *following) ended() {
	for range s.events {
	}
}

func longTails(o *httpapi.Options) {
	o.Limits.Tails = endpoint.TailLimits{
		Longest: time.Hour, Every: 5 * time.Millisecond, Quiet: 20 * time.Millisecond, Recheck: time.Millisecond, PerProject: 2,
		PerServer: 3,
	}
}

func TestTailWhileRowsArrive(t *testing.T) {
	f := apitest.New(t, longTails)
	s, _ := follow(t, f, tailPath+"?kind=traces", nil)
	s.until(t, "event: ready")
	f.Keep(t, "project-a", justNow(domain.Observation{TraceID: "t1", ID: "one", Name: "first"}), nil)
	s.until(t, `"name":"first"`)
	f.Keep(t, "project-a", justNow(domain.Observation{TraceID: "t1", ID: "two", ParentID: "one", Name: "second"}), nil)
	if event := s.until(t, "event: rows"); !strings.Contains(event, `"name":"first"`) || !strings.Contains(event, `"observations":2`) {
		t.Errorf("the trace that grew: %s", event)
	}
	s.until(t, ": still here\nid: ")
	f.Drain()
	s.until(t, `{"reason":"stopping"`)
	s.ended()
	if turns, reads := f.Admission.Held(); turns != 0 || reads != 0 || f.Memory.Held() != 0 {
		t.Errorf("%d turns, %d reads and %d bytes are held", turns, reads, f.Memory.Held())
	}
	f.Run(t, apitest.Scenario{Path: tailPath, Key: "project", Once: true, Status: 503, WantHeader: map[string]string{"Retry-After": "1"}})
}

func TestTailLimits(t *testing.T) {
	f := apitest.New(t, longTails)
	var open []*following
	for _, key := range []string{"project", "project", "neighbour"} {
		own := apitest.Keys[key]
		s, answer := follow(t, f, tailPath, func(r *http.Request) { r.SetBasicAuth(own.PublicKey, own.SecretKey) })
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", key, answer.Status)
		}
		open = append(open, s)
		s.until(t, "event: ready")
	}
	f.Run(t, apitest.Scenario{
		Path: tailPath, Key: "project", Once: true, Status: 429, Contains: []string{"2 live views of this project are open already"},
		WantHeader: map[string]string{"Retry-After": "10"},
	})
	f.Run(t, apitest.Scenario{
		Path: tailPath, Key: "foreign", Once: true, Status: 429, Contains: []string{"3 live views are open on this server already"},
	})
	open[0].leave()
	open[0].ended()
	for range 1000 { // it takes a moment to be noticed
		if _, answer := follow(t, f, tailPath, nil); answer.StatusCode == http.StatusOK {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("a tail that was left is still counted")
}

// TestTailOfASlowClient: a client that does not read is disconnected, nothing is buffered for it in the meantime, and
// it has missed nothing when it reconnects.
func TestTailOfASlowClient(t *testing.T) {
	const arriving, batches = 80, 2 // no more rows than fit in one event
	f := apitest.New(t, func(o *httpapi.Options) {
		longTails(o)
		o.Limits.Tails.PerProject = 1
		o.Limits.Tails.Stall = 500 * time.Millisecond
	})
	server := httptest.NewUnstartedServer(f)
	server.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if tcp, ok := c.(*net.TCPConn); ok && state == http.StateNew {
			_ = tcp.SetWriteBuffer(4096) // a long event does not fit
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	connection, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	_ = connection.(*net.TCPConn).SetReadBuffer(4096)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+tailPath+"?limit=200", nil)
	r.SetBasicAuth(apitest.Keys["project"].PublicKey, apitest.Keys["project"].SecretKey)
	if err := r.Write(connection); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(connection)
	id := ""
	for lines.Scan() && lines.Text() != "event: ready" {
		if found, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			id = found
		}
	}

	// The client stops reading, and long rows arrive.
	held := int64(0)
	for batch := range batches {
		rows := make([]domain.Observation, arriving)
		for n := range rows {
			rows[n] = domain.Observation{
				TraceID: "t", ID: fmt.Sprintf("row %d of %d.", n, batch), Input: strings.Repeat("in ", 5000),
				Output: strings.Repeat("out ", 5000),
			}
		}
		f.Keep(t, "project-a", justNow(rows...), nil)
		time.Sleep(100 * time.Millisecond)
		held = max(held, f.Memory.Held())
	}
	if held > 1<<20 {
		t.Errorf("%d bytes are held for a client that does not read", held)
	}

	var back *following
	for range 1000 { // only one tail is allowed, so this succeeds once the other has been dropped
		s, answer := follow(t, f, tailPath+"?limit=200", func(r *http.Request) { r.Header.Set("Last-Event-ID", id) })
		if answer.StatusCode == http.StatusOK {
			back = s
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if back == nil {
		t.Fatal("the client that does not read was not dropped")
	}
	event := back.until(t, "event: rows")
	for batch := range batches {
		for n := range arriving {
			if row := fmt.Sprintf(`"row %d of %d."`, n, batch); !strings.Contains(event, row) {
				t.Fatalf("%s is missing", row)
			}
		}
	}
	back.leave()
	back.ended()
	for range 1000 {
		if turns, reads := f.Admission.Held(); turns == 0 && reads == 0 && f.Memory.Held() == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d bytes are still held", f.Memory.Held())
}

// TestTailOfPeople: a tail ends when its viewer loses access to the project.
func TestTailOfPeople(t *testing.T) {
	cli := domain.Actor{Kind: "cli"}
	organization := domain.OfOrganization("org-a")
	for _, c := range []struct {
		name string
		lose func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, user string) error
	}{
		{"a weaker role", func(t *testing.T, f *apitest.Fixture, _ *apitest.Browser, user string) error {
			_, err := f.Catalog.SetProjectMember(t.Context(), organization, "project-a", user, domain.RoleNone, cli)
			return err
		}},
		{"signing out", func(t *testing.T, _ *apitest.Fixture, b *apitest.Browser, _ string) error {
			b.Ask(t, "POST", "/api/ui/auth/sign-out", "", http.StatusNoContent)
			return nil
		}},
		{"an account that is switched off", func(t *testing.T, f *apitest.Fixture, _ *apitest.Browser, user string) error {
			return f.Catalog.SetDisabled(domain.WithOrigin(t.Context(), domain.Origin{RequestID: "test"}), user, true, cli)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := apitest.New(t, longTails)
			user := f.NewMember(t, "viewer@a.test", domain.RoleViewer)
			b := f.As(t, user.ID)
			s, answer := follow(t, f, apitest.UIProject+"/tail", func(r *http.Request) {
				r.Header.Del("Authorization")
				r.Header.Set("Sec-Fetch-Site", "same-origin")
				r.AddCookie(&http.Cookie{Name: "almanac-session", Value: b.Cookies[apitest.SessionCookie]}) // as over plain HTTP
			})
			if answer.StatusCode != http.StatusOK {
				t.Fatal(answer.Status)
			}
			s.until(t, "event: ready")
			if err := c.lose(t, f, b, user.ID); err != nil {
				t.Fatal(err)
			}
			s.until(t, `{"reason":"access"`)
			s.ended()
		})
	}
}

// TestTailIsolation: rows that arrive in one project appear in no other.
func TestTailIsolation(t *testing.T) {
	f := apitest.New(t, longTails)
	a := apitest.NewBelongingsOfA(t, f)
	home, _ := follow(t, f, tailPath, nil)
	next, _ := follow(t, f, tailPath, func(r *http.Request) {
		r.SetBasicAuth(apitest.Keys["neighbour"].PublicKey, apitest.Keys["neighbour"].SecretKey)
	})
	home.until(t, "event: ready")
	next.until(t, "event: ready")
	row := domain.Observation{TraceID: "canary-trace", ID: "canary", Name: "canary of the store"}
	f.Keep(t, "project-a", justNow(row), nil)
	home.until(t, "canary of the store")
	other := domain.Observation{TraceID: "canary-trace", ID: "canary", Name: "something else"}
	f.Keep(t, "project-a2", justNow(other), nil)
	a.CheckHidden(t, next.until(t, "event: rows"))
	short := apitest.New(t, nil)
	short.Keep(t, "project-a", justNow(row), nil)
	owner := short.As(t, short.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	owner.Header = since(time.Minute)
	for _, kind := range []string{"traces", "observations"} {
		path := "/tail?scores=true&metadataKey=canary-key&search=canary&kind=" + kind
		a.CheckHidden(t, owner.Ask(t, "GET", "/api/ui/projects/project-a2"+path, "", 200))
		if mine := owner.Ask(t, "GET", apitest.UIProject+path, "", 200); !strings.Contains(mine, "canary of the store") {
			t.Errorf("nothing to be hidden was found at home: %s", mine)
		}
		for _, key := range []string{"neighbour", "foreign"} {
			short.Run(t, apitest.Scenario{
				Path: "/api/public" + path, Key: key, Header: since(time.Minute), Once: true, Status: 200, Missing: []string{"canary"},
			})
		}
	}
}
