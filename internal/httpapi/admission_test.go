package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// TestReadersLeaveRoomForOthers lets one project read as much as it can and checks that another one is served.
func TestReadersLeaveRoomForOthers(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Limits.Concurrent, o.Limits.Reads, o.Limits.Wait = 8, 4, 20*time.Millisecond
	})
	table := append(f.Routes(),
		httpapi.NewRoute("GET", "/probe/read", httpapi.ProjectKey(domain.TracesRead, func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
			<-c.Context().Done()
			return nil, c.Context().Err()
		}), httpapi.Rules{}.Reading()))
	f.Serve(table)
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			f.ServeHTTP(httptest.NewRecorder(), apitest.Scenario{Path: "/probe/read", Key: "project"}.Request().WithContext(ctx))
		})
	}
	for turns, reads := f.Admission.Held(); reads < 3 || turns < 6; turns, reads = f.Admission.Held() {
		time.Sleep(time.Millisecond)
	}
	for _, s := range []apitest.Scenario{
		{Name: "a read of another project", Path: "/api/public/v2/observations", Key: "foreign", Status: 200},
		{Name: "a prompt of another project", Path: "/api/public/v2/prompts", Key: "foreign", Status: 200},
		{
			Name: "an export of another project", Method: "POST", Path: "/v1/traces", Key: "foreign", Body: `{"resourceSpans":[]}`,
			Status: 200,
		},
		{
			Name: "an export of the same project", Method: "POST", Path: "/v1/traces", Key: "project", Body: `{"resourceSpans":[]}`,
			Status: 200,
		},
		{
			Name: "more of the same project", Path: "/api/public/v2/prompts", Key: "project", Status: 503,
			WantHeader: map[string]string{"Retry-After": "1"},
		},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
	cancel()
	readers.Wait()
	if turns, reads := f.Admission.Held(); reads != 0 || turns != 0 {
		t.Errorf("%d reads and %d turns are lost", reads, turns)
	}
}

// turnChecker is a client that checks that no turn is held while it receives.
type turnChecker struct {
	*httptest.ResponseRecorder
	f      *apitest.Fixture
	t      *testing.T
	pieces int
}

func (c *turnChecker) Write(b []byte) (int, error) {
	c.pieces++
	if turns, reads := c.f.Admission.Held(); reads != 0 || turns != 0 {
		c.t.Errorf("%d reads and %d turns are held while an answer is sent", reads, turns)
	}
	return c.ResponseRecorder.Write(b)
}

func TestSendingHoldsNoTurn(t *testing.T) {
	f := apitest.New(t, nil)
	const long = endpoint.PieceBytes / 2
	rows := make([]domain.Observation, 6)
	for n := range rows {
		rows[n] = domain.Observation{
			ID: string(rune('a' + n)), TraceID: "t", Type: "SPAN", StartTime: domain.Micros(n + 1), Input: strings.Repeat("x", long),
		}
	}
	f.Keep(t, "project-a", rows, nil)
	w := &turnChecker{ResponseRecorder: httptest.NewRecorder(), f: f, t: t}
	f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/v2/observations?fields=core,io", Key: "project"}.Request())
	if w.Code != http.StatusOK || w.pieces < 2 {
		t.Errorf("status %d in %d pieces", w.Code, w.pieces)
	}
	if _, reads := f.Admission.Held(); reads != 0 {
		t.Errorf("%d reads are lost", reads)
	}
}
