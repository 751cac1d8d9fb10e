package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// stalling is a body that stops arriving after some bytes, until it is released.
type stalling struct {
	sent     io.Reader
	stalled  func()
	released <-chan struct{}
}

// Close does nothing: the test releases the body.
func (s *stalling) Close() error { return nil }

func (s *stalling) Read(into []byte) (int, error) {
	if n, err := s.sent.Read(into); err == nil {
		return n, nil
	}
	s.stalled()
	<-s.released
	return 0, io.ErrUnexpectedEOF
}

// TestStalledBodiesOfStrangers sends many bodies that stop arriving, without a credential, with a made-up one, and to
// routes that need none. Requests with a credential, small and large, are still answered.
func TestStalledBodiesOfStrangers(t *testing.T) {
	f := newProbed(t, nil)
	released := make(chan struct{})
	var strangers, settled sync.WaitGroup
	stall := func(method, path, authorization string, send int, length int64) {
		settled.Add(1)
		once := sync.OnceFunc(settled.Done)
		r := httptest.NewRequest(method, "https://almanac.test"+path, &stalling{
			strings.NewReader(strings.Repeat(" ", send)), once, released,
		})
		r.ContentLength = length
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("X-Almanac-CSRF", "1")
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		strangers.Go(func() {
			defer once()
			f.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	for range 30 {
		for _, length := range []int64{8_000_000, -1} {
			stall(http.MethodPost, "/api/public/unstable/skills", "", 4_100_000, length)
			stall(http.MethodPost, "/api/public/ingestion", "Bearer pk-lf-made-up", 4_100_000, length)
			stall(http.MethodPost, "/api/ui/auth/sign-in", "", 900_000, length)
			stall(http.MethodDelete, "/api/public/unstable/skills", "", 900_000, length)
		}
	}
	for range 100 {
		stall(http.MethodPost, "/api/public/unstable/skills", "", 60_000, 65_000)
		stall(http.MethodPost, "/api/ui/auth/sign-in", "", 60_000, -1)
		stall(http.MethodPost, "/api/public/health", "", 60_000, 65_000)
	}
	settled.Wait()
	if held, size := f.Memory.Held(), f.Memory.Size(); held > size/4 {
		t.Errorf("strangers hold %d bytes of %d", held, size)
	}
	for _, size := range []int{100, 30_000, 500_000, httpapi.DefaultMaxBody} {
		f.Run(t, apitest.Scenario{
			Name: "a body", Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(size), Status: 200, Once: true,
		})
	}
	f.Run(t, apitest.Scenario{
		Name: "a wrong key and a large body", Method: "POST", Path: "/probe/body",
		Header: map[string]string{"Authorization": "Bearer pk-lf-made-up"}, Body: sizedBody(500_000), Status: 401, Once: true,
	})
	f.Run(t, apitest.Scenario{
		Name: "no key and a large body", Method: "POST", Path: "/api/ui/auth/sign-in", Body: sizedBody(httpapi.MaxUnknownBody + 1), Status: 413,
		Once:   true,
		Header: map[string]string{"Sec-Fetch-Site": "same-origin", "X-Almanac-CSRF": "1"},
	})
	close(released)
	strangers.Wait()
	if held := f.Memory.Held(); held != 0 {
		t.Errorf("%d bytes are lost", held)
	}
}
