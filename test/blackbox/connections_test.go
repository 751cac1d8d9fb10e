package blackbox

import (
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"almanac/test/harness"
)

// TestIdleConnectionsAndFewFiles opens more connections to a server than it may have open files, and sends nothing, or
// one request. The server still answers others, and reads and writes its data.
func TestIdleConnectionsAndFewFiles(t *testing.T) {
	const files = 64
	s, err := harness.TryStartPaused(t, t.TempDir(), func(pid int) error {
		limit := syscall.Rlimit{Cur: files, Max: files}
		if _, _, code := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_NOFILE, uintptr(unsafe.Pointer(&limit)), 0,
			0, 0); code != 0 {
			return code
		}
		return nil
	}, "--otlp-grpc-listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(path string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(s.PublicKey, s.SecretKey)
		response, err := client.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		defer response.Body.Close()
		if body, err := io.ReadAll(response.Body); response.StatusCode != http.StatusOK || err != nil {
			t.Fatalf("%s: %d %s %v", path, response.StatusCode, body, err)
		}
	}
	get("/api/public/health")
	for n := range 2 * files {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if n%2 == 0 {
			_, _ = io.WriteString(conn, "GET /api/public/health HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	for _, path := range []string{
		"/api/public/health", "/api/public/ready", "/api/public/v2/prompts", "/api/public/v2/observations", "/api/public/projects",
	} {
		get(path)
	}
}
