package cli

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/test/certstest"
)

func TestHealth(t *testing.T) {
	ready := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/public/ready" && !ready {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = fmt.Fprintln(w, r.URL.Path)
	}))
	defer server.Close()
	address := server.Listener.Addr().String()
	_, port, _ := strings.Cut(address, ":")

	for _, listen := range []string{address, "0.0.0.0:" + port, ":" + port, "localhost:" + port} {
		if stdout, stderr, code := runHere("health", "--listen", listen); code != 0 || stdout != "/api/public/health\n" || stderr != "" {
			t.Errorf("a server on %s: exit code %d, %q, %q", listen, code, stdout, stderr)
		}
	}
	if stdout, _, code := runHere("health", "--ready", "--listen", address); code != 0 || stdout != "/api/public/ready\n" {
		t.Errorf("a server that is ready: exit code %d, %q", code, stdout)
	}
	ready = false
	if _, stderr, code := runHere("health", "--ready", "--listen", address); code != 1 || !strings.Contains(stderr, "responded 500") {
		t.Errorf("a server that stops: exit code %d, %q", code, stderr)
	}
	server.Close()
	if _, stderr, code := runHere("health", "--listen", address); code != 1 || !strings.Contains(stderr, "is not responding") {
		t.Errorf("no server: exit code %d, %q", code, stderr)
	}
}

func TestHealthOverTLS(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files, own := authority.Issue(t, "server"), authority.Issue(t, "client")
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.TLS.ServerName)
		_, _ = fmt.Fprintln(w, r.URL.Path)
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{pair}, ClientCAs: authority.Client(t).RootCAs, ClientAuth: tls.VerifyClientCertIfGiven,
	}
	server.StartTLS()
	defer server.Close()
	address := server.Listener.Addr().String()
	for name, c := range map[string]struct {
		args []string
		code int
		say  string
	}{
		"a certificate": {[]string{"--tls-cert", files.Cert}, 0, "/api/public/health"},
		"a domain":      {[]string{"--acme-domains", "a.example.org,b.example.org"}, 0, "/api/public/health"},
		"with its own": {
			[]string{"--tls-cert", files.Cert, "--client-cert", own.Cert, "--client-key", own.Key}, 0, "/api/public/health",
		},
		"with half of its own": {[]string{"--tls-cert", files.Cert, "--client-cert", own.Cert}, 1, "--client-key"},
		"without TLS":          {nil, 1, "400 Bad Request"},
	} {
		stdout, stderr, code := runHere(append([]string{"health", "--listen", address}, c.args...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.say) {
			t.Errorf("%s: exit code %d, %q, %q", name, code, stdout, stderr)
		}
	}
	if !slices.Contains(asked, "a.example.org") {
		t.Errorf("the server was asked by the names %q", asked)
	}
}

func TestHealthMistakes(t *testing.T) {
	for want, args := range map[string][]string{
		`--listen "nowhere" is not an address`: {"--listen", "nowhere"},
		"--timeout 0s must be greater than 0":  {"--timeout", "0s"},
		`--listen "a b:1"`:                     {"--listen", "a b:1"},
	} {
		if _, stderr, code := runHere(append([]string{"health"}, args...)...); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("almanac health %q: exit code %d, %q; want %q", args, code, stderr, want)
		}
	}
}

func TestOwnAddress(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:3000": "127.0.0.1:3000", "0.0.0.0:3000": "127.0.0.1:3000", ":80": "127.0.0.1:80", "[::]:3000": "[::1]:3000",
		"10.0.0.7:3000": "10.0.0.7:3000", "almanac:3000": "almanac:3000",
	} {
		if got, err := ownAddress(listen); err != nil || got != want {
			t.Errorf("ownAddress(%q) = %q, %v; want %q", listen, got, err, want)
		}
	}
}
