package demo

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestConnectionIsReused checks that one connection serves many requests, and that a server may close it in between.
func TestConnectionIsReused(t *testing.T) {
	ok := reply{status: 200, contentType: protobufType}
	closing := ok
	closing.hangUp = true
	for name, c := range map[string]struct {
		answer reply
		dialed int
	}{"kept": {ok, 1}, "closed after every answer": {closing, 5}} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: []reply{c.answer}}
			client := clientOf(t, s)
			client.Waiting = func(reason string, _ time.Duration) { t.Errorf("waits: %s", reason) }
			for range 5 {
				if _, _, err := client.Export(t.Context(), []byte("body")); err != nil {
					t.Fatal(err)
				}
			}
			if s.dialed != c.dialed || len(s.asked) != 5 {
				t.Errorf("%d connections for %d requests", s.dialed, len(s.asked))
			}
		})
	}
}

// TestSilentServer checks that a server that accepts connections and says nothing is not waited for for ever.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, new(server))
		var theirs net.Conn
		client.connection.dial = func(context.Context, string, string) (ours net.Conn, err error) {
			ours, theirs = net.Pipe()
			return ours, nil
		}
		began := time.Now()
		if _, err := client.Project(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != longestExchange {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		theirs.Close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := client.Project(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v after it was interrupted", err)
		}
		theirs.Close()
	})
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"name":"` + r.Host + `"}]}`))
	}))
	t.Cleanup(s.Close)
	client, err := NewClient(s.URL, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.Project(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody vouches for: %v", err)
	}
	client.connection.secure.RootCAs = x509.NewCertPool()
	client.connection.secure.RootCAs.AddCert(s.Certificate())
	if name, err := client.Project(t.Context()); err != nil || "https://"+name != s.URL {
		t.Errorf("%q, %v", name, err)
	}
}
