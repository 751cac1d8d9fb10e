package httpapi_test

import (
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
	"almanac/internal/limits/memory"
)

// memoryProbes returns routes whose handlers reserve memory.
func memoryProbes(taken func(c *endpoint.Call) (any, error)) []httpapi.Route {
	take := func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
		if err := memory.Of(c.Context()).Grow(c.Context(), 1<<20); err != nil {
			return nil, err
		}
		return taken(c)
	}
	return []httpapi.Route{
		httpapi.NewRoute("GET", "/probe/memory", httpapi.ProjectKey(domain.TracesRead, take), httpapi.Rules{}.Reading()),
	}
}

// TestWaitingForMemoryHoldsNoTurn: requests that wait for memory do not block those that hold it.
func TestWaitingForMemoryHoldsNoTurn(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Limits.Concurrent, o.Limits.Reads, o.Limits.Wait = 4, 4, time.Minute
		o.Memory = memory.NewBudget(memory.SizesOf(16<<20), time.Minute)
	})
	f.Serve(append(f.Routes(), memoryProbes(func(*endpoint.Call) (any, error) {
		if held := held(f); held[0] == 0 || held[1] == 0 {
			t.Error("a handler goes on without its turn")
		}
		return nil, nil
	})...))
	others := []*memory.Lease{f.Memory.Lease("a"), f.Memory.Lease("b")}
	for _, l := range others {
		for l.TryGrow(64<<10) == nil {
		}
	}
	const waiting = 6 // more than there are turns
	var wg sync.WaitGroup
	for range waiting {
		wg.Go(func() {
			w := httptest.NewRecorder()
			f.ServeHTTP(w, apitest.Scenario{Path: "/probe/memory", Key: "project"}.Request())
			if w.Code != http.StatusOK {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
	}
	for f.Memory.Waiting() < waiting {
		time.Sleep(time.Millisecond)
	}
	// A request is counted as waiting shortly before it gives its turn back.
	for began := time.Now(); held(f) != [2]int64{}; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d turns and reads are held by those who wait", held(f))
		}
	}
	f.Run(t, apitest.Scenario{Path: "/api/public/v2/observations", Key: "project", Status: 200})
	for _, l := range others {
		l.Release()
	}
	wg.Wait()
	if held := held(f); held != [2]int64{} || f.Memory.Held() != 0 {
		t.Errorf("%d turns and reads and %d bytes are lost", held, f.Memory.Held())
	}
}

// TestPanicsGiveEverythingBack: everything that a handler holds when it panics is released.
func TestPanicsGiveEverythingBack(t *testing.T) {
	f := apitest.New(t, nil)
	long := []byte(strings.Repeat("x", 3*endpoint.PieceBytes))
	for name, handler := range map[string]func(c *endpoint.Call) (any, error){
		"in the handler": func(*endpoint.Call) (any, error) { panic("secret detail") },
		"in the first piece": func(c *endpoint.Call) (any, error) {
			return c.Stream(func(*endpoint.StreamWriter, []byte) ([]byte, error) { panic("secret detail") })
		},
		"in a later piece": func(c *endpoint.Call) (any, error) {
			return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
				endpoint.AppendParts(dst, long, p.Flush)
				panic("secret detail")
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f.Serve(append(f.Routes(), memoryProbes(func(c *endpoint.Call) (any, error) {
				if f.Memory.Held() == 0 || held(f) != [2]int64{1, 1} {
					t.Error("it holds nothing")
				}
				return handler(c)
			})...))
			w := httptest.NewRecorder()
			f.ServeHTTP(w, apitest.Scenario{Path: "/probe/memory", Key: "project"}.Request())
			if !strings.Contains(f.Logged.String(), "secret detail") {
				t.Errorf("status %d, and the log lacks the panic: %s", w.Code, f.Logged)
			}
			f.Logged.Reset()
			if held := held(f); held != [2]int64{} || f.Memory.Held() != 0 {
				t.Errorf("%d turns and reads and %d bytes are lost", held, f.Memory.Held())
			}
		})
	}
}

// held returns how many turns and event reads are held.
func held(f *apitest.Fixture) [2]int64 {
	turns, reads := f.Admission.Held()
	return [2]int64{turns, reads}
}
