package otlpgrpc

import (
	"crypto/tls"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"almanac/internal/access/certs"
	"almanac/internal/ingest"
	"almanac/test/certstest"
)

func TestTLS(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files, own := authority.Issue(t, "server"), authority.Issue(t, "client")
	source, err := certs.Open(certs.Options{
		CertFile: files.Cert, KeyFile: files.Key, ClientCAFile: authority.File, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(o *Options, _ *ingest.Options) { o.TLS = source.Config("h2") })
	write := as(t.Context(), basic("pk-write", "secret"))

	if _, err := f.export(write, spans("00000001")); status.Code(err) != codes.Unavailable {
		t.Errorf("without TLS: %v", err)
	}
	with := func(config *tls.Config) {
		_ = f.client.Close()
		if f.client, err = grpc.NewClient(f.address, grpc.WithTransportCredentials(credentials.NewTLS(config))); err != nil {
			t.Fatal(err)
		}
	}
	with(authority.Client(t))
	if _, err := f.export(write, spans("00000002")); status.Code(err) != codes.Unavailable {
		t.Errorf("without a client certificate: %v", err)
	}
	with(authority.Client(t, own))
	if _, err := f.export(write, spans("00000003")); err != nil {
		t.Errorf("with TLS: %v", err)
	}
	if got := strings.Join(f.table.names, ", "); got != "project: span 00000003 of unknown by pk-write" {
		t.Errorf("stored: %s", got)
	}
}
