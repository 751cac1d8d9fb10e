package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// parse parses options as the program does.
func parse(t *testing.T, args []string, environment map[string]string) (Serve, error) {
	t.Helper()
	getenv := func(name string) string { return environment[name] }
	resolver, err := NewResolver(getenv, File(args, getenv))
	if err != nil {
		return Serve{}, err
	}
	var s Serve
	parser, err := kong.New(&s, kong.Name("serve"), kong.Resolvers(resolver))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return s, err
}

func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrecedence(t *testing.T) {
	file := writeFile(t, "# comment\n\nlisten = file:1\nmax-connections=7\n  data = /from the file  \n")
	cases := []struct {
		name        string
		args        []string
		environment map[string]string
		want        string
	}{
		{"default", nil, nil, "127.0.0.1:3000"},
		{"file", []string{"--config", file}, nil, "file:1"},
		{"file by variable", nil, map[string]string{"ALMANAC_CONFIG": file}, "file:1"},
		{"variable over file", []string{"--config=" + file}, map[string]string{"ALMANAC_LISTEN": "variable:1"}, "variable:1"},
		{"flag over variable", []string{"--listen=flag:1", "--config", file}, map[string]string{"ALMANAC_LISTEN": "variable:1"}, "flag:1"},
		{"an empty variable is none", []string{"--config", file}, map[string]string{"ALMANAC_LISTEN": ""}, "file:1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse(t, c.args, c.environment)
			if err != nil {
				t.Fatal(err)
			}
			if s.Listen != c.want {
				t.Errorf("listen = %q, want %q", s.Listen, c.want)
			}
		})
	}
	s, err := parse(t, []string{"--config", file}, nil)
	if err != nil || s.MaxConnections != 7 || s.Data != "/from the file" {
		t.Errorf("max connections %d, data %q, %v", s.MaxConnections, s.Data, err)
	}
}

func TestOtherNames(t *testing.T) {
	s, err := parse(t, nil, map[string]string{
		"LANGFUSE_INIT_ORG_ID": "theirs", "ALMANAC_INIT_PROJECT_ID": "ours", "LANGFUSE_INIT_PROJECT_ID": "theirs",
		"LANGFUSE_INIT_PROJECT_SECRET_KEY": "secret", "ADMIN_API_KEY": "admin key of 16.",
		"ENCRYPTION_KEY": strings.Repeat("0a", 32),
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.OrgID != "theirs" || s.ProjectID != "ours" || s.ProjectSecretKey.Reveal() != "secret" ||
		s.AdminAPIKey.Reveal() != "admin key of 16." ||
		s.EncryptionKey.Reveal() != strings.Repeat("0a", 32) {
		t.Errorf("init = %+v", s.Init)
	}
	if s.OrgName != "Provisioned Org" || s.ProjectName != "Provisioned Project" || s.UserName != "Provisioned User" {
		t.Errorf("default names: %+v", s.Init)
	}
}

func TestSecretsFromFiles(t *testing.T) {
	file := writeFile(t, "from the file that is long enough\n")
	s, err := parse(t, nil, map[string]string{"ALMANAC_ADMIN_API_KEY_FILE": file, "LANGFUSE_INIT_USER_PASSWORD_FILE": file})
	if err != nil || s.AdminAPIKey.Reveal() != "from the file that is long enough" ||
		s.UserPassword.Reveal() != "from the file that is long enough" {
		t.Errorf("%q, %q, %v", s.AdminAPIKey.Reveal(), s.UserPassword.Reveal(), err)
	}
	if _, err := parse(t, nil, map[string]string{"ALMANAC_ADMIN_API_KEY_FILE": file + "x"}); err == nil ||
		!strings.Contains(err.Error(), "ALMANAC_ADMIN_API_KEY_FILE") {
		t.Errorf("a missing file: %v", err)
	}
	// Only secrets are read from files.
	if s, err := parse(t, nil, map[string]string{"ALMANAC_LISTEN_FILE": file}); err != nil || s.Listen != "127.0.0.1:3000" {
		t.Errorf("listen = %q, %v", s.Listen, err)
	}
}

func TestRefused(t *testing.T) {
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"no such file", []string{"--config", "/nonexistent/file"}, "cannot read the configuration file"},
		{"unknown name in the file", []string{"--config", writeFile(t, "\nlisen = x")}, `:2: unknown option "lisen"`},
		{"no value in the file", []string{"--config", writeFile(t, "listen")}, `:1: "listen" is not of the form`},
		{"a bad value in the file", []string{"--config", writeFile(t, "max-connections = many")}, "max-connections"},
		{"zero", []string{"--max-concurrent-requests=0"}, "--max-concurrent-requests must be greater than 0"},
		{"negative time", []string{"--request-timeout=-1s"}, "--request-timeout must be greater than 0"},
		{"not a size", []string{"--request-memory=much"}, "not a size"},
		{"unknown level", []string{"--log-level=loud"}, "log-level"},
		{"no exports", []string{"--max-export=0"}, "--max-export must be greater than 0"},
		{"no memory for exports", []string{"--ingest-memory=0"}, "--ingest-memory must be greater than 0"},
		{"no time for exports", []string{"--ingest-queue-timeout=0s"}, "--ingest-queue-timeout must be greater than 0"},
		{"short retention", []string{"--init-project-retention=2"}, "at least 3 days"},
		{"not a URL", []string{"--public-url=example.org"}, "is not a URL"},
		{"nowhere to send feedback to", []string{"--feedback-url=hooks.example.org"}, "--feedback-url is not a URL"},
		{"a short encryption key", []string{"--encryption-key=abc"}, "--encryption-key must be 64 hexadecimal digits"},
		{"an encryption key that is no number", []string{"--encryption-key=" + strings.Repeat("g", 64)}, "--encryption-key must be 64"},
		{"no key to share", []string{"--catalog=postgres://x", "--store=clickhouse://x", "--blob=s3://x"}, "--encryption-key is required"},
		{"a certificate without its key", []string{"--tls-cert=c.pem"}, "--tls-cert and --tls-key must be set together"},
		{"a key without its certificate", []string{"--tls-key=k.pem"}, "--tls-cert and --tls-key must be set together"},
		{
			"two sources of certificates",
			[]string{"--tls-cert=c.pem", "--tls-key=k.pem", "--acme-domains=a.example.org"},
			"mutually exclusive",
		},
		{"client certificates without TLS", []string{"--tls-client-ca=ca.pem"}, "--tls-client-ca requires --tls-cert or --acme-domains"},
		{"an authority for nothing", []string{"--acme-directory=https://ca.example.org"}, "--acme-domains, which is not set"},
		{"a mailbox for nothing", []string{"--acme-email=a@example.org"}, "--acme-domains, which is not set"},
		{"a domain that is none", []string{"--acme-domains=a.example.org,localhost"}, `"localhost" is not a domain`},
		{"a wildcard", []string{"--acme-domains=*.example.org"}, `"*.example.org" is not a domain`},
		{"no domain", []string{"--acme-domains=,"}, "contains no domain"},
		{
			"an authority without TLS",
			[]string{"--acme-domains=a.example.org", "--acme-directory=http://ca.example.org"},
			"--acme-directory",
		},
		{
			"nowhere to keep certificates",
			[]string{
				"--catalog=postgres://x", "--store=clickhouse://x", "--blob=s3://x", "--encryption-key=" + strings.Repeat("0a", 32),
				"--acme-domains=a.example.org",
			},
			"--acme-domains requires a data directory",
		},
		{"a base path without a slash", []string{"--base-path=almanac"}, "is not a valid base path"},
		{"a base path that is no plain text", []string{"--base-path=/a b"}, "is not a valid base path"},
		{"a base path with an empty part", []string{"--base-path=/a//b"}, "is not a valid base path"},
		{"a base path that leads up", []string{"--base-path=/a/../b"}, "is not a valid base path"},
		{"a public URL with an odd path", []string{"--public-url=https://example.org/a<b"}, "is not a valid base path"},
		{"a public URL with a query", []string{"--public-url=https://example.org/a?b"}, "must have only a scheme, a host and a path"},
		{"two base paths", []string{"--public-url=https://example.org/a", "--base-path=/b"}, "have different paths"},
		{"an origin with a path", []string{"--cors-origins=https://example.org/page"}, "is not an origin"},
		{"an origin without a scheme", []string{"--cors-origins=example.org"}, "is not an origin"},
		{"some origins of many", []string{"--cors-origins=https://*.example.org"}, "is not an origin"},
		{"all origins and one", []string{"--cors-origins=*,https://example.org"}, "is not an origin"},
		{"an issuer without a client", []string{"--sso-issuer=https://sso.example.org"}, "must be set together"},
		{"a client's secret for nothing", []string{"--sso-client-secret=x"}, "--sso-issuer, which is not set"},
		{"a mail server without a sender", []string{"--smtp-url=smtp://mail.example.org"}, "--smtp-url requires --mail-from"},
		{"a sender without a mail server", []string{"--mail-from=a@example.org"}, "--smtp-url, which is not set"},
		{
			"links that lead nowhere",
			[]string{"--smtp-url=smtp://mail.example.org", "--mail-from=a@example.org"},
			"--smtp-url requires --public-url",
		},
		{"no way in", []string{"--disable-password-sign-in"}, "otherwise nobody could sign in"},
		{"unknown flag", []string{"--lisen=x"}, "--lisen"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parse(t, c.args, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "65536": 65536, "64KB": 64 << 10, "64k": 64 << 10, "1.5MB": 3 << 19, "2 GB": 2 << 30, "7B": 7,
	} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want {
			t.Errorf("%q = %d, %v; want %d", text, b, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1MB", "5 parsecs", "1e30GB"} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q = %d, want an error", text, b)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	s := Serve{AdminAPIKey: "planted", EncryptionKey: "planted"}
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		fmt.Sprint(s), fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s), fmt.Sprintf("%v", s.AdminAPIKey), string(encoded),
	} {
		if strings.Contains(text, "planted") {
			t.Errorf("the secret shows: %s", text)
		}
	}
	if Secret("").String() != "" {
		t.Error("no secret looks like one")
	}
}

func TestMail(t *testing.T) {
	environment := map[string]string{
		"SMTP_CONNECTION_URL": "smtp://u:p@mail.example.org", "EMAIL_FROM_ADDRESS": "a@example.org",
		"NEXTAUTH_URL": "https://almanac.example.org",
	}
	s, err := parse(t, nil, environment)
	if err != nil || s.SMTPURL.Reveal() != "smtp://u:p@mail.example.org" || s.MailFrom != "a@example.org" || s.SMTPTLS != "auto" {
		t.Errorf("%+v, %v", s.Mail, err)
	}
	if _, err := parse(t, []string{"--acme-domains=almanac.example.org"}, map[string]string{
		"ALMANAC_SMTP_URL": "smtp://mail.example.org", "ALMANAC_MAIL_FROM": "a@example.org",
	}); err != nil {
		t.Errorf("a domain is an address, too: %v", err)
	}
}

func TestCatalogAddress(t *testing.T) {
	if got := (Storage{}).CatalogAddress("file"); got != "file" {
		t.Errorf("default = %q", got)
	}
	if got := (Storage{Catalog: "postgres://x"}).CatalogAddress("file"); got != "postgres://x" {
		t.Errorf("given = %q", got)
	}
}

func TestStateless(t *testing.T) {
	elsewhere := Storage{Catalog: "postgres://x", Store: "clickhouse://x", Blob: "s3://x", Data: "here"}
	if !elsewhere.Stateless() || elsewhere.DataDirectory() != "none" {
		t.Error("everything is elsewhere and a directory is needed")
	}
	for name, change := range map[string]func(*Storage){
		"catalog":           func(s *Storage) { s.Catalog = "" },
		"catalog in a file": func(s *Storage) { s.Catalog = "catalog.db" },
		"events":            func(s *Storage) { s.Store = "" },
		"media":             func(s *Storage) { s.Blob = "" },
		"media in a place":  func(s *Storage) { s.Blob = "/mnt/media" },
	} {
		s := elsewhere
		change(&s)
		if s.Stateless() || s.DataDirectory() != "here" {
			t.Errorf("%s: no directory is needed", name)
		}
	}
}

func TestDurationsReadAsDurations(t *testing.T) {
	s, err := parse(t, []string{"--request-timeout=90s"}, nil)
	if err != nil || s.RequestTimeout != 90*time.Second {
		t.Errorf("request timeout = %v, %v", s.RequestTimeout, err)
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct {
		args []string
		want Address
	}{
		{nil, Address{}},
		{[]string{"--public-url=https://example.org"}, Address{URL: "https://example.org"}},
		{[]string{"--public-url=https://example.org/"}, Address{URL: "https://example.org"}},
		{[]string{"--public-url=https://example.org/almanac/"}, Address{URL: "https://example.org/almanac", Path: "/almanac"}},
		{[]string{"--public-url=https://example.org/a/b", "--base-path=/a/b/"}, Address{URL: "https://example.org/a/b", Path: "/a/b"}},
		{[]string{"--public-url=https://example.org/almanac", "--base-path=/"}, Address{URL: "https://example.org/almanac"}},
		{[]string{"--public-url=https://example.org/almanac/api/auth"}, Address{URL: "https://example.org/almanac", Path: "/almanac"}},
		{[]string{"--base-path=/almanac"}, Address{Path: "/almanac"}},
		{[]string{"--base-path=/"}, Address{}},
	} {
		s, err := parse(t, c.args, nil)
		if err != nil || s.Address() != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.args, s.Address(), err, c.want)
		}
	}
}

func TestDomains(t *testing.T) {
	s, err := parse(t, []string{"--acme-domains= A.example.org,,b.example.org "}, nil)
	if err != nil || strings.Join(s.Domains(), " ") != "a.example.org b.example.org" || !s.Encrypted() {
		t.Errorf("%q, %v, encrypted %v", s.Domains(), err, s.Encrypted())
	}
	if s, err = parse(t, nil, nil); err != nil || s.Domains() != nil || s.Encrypted() {
		t.Errorf("%q, %v, encrypted %v without an option", s.Domains(), err, s.Encrypted())
	}
}

func TestSecurityOptions(t *testing.T) {
	for _, c := range []struct{ option, problem string }{
		{"--admin-api-key=fifteen letters", "--admin-api-key must have at least 16 characters"},
		{"--trusted-proxies=10.0.0.0/8,nonsense", `--trusted-proxies: "nonsense" is neither an address nor a network`},
		{"--admin-api-key=sixteen letters.", ""},
		{"--trusted-proxies=10.0.0.0/8, ::1", ""},
	} {
		switch _, err := parse(t, []string{c.option}, nil); {
		case c.problem == "" && err != nil, c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v", c.option, err)
		case err != nil && strings.Contains(err.Error(), "fifteen"):
			t.Errorf("%s: the message holds the key: %v", c.option, err)
		}
	}
}
