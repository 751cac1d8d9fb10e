package server

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// TestStreams holds many requests of one HTTP/2 connection. Beyond the limit it gets no more, but another connection
// still does.
func TestStreams(t *testing.T) {
	const most = 10
	s := &streams{most: most}
	held, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewUnstartedServer(s.bound(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		held <- struct{}{}
		<-release
	})))
	server.Config.ConnContext = s.context
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	get := func(c *http.Client) int {
		answer, err := c.Get(server.URL)
		if err != nil {
			t.Error(err)
			return 0
		}
		if answer.Body.Close(); answer.ProtoMajor != 2 {
			t.Errorf("the protocol is %s", answer.Proto)
		}
		return answer.StatusCode
	}
	first := server.Client()
	second := &http.Client{Transport: first.Transport.(*http.Transport).Clone()}
	defer second.CloseIdleConnections()
	var waiting sync.WaitGroup
	hold := func(c *http.Client, count int) {
		for range count {
			waiting.Go(func() {
				if status := get(c); status != http.StatusOK {
					t.Errorf("a request that was served has the status %d", status)
				}
			})
			<-held
		}
	}
	hold(first, most)
	if status := get(first); status != http.StatusServiceUnavailable {
		t.Errorf("one more request of the same connection: status %d", status)
	}
	hold(second, streamsAlways)
	if status := get(second); status != http.StatusServiceUnavailable {
		t.Errorf("one more request of the other connection: status %d", status)
	}
	close(release)
	waiting.Wait()
	if left := s.now.Load(); left != 0 {
		t.Errorf("%d requests are counted after all have ended", left)
	}
}

// TestStreamsOfSilentClients: requests count for as long as their client does not receive the response, however short it
// is.
func TestStreamsOfSilentClients(t *testing.T) {
	s := &streams{most: 10}
	server := httptest.NewUnstartedServer(s.bound(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "short")
	})))
	server.Config.ConnContext = s.context
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	config := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = []string{"h2"}
	conn, err := tls.Dial("tcp", server.Listener.Addr().String(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var header bytes.Buffer
	encoder := hpack.NewEncoder(&header)
	for _, field := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "example.com"}, {":path", "/"}} {
		if err := encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = io.WriteString(conn, http2.ClientPreface)
	framer := http2.NewFramer(conn, conn)
	_ = framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: header.Bytes(), EndStream: true, EndHeaders: true})
	for { // until the response begins, whose body cannot be sent
		frame, err := framer.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if _, begins := frame.(*http2.HeadersFrame); begins {
			break
		}
	}
	time.Sleep(20 * time.Millisecond)
	if held := s.now.Load(); held != 1 {
		t.Errorf("%d requests are counted while one waits for its client", held)
	}
}
