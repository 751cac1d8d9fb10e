package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"

	"almanac/internal/config"
)

// TestIdleConnectionsMakeRoom fills a server with connections that only stay open, with and without a request, and
// checks that others are still answered while busy ones are left alone.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	inner, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const most = 8
	l := limitConnections(inner, most)
	release, busy := make(chan struct{}), make(chan struct{})
	server := &http.Server{ConnState: l.note, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			busy <- struct{}{}
			<-release
		}
		_, _ = io.WriteString(w, "ok")
	})}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	get := func(path string) (string, error) {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, "http://"+inner.Addr().String()+path,
			http.NoBody)
		if err != nil {
			return "", err
		}
		response, err := client.Do(r)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	answers := make(chan error, most)
	for range most - 2 {
		go func() {
			_, err := get("/busy")
			answers <- err
		}()
		<-busy
	}
	for n := range 10 * most {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if n%2 == 0 { // one that has sent a request
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		}
		if n%most == 0 {
			if answer, err := get("/"); answer != "ok" || err != nil {
				t.Fatalf("with %d idle connections: %q, %v", n+1, answer, err)
			}
		}
	}
	close(release)
	for range most - 2 {
		if err := <-answers; err != nil {
			t.Errorf("a busy connection was closed: %v", err)
		}
	}
}

func TestConnectionLimits(t *testing.T) {
	both, one := &listeners{grpc: at("127.0.0.1")}, new(listeners)
	for name, c := range map[string]struct {
		l         *listeners
		most      int
		files     uint64
		api, grpc int
	}{
		"plenty":           {both, 8192, 1 << 20, 8192, 8192},
		"few":              {both, 8192, 64, 24, 8},
		"few without gRPC": {one, 8192, 64, 32, 8192},
		"the usual limit":  {both, 8192, 1024, 384, 128},
		"chosen smaller":   {both, 10, 1024, 10, 10},
		"next to nothing":  {both, 8192, 1, 1, 1},
	} {
		api, grpc := connectionLimits(config.Serve{MaxConnections: c.most}, c.l, c.files)
		if api != c.api || grpc != c.grpc {
			t.Errorf("%s: %d and %d, want %d and %d", name, api, grpc, c.api, c.grpc)
		}
	}
}
