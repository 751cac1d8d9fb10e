package cli

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"almanac/internal/config"
	"almanac/internal/netguard"
)

// healthCommand is for places without curl, such as a container that holds nothing but this program.
type healthCommand struct {
	Listen string `help:"Address that the server listens on, as given to almanac serve." default:"127.0.0.1:3000" placeholder:"ADDRESS"`
	// Options of the server itself, so that the environment variables of a container are enough.
	TLSCert     string `name:"tls-cert" help:"File with the certificate of the server, if it uses TLS." placeholder:"FILE"`
	ACMEDomains string `name:"acme-domains" help:"Domains of the server, if it obtains its certificates by ACME." placeholder:"DOMAINS"`

	ClientCert string `help:"PEM file with a client certificate, for a server with --tls-client-ca." placeholder:"FILE"`
	ClientKey  string `help:"PEM file with the private key of the client certificate." placeholder:"FILE"`

	Ready   bool          `help:"Check readiness instead: fails while the server shuts down or its database is not responding."`
	Timeout time.Duration `help:"How long to wait for a response." default:"5s"`
}

// Help returns the text shown below the options of the command.
func (*healthCommand) Help() string {
	return `Exits with 0 if the server on this machine is healthy, and otherwise prints the reason and exits with 1.`
}

// mostHealthAnswer is the maximum number of bytes shown of a response.
const mostHealthAnswer = 512

func (h *healthCommand) Run(t *terminal) error {
	host, err := ownAddress(h.Listen)
	if err != nil {
		return err
	}
	path := "/api/public/health"
	if h.Ready {
		path = "/api/public/ready"
	}
	if h.Timeout <= 0 {
		return fmt.Errorf("--timeout %s must be greater than 0", h.Timeout)
	}
	ctx, cancel := context.WithTimeout(t.ctx, h.Timeout)
	defer cancel()
	secure, err := h.secure()
	if err != nil {
		return err
	}
	scheme := "http://"
	if secure != nil {
		scheme = "https://"
	}
	// Even with --base-path a server serves this at the root.
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+host+path, http.NoBody)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", h.Listen, err)
	}
	// No proxy from the environment and no keep-alive: this is a single request to one server.
	transport := netguard.TrustedTransport()
	transport.Proxy, transport.DisableKeepAlives, transport.TLSClientConfig = nil, true, secure
	answer, err := netguard.ExactClient(transport, 0).Do(request)
	if err != nil {
		return fmt.Errorf("the server is not responding: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostHealthAnswer))
	if err != nil {
		return fmt.Errorf("the server at %s closed the connection early: %w", host, err)
	}
	text := strings.TrimSpace(string(body))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s responded %s: %s", host, answer.Status, text)
	}
	t.printf("%s\n", text)
	return nil
}

// secure returns the TLS configuration for the connection to the server, or nil for plain HTTP.
func (h *healthCommand) secure() (*tls.Config, error) {
	if h.TLSCert == "" && h.ACMEDomains == "" {
		return nil, nil //nolint:nilnil // as net/http takes it
	}
	secure := &tls.Config{
		MinVersion: tls.VersionTLS12,
		// The certificate is for the public name of the server, and no secret is sent to it.
		InsecureSkipVerify: true, //nolint:gosec // see above
	}
	if domains := (config.TLS{ACMEDomains: h.ACMEDomains}).Domains(); len(domains) > 0 {
		secure.ServerName = domains[0]
	}
	if h.ClientCert != "" || h.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(h.ClientCert, h.ClientKey)
		if err != nil {
			return nil, fmt.Errorf("cannot use the certificate of --client-cert with the key of --client-key: %w", err)
		}
		secure.Certificates = []tls.Certificate{pair}
	}
	return secure, nil
}

// ownAddress turns an address to listen on into one to connect to. An unspecified address becomes loopback.
func ownAddress(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("--listen %q is not an address such as 127.0.0.1:3000: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port), nil
}
