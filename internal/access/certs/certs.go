// Package certs provides the certificates of the server: a pair of files that is reloaded when it changes, or
// certificates obtained over ACME. It also provides the authorities that client certificates are verified against.
package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
)

// Options say where certificates come from: files or an ACME authority.
type Options struct {
	// CertFile and KeyFile are a certificate chain and its key, in PEM.
	CertFile, KeyFile string
	// ClientCAFile holds the authorities, in PEM, one of which must have signed every client certificate. If it is
	// empty, clients need no certificate.
	ClientCAFile string
	// ACME is used if it names domains.
	ACME ACME
	Log  *slog.Logger
}

// Source provides the certificates in use.
type Source struct {
	options Options
	// fromAuthority is nil if certificates come from files.
	fromAuthority   func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	current         atomic.Pointer[material]
	files           files
	seen            []fs.FileInfo // of the files in use; only accessed by Check
	lastLoggedError string        // the last error logged about unusable files; only accessed by Check
}

// files gives access to files. Tests make it fail.
type files struct {
	stat func(path string) (fs.FileInfo, error)
	read func(path string) ([]byte, error)
}

// material is what was read from the files in one go.
type material struct {
	certificate *tls.Certificate // nil if certificates come from an authority
	clients     *x509.CertPool   // nil if clients need no certificate
}

// Open reads the files. It starts no goroutine.
func Open(o Options) (*Source, error) {
	s := &Source{options: o, files: files{os.Stat, os.ReadFile}}
	if len(o.ACME.Domains) > 0 {
		s.fromAuthority = o.ACME.manager().GetCertificate
	}
	seen, err := s.look()
	if err != nil {
		return nil, fmt.Errorf("cannot read the TLS files: %w", err)
	}
	m, err := s.read()
	if err != nil {
		return nil, err
	}
	s.seen = seen
	s.current.Store(m)
	return s, nil
}

// checkEvery is the interval at which the files are checked.
const checkEvery = time.Second

// Run reloads the files whenever they change, until ctx is done.
func (s *Source) Run(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.Check()
		}
	}
}

// Check reloads the files if they changed. If they are unusable, it logs that once and keeps the previous ones in use:
// a certificate and its key are rarely replaced at the same moment. It retries on every call, since the cause may be
// elsewhere, such as too many open files.
func (s *Source) Check() {
	seen, err := s.look()
	if err == nil && slices.EqualFunc(seen, s.seen, unchanged) {
		s.lastLoggedError = "" // the files in use are back, or readable again
		return
	}
	var m *material
	if err == nil {
		m, err = s.read()
	}
	if err != nil {
		if err.Error() != s.lastLoggedError {
			s.options.Log.Error("cannot reload TLS certificates: still using the previous ones", "error", err)
		}
		s.lastLoggedError = err.Error()
		return
	}
	s.seen, s.lastLoggedError = seen, ""
	s.current.Store(m)
	s.options.Log.Info("reloaded TLS certificates", "certificate_expires", m.expiry())
}

// look returns the file information of the files, or an error if one of them is missing. It follows symbolic links:
// Kubernetes replaces a directory by changing one.
func (s *Source) look() ([]fs.FileInfo, error) {
	var seen []fs.FileInfo
	for _, path := range []string{s.options.CertFile, s.options.KeyFile, s.options.ClientCAFile} {
		if path == "" {
			continue
		}
		info, err := s.files.stat(path)
		if err != nil {
			return nil, err
		}
		seen = append(seen, info)
	}
	return seen, nil
}

func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (s *Source) read() (*material, error) {
	m := new(material)
	if s.options.CertFile != "" {
		pair, err := s.pair()
		if err != nil {
			return nil, fmt.Errorf("cannot use the certificate %s with the key %s: %w", s.options.CertFile, s.options.KeyFile, err)
		}
		m.certificate = &pair
	}
	if s.options.ClientCAFile != "" {
		text, err := s.files.read(s.options.ClientCAFile)
		if err != nil {
			return nil, fmt.Errorf("cannot read the client certificate authorities: %w", err)
		}
		m.clients = x509.NewCertPool()
		if !m.clients.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("there is no certificate in %s", s.options.ClientCAFile)
		}
	}
	return m, nil
}

// pair reads a certificate and its key.
func (s *Source) pair() (tls.Certificate, error) {
	chain, err := s.files.read(s.options.CertFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := s.files.read(s.options.KeyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(chain, key)
}

// expiry returns when the certificate expires, for the log.
func (m *material) expiry() string {
	if m.certificate == nil || m.certificate.Leaf == nil {
		return "unknown"
	}
	return m.certificate.Leaf.NotAfter.UTC().Format(time.RFC3339)
}

func (s *Source) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if s.fromAuthority != nil {
		return s.fromAuthority(hello)
	}
	return s.current.Load().certificate, nil
}

// errNoChallenge is returned to an authority that connects to a listener which answers no challenges.
var errNoChallenge = errors.New("ACME challenges are answered only on the API address")

// Config returns the TLS configuration of a listener for the given protocols (ALPN). A listener that speaks HTTP/1.1
// also answers the challenges of the ACME authority.
func (s *Source) Config(protocols ...string) *tls.Config {
	challenged := s.fromAuthority != nil && slices.Contains(protocols, "http/1.1")
	base := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: protocols, GetCertificate: s.certificate}
	if s.options.ClientCAFile != "" {
		base.ClientAuth = tls.RequireAndVerifyClientCert
		// A resumed session would keep the authorities that were valid when it began.
		base.SessionTicketsDisabled = true
	}
	config := base.Clone()
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
			if !challenged {
				return nil, errNoChallenge
			}
			// The authority has no client certificate. Nothing else can be done over this protocol: net/http closes the
			// connection.
			return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{acme.ALPNProto}, GetCertificate: s.certificate}, nil
		}
		if base.ClientAuth == tls.NoClientCert {
			return nil, nil //nolint:nilnil // the documented way to say: as it is
		}
		forClient := base.Clone()
		forClient.ClientCAs = s.current.Load().clients
		return forClient, nil
	}
	return config
}
