package certs_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"

	"golang.org/x/crypto/acme"

	"almanac/internal/access/certs"
	"almanac/test/certstest"
)

// fixture is a source with a captured log.
type fixture struct {
	*certs.Source
	log bytes.Buffer
}

func open(t *testing.T, o certs.Options) *fixture {
	t.Helper()
	f := new(fixture)
	o.Log = slog.New(slog.NewTextHandler(&f.log, nil))
	s, err := certs.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	f.Source = s
	return f
}

// handshake connects a client to a server and returns the errors of both.
func handshake(t *testing.T, server, client *tls.Config) (state tls.ConnectionState, serverErr, clientErr error) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	done := make(chan error, 1)
	go func() {
		plain, err := listener.Accept()
		if err != nil {
			done <- err
			return
		}
		conn := tls.Server(plain, server)
		defer conn.Close()
		if err = conn.HandshakeContext(t.Context()); err == nil {
			_, err = conn.Write([]byte("x")) // over TLS 1.3 the client learns only now that its certificate was refused
		}
		done <- err
	}()
	if client.ServerName == "" {
		client = client.Clone()
		client.ServerName = "localhost"
	}
	conn, err := new(tls.Dialer{Config: client}).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		return state, <-done, err
	}
	defer conn.Close()
	_, clientErr = conn.Read(make([]byte, 1))
	return conn.(*tls.Conn).ConnectionState(), <-done, clientErr
}

func served(t *testing.T, f *fixture, client *tls.Config) string {
	t.Helper()
	state, serverErr, clientErr := handshake(t, f.Config("h2", "http/1.1"), client)
	if serverErr != nil || clientErr != nil {
		t.Fatalf("no handshake: %v, %v", serverErr, clientErr)
	}
	return state.PeerCertificates[0].Subject.CommonName
}

func TestFilesAreReadAgain(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files := authority.Issue(t, "first")
	f := open(t, certs.Options{CertFile: files.Cert, KeyFile: files.Key})
	client := authority.Client(t)
	if got := served(t, f, client); got != "first" {
		t.Fatalf("the certificate is %q", got)
	}
	f.Check()
	if f.log.Len() > 0 {
		t.Errorf("nothing changed, and the log says: %s", f.log.String())
	}

	authority.IssueTo(t, "second", files)
	if got := served(t, f, client); got != "first" {
		t.Errorf("before it is looked at, the certificate is %q", got)
	}
	f.Check()
	if got := served(t, f, client); got != "second" || !strings.Contains(f.log.String(), "reloaded TLS certificates") {
		t.Errorf("after a change the certificate is %q, and the log says: %s", got, f.log.String())
	}

	// Half of a new pair: the old one stays, and the log says so once.
	other := authority.Issue(t, "third")
	f.log.Reset()
	copyFile(t, other.Cert, files.Cert)
	for range 3 {
		f.Check()
	}
	if got := served(t, f, client); got != "second" || strings.Count(f.log.String(), "cannot reload TLS certificates") != 1 {
		t.Errorf("with half of a new pair the certificate is %q, and the log says: %s", got, f.log.String())
	}
	copyFile(t, other.Key, files.Key)
	f.Check()
	if got := served(t, f, client); got != "third" {
		t.Errorf("with the other half the certificate is %q", got)
	}

	// A file is missing for a while.
	f.log.Reset()
	if err := os.Remove(files.Key); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		f.Check()
	}
	if got := served(t, f, client); got != "third" || strings.Count(f.log.String(), "cannot reload TLS certificates") != 1 {
		t.Errorf("without a key the certificate is %q, and the log says: %s", got, f.log.String())
	}
	authority.IssueTo(t, "fourth", files)
	f.Check()
	if got := served(t, f, client); got != "fourth" {
		t.Errorf("with a key again the certificate is %q", got)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestClientCertificates(t *testing.T) {
	authority, ofClients, stranger := certstest.NewAuthority(t), certstest.NewAuthority(t), certstest.NewAuthority(t)
	files := authority.Issue(t, "server")
	f := open(t, certs.Options{CertFile: files.Cert, KeyFile: files.Key, ClientCAFile: ofClients.File})
	known, unknown := ofClients.Issue(t, "client"), stranger.Issue(t, "client")
	try := func(own ...certstest.Files) error {
		_, serverErr, _ := handshake(t, f.Config("h2"), authority.Client(t, own...))
		return serverErr
	}
	if err := try(known); err != nil {
		t.Errorf("a client of the authority: %v", err)
	}
	if err := try(); err == nil {
		t.Error("a client without a certificate is served")
	}
	if err := try(unknown); err == nil {
		t.Error("a client of another authority is served")
	}
	// Session resumption does not bypass a change of authorities.
	client := authority.Client(t, known)
	client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	for range 2 {
		state, serverErr, _ := handshake(t, f.Config("h2"), client)
		if serverErr != nil || state.DidResume {
			t.Errorf("taken up again %v, %v", state.DidResume, serverErr)
		}
	}
	copyFile(t, stranger.File, ofClients.File)
	f.Check()
	if err := try(unknown); err != nil {
		t.Errorf("a client of the new authority: %v", err)
	}
	if err := try(known); err == nil {
		t.Error("a client of the former authority is served")
	}
}

func TestVersionsAndProtocols(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files := authority.Issue(t, "server")
	f := open(t, certs.Options{CertFile: files.Cert, KeyFile: files.Key})
	old := authority.Client(t)
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if _, _, err := handshake(t, f.Config("h2"), old); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	for offered, want := range map[string]string{"h2": "h2", "http/1.1": "http/1.1", "": ""} {
		client := authority.Client(t)
		if offered != "" {
			client.NextProtos = []string{offered}
		}
		state, _, err := handshake(t, f.Config("h2", "http/1.1"), client)
		if err != nil || state.NegotiatedProtocol != want {
			t.Errorf("a client that speaks %q gets %q, %v", offered, state.NegotiatedProtocol, err)
		}
	}
	// A server with certificates from files must not answer ACME challenges.
	challenge := authority.Client(t)
	challenge.NextProtos = []string{acme.ALPNProto}
	if _, serverErr, _ := handshake(t, f.Config("h2", "http/1.1"), challenge); serverErr == nil {
		t.Error("a challenge is answered with a certificate of a file")
	}
}

func TestUnusableFiles(t *testing.T) {
	authority := certstest.NewAuthority(t)
	one, other := authority.Issue(t, "one"), authority.Issue(t, "other")
	for name, c := range map[string]struct {
		options certs.Options
		want    string
	}{
		"no certificate":    {certs.Options{CertFile: "/nonexistent/cert", KeyFile: one.Key}, "/nonexistent/cert"},
		"no key":            {certs.Options{CertFile: one.Cert, KeyFile: "/nonexistent/key"}, "/nonexistent/key"},
		"another key":       {certs.Options{CertFile: one.Cert, KeyFile: other.Key}, "does not match"},
		"no authorities":    {certs.Options{CertFile: one.Cert, KeyFile: one.Key, ClientCAFile: "/nonexistent/ca"}, "/nonexistent/ca"},
		"not a certificate": {certs.Options{CertFile: one.Cert, KeyFile: one.Key, ClientCAFile: one.Key}, "there is no certificate in"},
	} {
		if _, err := certs.Open(c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
