package server

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"almanac/internal/config"
	"almanac/internal/datadir"
)

func TestOpenSecrets(t *testing.T) {
	lines := new(strings.Builder)
	log := slog.New(slog.NewTextHandler(lines, nil))
	options := config.Serve{Storage: config.Storage{Data: t.TempDir()}}

	first, err := openSecrets(options, log)
	if err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(datadir.KeyFile(options.Data))
	if err != nil {
		t.Fatal(err)
	}
	if text := lines.String(); !strings.Contains(text, datadir.KeyFile(options.Data)) ||
		strings.Contains(text, strings.TrimSpace(string(key))) {
		t.Errorf("the log says %s", text)
	}
	lines.Reset()
	second, err := openSecrets(options, log)
	if err != nil || lines.Len() > 0 {
		t.Errorf("the second start: %v, %s", err, lines)
	}
	sealed := first.Seal("secret", "here")
	if got, err := second.Open(sealed, "here"); got != "secret" || err != nil {
		t.Errorf("after a restart: %q, %v", got, err)
	}

	options.EncryptionKey = config.Secret(strings.TrimSpace(string(key)))
	given, err := openSecrets(options, log)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := given.Open(sealed, "here"); got != "secret" || err != nil {
		t.Errorf("with the same key, given: %q, %v", got, err)
	}
	options.EncryptionKey = config.Secret(strings.Repeat("0", 64))
	if other, err := openSecrets(options, log); err != nil {
		t.Error(err)
	} else if _, err := other.Open(sealed, "here"); err == nil {
		t.Error("another key opens the secret")
	}
	options.EncryptionKey = "planted"
	if _, err := openSecrets(options, log); err == nil || strings.Contains(err.Error(), "planted") ||
		!strings.Contains(err.Error(), "--encryption-key") {
		t.Errorf("a bad key: %v", err)
	}
}
