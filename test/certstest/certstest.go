// Package certstest makes certificates for tests.
package certstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates.
type Authority struct {
	// File is the file with its certificate, in PEM.
	File string

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	directory   string
}

// NewAuthority creates an authority with its files in a temporary directory.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{directory: t.TempDir()}
	a.File = filepath.Join(a.directory, "ca.pem")
	template := newTemplate(t, "authority")
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	a.key = newKey(t)
	a.certificate = template // signs itself
	a.certificate = a.sign(t, template, a.key)
	writePEM(t, a.File, "CERTIFICATE", a.certificate.Raw)
	return a
}

// Files are the files of one certificate.
type Files struct{ Cert, Key string }

// Issue signs a certificate for servers on this machine and for clients, with the given subject, and writes it to files
// named after it.
func (a *Authority) Issue(t testing.TB, name string) Files {
	t.Helper()
	files := Files{filepath.Join(a.directory, name+".pem"), filepath.Join(a.directory, name+"-key.pem")}
	a.IssueTo(t, name, files)
	return files
}

// IssueTo writes a new certificate to files that may exist.
func (a *Authority) IssueTo(t testing.TB, name string, files Files) {
	t.Helper()
	template := newTemplate(t, name)
	template.DNSNames, template.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	key := newKey(t)
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	writePEM(t, files.Cert, "CERTIFICATE", a.sign(t, template, key).Raw)
	writePEM(t, files.Key, "PRIVATE KEY", encoded)
}

// Client returns the TLS configuration of a client for servers of the authority, optionally with a client certificate.
func (a *Authority) Client(t testing.TB, own ...Files) *tls.Config {
	t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	config.RootCAs.AddCert(a.certificate)
	for _, files := range own {
		pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = append(config.Certificates, pair)
	}
	return config
}

func (a *Authority) sign(t testing.TB, template *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	signed, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

func newTemplate(t testing.TB, name string) *x509.Certificate {
	t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func writePEM(t testing.TB, path, kind string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
		t.Fatal(err)
	}
}
