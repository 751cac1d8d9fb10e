package certs_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme"

	"almanac/internal/access/certs"
	"almanac/test/certstest"
)

const domain = "almanac.example.org"

// authority is a small certificate authority that speaks ACME (RFC 8555) and checks domains by tls-alpn-01 (RFC 8737).
// It does not verify the signatures of requests.
type authority struct {
	*httptest.Server
	key  *ecdsa.PrivateKey
	root *x509.Certificate
	// where is the address that every domain resolves to.
	where string

	mu         sync.Mutex
	account    crypto.PublicKey
	orders     int
	authorized string // state of the authorization
	why        error  // why the authorization is invalid
	issued     []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour * 9999),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err == nil {
		a.root, err = x509.ParseCertificate(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Replay-Nonce", rand.Text())
	w.Header().Set("Content-Type", "application/json")
	var message struct{ Protected, Payload string }
	_ = json.NewDecoder(r.Body).Decode(&message)
	order := func(state string) map[string]any {
		w.Header().Set("Location", a.URL+"/order")
		return map[string]any{
			"status": state, "identifiers": []any{map[string]string{"type": "dns", "value": domain}},
			"authorizations": []string{a.URL + "/authorization"},
			"finalize":       a.URL + "/finalize", "certificate": a.URL + "/certificate",
		}
	}
	challenge := map[string]string{"type": "tls-alpn-01", "url": a.URL + "/challenge", "token": "token", "status": "pending"}
	var answer any
	switch r.URL.Path {
	case "/directory":
		answer = map[string]string{"newNonce": a.URL + "/nonce", "newAccount": a.URL + "/account", "newOrder": a.URL + "/new-order"}
	case "/nonce":
		return
	case "/account":
		a.account = accountKey(message.Protected)
		w.Header().Set("Location", a.URL+"/account/1")
		w.WriteHeader(http.StatusCreated)
		answer = map[string]string{"status": "valid"}
	case "/new-order":
		a.orders++
		a.authorized = "pending"
		answer = order("pending")
		w.WriteHeader(http.StatusCreated)
	case "/authorization":
		answer = map[string]any{
			"status": a.authorized, "identifier": map[string]string{"type": "dns", "value": domain}, "challenges": []any{challenge},
		}
	case "/challenge":
		a.authorized = "valid"
		if a.why = a.check(r); a.why != nil {
			a.authorized = "invalid"
		}
		answer = challenge
	case "/order":
		answer = order("ready")
	case "/finalize":
		a.issue(message.Payload)
		answer = order("valid")
	case "/certificate":
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.issued})
		return
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func decoded(text string) []byte {
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	return raw
}

// accountKey returns the key in the protected header of a request.
func accountKey(protected string) crypto.PublicKey {
	var header struct {
		JWK struct{ X, Y string }
	}
	_ = json.Unmarshal(decoded(protected), &header)
	x, y := new(big.Int).SetBytes(decoded(header.JWK.X)), new(big.Int).SetBytes(decoded(header.JWK.Y))
	return &ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y} //nolint:staticcheck // as the key comes
}

// check connects to the domain and looks for the proof of the account in the certificate it presents.
func (a *authority) check(r *http.Request) error {
	config := &tls.Config{ServerName: domain, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}
	conn, err := (&tls.Dialer{Config: config}).DialContext(r.Context(), "tcp", a.where)
	if err != nil {
		return err
	}
	defer conn.Close()
	state := conn.(*tls.Conn).ConnectionState()
	if state.NegotiatedProtocol != acme.ALPNProto {
		return fmt.Errorf("the protocol is %q", state.NegotiatedProtocol)
	}
	if rest, err := io.ReadAll(conn); len(rest) > 0 || err != nil {
		return fmt.Errorf("the connection stays open, or says %q: %w", rest, err)
	}
	thumbprint, err := acme.JWKThumbprint(a.account)
	if err != nil {
		return err
	}
	proof := sha256.Sum256([]byte("token." + thumbprint))
	want, err := asn1.Marshal(proof[:])
	if err != nil {
		return err
	}
	for _, extension := range state.PeerCertificates[0].Extensions {
		if extension.Id.String() == "1.3.6.1.5.5.7.1.31" && string(extension.Value) == string(want) {
			return nil
		}
	}
	return errors.New("the certificate holds no proof")
}

func (a *authority) issue(payload string) {
	var request struct{ CSR string }
	_ = json.Unmarshal(decoded(payload), &request)
	csr, err := x509.ParseCertificateRequest(decoded(request.CSR))
	if err != nil {
		return
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: domain}, DNSNames: csr.DNSNames,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
	}
	a.issued, _ = x509.CreateCertificate(rand.Reader, template, a.root, csr.PublicKey, a.key)
}

// TestACME obtains a certificate from an authority that checks the domain, even though clients need certificates and
// the authority has none.
func TestACME(t *testing.T) {
	authority, ofClients := newAuthority(t), certstest.NewAuthority(t)
	cache := filepath.Join(t.TempDir(), "certificates")
	serve := func() *tls.Config {
		source, err := certs.Open(certs.Options{
			ClientCAFile: ofClients.File, Log: slog.New(slog.DiscardHandler),
			ACME: certs.ACME{Domains: []string{domain}, Email: "ops@example.org", Directory: authority.URL + "/directory", Cache: cache},
		})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, r.Proto)
		}))
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
		server.Config.TLSConfig = source.Config("h2", "http/1.1")
		go func() { _ = server.Config.ServeTLS(server.Listener, "", "") }()
		t.Cleanup(func() { _ = server.Config.Close() })
		authority.where = server.Listener.Addr().String()
		return source.Config("h2") // for another listener, which answers no challenges
	}
	ask := func(name string) (string, error) {
		config := ofClients.Client(t, ofClients.Issue(t, "client"))
		config.RootCAs, config.ServerName = x509.NewCertPool(), name
		config.RootCAs.AddCert(authority.root)
		transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport}).Get("https://" + authority.where + "/")
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}

	other := serve()
	if text, err := ask(domain); err != nil || text != "HTTP/2.0" {
		t.Fatalf("%q, %v; the authority says %v", text, err, authority.why)
	}
	if _, err := ask("other.example.org"); err == nil || authority.orders != 1 {
		t.Errorf("another domain: %v, %d orders", err, authority.orders)
	}
	_, serverErr, _ := handshake(t, other, &tls.Config{ServerName: domain, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true})
	if serverErr == nil {
		t.Error("another listener answers the authority")
	}
	for path, want := range map[string]os.FileMode{cache: 0o700, filepath.Join(cache, domain): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	// The next start has the certificate already.
	serve()
	if text, err := ask(domain); err != nil || text != "HTTP/2.0" || authority.orders != 1 {
		t.Errorf("after another start: %q, %v, %d orders", text, err, authority.orders)
	}
}
