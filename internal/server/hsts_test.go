package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestStrictTransport(t *testing.T) {
	h := strictTransport(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for url, want := range map[string]string{
		"https://almanac.test/": "max-age=31536000", "https://almanac.test:8443/x": "max-age=31536000", "http://almanac.test/": "",
		"https://localhost:3000/": "", "https://127.0.0.1/": "", "https://[::1]:3000/": "",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, http.NoBody))
		if got := w.Header().Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
