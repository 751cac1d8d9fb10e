package blackbox

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/test/certstest"
	"almanac/test/harness"
)

// secureClient returns a client with the given TLS configuration, which uses HTTP/2 if the server supports it.
func secureClient(t *testing.T, config *tls.Config) *http.Client {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask sends a request with the key of the server's project.
func ask(t *testing.T, client *http.Client, s *harness.Server, method, path, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(s.PublicKey, s.SecretKey)
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// strictTransport returns what the server tells browsers that reach it by its name about unencrypted connections.
func strictTransport(t *testing.T, client *http.Client, s *harness.Server) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/public/health", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "almanac.test"
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.Header.Get("Strict-Transport-Security")
}

// TestTLS serves the API and gRPC with a certificate from files, which are replaced while it runs.
func TestTLS(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files := authority.Issue(t, "first")
	s := startForExports(t, t.TempDir(), "--tls-cert="+files.Cert, "--tls-key="+files.Key, "--otlp-grpc-listen=127.0.0.1:0",
		"--metrics-listen=127.0.0.1:0")
	client := secureClient(t, authority.Client(t))
	answer, body := ask(t, client, s, "GET", "/api/public/projects", "")
	if answer.StatusCode != 200 || answer.Proto != "HTTP/2.0" || !strings.HasPrefix(s.URL, "https://127.0.0.1:") {
		t.Errorf("%s answers %s %d: %s", s.URL, answer.Proto, answer.StatusCode, body)
	}
	if got := strictTransport(t, client, s); got != "max-age=31536000" {
		t.Errorf("Strict-Transport-Security: %q", got)
	}
	// Links have the scheme that the client used.
	answer, body = ask(t, client, s, "GET", "/.well-known/mcp.json", "")
	if !strings.Contains(body, `"url":"`+s.URL+`/api/public/mcp"`) {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	old := secureClient(t, authority.Client(t))
	old.Transport.(*http.Transport).ForceAttemptHTTP2 = false
	if answer, _ := ask(t, old, s, "GET", "/api/public/health", ""); answer.StatusCode != 200 || answer.Proto != "HTTP/1.1" {
		t.Errorf("a client without HTTP/2 is answered %s %d", answer.Proto, answer.StatusCode)
	}
	plain := &harness.Server{URL: "http" + strings.TrimPrefix(s.URL, "https")}
	if answer, body := ask(t, http.DefaultClient, plain, "GET", "/api/public/health", ""); answer.StatusCode != 400 ||
		!strings.Contains(body, "HTTPS") {
		t.Errorf("a client without TLS is answered %d %s", answer.StatusCode, body)
	}

	// Exporters verify certificates against the system's authorities, which this variable replaces.
	t.Setenv("SSL_CERT_FILE", authority.File)
	program := build(t, "exporters")
	for protocol, endpoint := range map[string]string{"http": s.URL + tracesPath, "grpcs": s.GRPCAddress(t)} {
		if stdout, stderr, err := runExporters(t, program, protocol, endpoint, exportKey, exportPass); err != nil {
			t.Errorf("%s: %v, %s%s", protocol, err, stdout, stderr)
		}
	}
	address := strings.TrimPrefix(s.URL, "https://")
	for _, args := range [][]string{{}, {"--ready"}} {
		if stdout, stderr, code := harness.Run(t, append([]string{"health", "--listen", address, "--tls-cert", files.Cert},
			args...)...); code != 0 {
			t.Errorf("almanac health %q: exit code %d, %s%s", args, code, stdout, stderr)
		}
	}
	stdout, stderr, code := harness.Run(t, "demo", "--url", s.URL, "--public-key", exportKey, "--secret-key", exportPass, "--traces", "3")
	if code != 0 {
		t.Errorf("almanac demo: exit code %d, %s%s", code, stdout, stderr)
	}

	authority.IssueTo(t, "second", files)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		answer, _ := ask(t, secureClient(t, authority.Client(t)), s, "GET", "/api/public/health", "")
		if answer.TLS.PeerCertificates[0].Subject.CommonName == "second" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the new certificate is not in use after 20 s")
		}
	}
	if _, log := s.Printed(); !strings.Contains(log, "reloaded TLS certificates") || strings.Contains(log, "without TLS") {
		t.Errorf("the log: %s", log)
	}
}

// TestClientCertificates requires a certificate from every client, including gRPC clients.
func TestClientCertificates(t *testing.T) {
	authority, ofClients := certstest.NewAuthority(t), certstest.NewAuthority(t)
	files, own := authority.Issue(t, "server"), ofClients.Issue(t, "client")
	s := harness.Start(t, "--tls-cert="+files.Cert, "--tls-key="+files.Key, "--tls-client-ca="+ofClients.File,
		"--otlp-grpc-listen=127.0.0.1:0", "--no-hsts")
	client := secureClient(t, authority.Client(t, own))
	if answer, body := ask(t, client, s, "GET", "/api/public/projects", ""); answer.StatusCode != 200 {
		t.Errorf("with a certificate: %d %s", answer.StatusCode, body)
	}
	if got := strictTransport(t, client, s); got != "" {
		t.Errorf("Strict-Transport-Security with --no-hsts: %q", got)
	}
	for _, address := range []string{strings.TrimPrefix(s.URL, "https://"), s.GRPCAddress(t)} {
		config := authority.Client(t)
		config.NextProtos = []string{"h2"}
		conn, err := new(tls.Dialer{Config: config}).DialContext(t.Context(), "tcp", address)
		if err == nil { // over TLS 1.3 the refusal comes with the first response
			_, err = bufio.NewReader(conn).ReadByte()
			_ = conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "certificate required") {
			t.Errorf("%s without a certificate: %v", address, err)
		}
	}
	args := []string{"health", "--listen", strings.TrimPrefix(s.URL, "https://"), "--tls-cert", files.Cert}
	if _, stderr, code := harness.Run(t, args...); code != 1 {
		t.Errorf("almanac health without a certificate: exit code %d, %s", code, stderr)
	}
	if _, stderr, code := harness.Run(t, append(args, "--client-cert", own.Cert, "--client-key", own.Key)...); code != 0 {
		t.Errorf("almanac health with a certificate: exit code %d, %s", code, stderr)
	}
}
