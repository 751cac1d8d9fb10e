package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// TestReadersLeaveRoomForOthers lets one project read as much as it can and checks that another one is served.
func TestReadersLeaveRoomForOthers(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Limits.Concurrent, o.Limits.Reads, o.Limits.Wait = 8, 4, 20*time.Millisecond })
	table := append(f.routes(), route{"GET", "/probe/read", projectKey(domain.TracesRead, func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
		<-c.Context().Done()
		return nil, c.Context().Err()
	}), rules{}.reading()})
	f.mux = f.newMux(table)
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			f.ServeHTTP(httptest.NewRecorder(), scenario{path: "/probe/read", key: "project"}.request().WithContext(ctx))
		})
	}
	for turns, reads := f.admission.Held(); reads < 3 || turns < 6; turns, reads = f.admission.Held() {
		time.Sleep(time.Millisecond)
	}
	for _, s := range []scenario{
		{name: "a read of another project", path: "/api/public/v2/observations", key: "foreign", status: 200},
		{name: "a prompt of another project", path: "/api/public/v2/prompts", key: "foreign", status: 200},
		{name: "an export of another project", method: "POST", path: "/v1/traces", key: "foreign", body: `{"resourceSpans":[]}`, status: 200},
		{name: "an export of the same project", method: "POST", path: "/v1/traces", key: "project", body: `{"resourceSpans":[]}`, status: 200},
		{name: "more of the same project", path: "/api/public/v2/prompts", key: "project", status: 503, wantHeader: map[string]string{"Retry-After": "1"}},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
	cancel()
	readers.Wait()
	if turns, reads := f.admission.Held(); reads != 0 || turns != 0 {
		t.Errorf("%d reads and %d turns are lost", reads, turns)
	}
}

// turnChecker is a client that checks that no turn is held while it receives.
type turnChecker struct {
	*httptest.ResponseRecorder
	f      *fixture
	t      *testing.T
	pieces int
}

func (c *turnChecker) Write(b []byte) (int, error) {
	c.pieces++
	if turns, reads := c.f.admission.Held(); reads != 0 || turns != 0 {
		c.t.Errorf("%d reads and %d turns are held while an answer is sent", reads, turns)
	}
	return c.ResponseRecorder.Write(b)
}

func TestSendingHoldsNoTurn(t *testing.T) {
	f := newFixture(t, nil)
	const long = endpoint.PieceBytes / 2
	rows := make([]domain.Observation, 6)
	for n := range rows {
		rows[n] = domain.Observation{ID: string(rune('a' + n)), TraceID: "t", Type: "SPAN", StartTime: domain.Micros(n + 1), Input: strings.Repeat("x", long)}
	}
	f.keep(t, "project-a", rows, nil)
	w := &turnChecker{ResponseRecorder: httptest.NewRecorder(), f: f, t: t}
	f.ServeHTTP(w, scenario{path: "/api/public/v2/observations?fields=core,io", key: "project"}.request())
	if w.Code != http.StatusOK || w.pieces < 2 {
		t.Errorf("status %d in %d pieces", w.Code, w.pieces)
	}
	if _, reads := f.admission.Held(); reads != 0 {
		t.Errorf("%d reads are lost", reads)
	}
}
