package server

import (
	"context"
	"crypto/tls"
	"log/slog"

	"almanac/internal/access/certs"
	"almanac/internal/config"
	"almanac/internal/datadir"
)

// certificates are those of the server. Without a source connections are not encrypted.
type certificates struct{ source *certs.Source }

func openCertificates(options config.Serve, log *slog.Logger) (certificates, error) {
	if !options.Encrypted() {
		return certificates{}, nil
	}
	source, err := certs.Open(certs.Options{
		CertFile: options.TLSCert, KeyFile: options.TLSKey, ClientCAFile: options.TLSClientCA, Log: log,
		ACME: certs.ACME{
			Domains: options.Domains(), Email: options.ACMEEmail, Directory: options.ACMEDirectory,
			Cache: datadir.CertificatesDir(options.Data),
		},
	})
	return certificates{source}, err
}

// config returns the TLS configuration for the given protocols, or nil without TLS.
func (c certificates) config(protocols ...string) *tls.Config {
	if c.source == nil {
		return nil
	}
	return c.source.Config(protocols...)
}

// watch reloads certificates when they change, until ctx is done.
func (c certificates) watch(ctx context.Context) {
	if c.source != nil {
		c.source.Run(ctx)
	}
}
