// Package langfusetest starts the databases of a Langfuse installation, made from its documented tables, with rows in
// each of them. Tests import from them.
package langfusetest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"almanac/internal/catalog/pgtest"
	"almanac/internal/domain"
	"almanac/test/chtest"
)

//go:embed postgres.sql
var postgresSchema string

//go:embed clickhouse.sql
var clickhouseSchema string

// Settings of the installation.
const (
	Salt = "the old salt"
	// EncryptionKey is the key that encrypts secrets.
	EncryptionKey = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"
)

// Keys of the installation. All have the same secret.
const (
	ProjectKey      = "pk-lf-p"                                    // of the project p1
	OrganizationKey = "pk-lf-o"                                    // of the organization o1
	Secret          = "sk-lf-11111111-2222-3333-4444-555555555555" //nolint:gosec // of a test
)

// Installation is a Langfuse installation.
type Installation struct {
	Postgres   string // a URL
	ClickHouse string // of its HTTP interface, in the form of --clickhouse

	PostgresServer   *pgtest.Server
	ClickHouseServer *chtest.Server
}

// Start starts the databases, which are stopped at the end of the test.
func Start(t testing.TB) *Installation {
	t.Helper()
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	i := &Installation{Postgres: server.URL("postgres"), PostgresServer: server, ClickHouseServer: chtest.Start(t)}
	i.fillPostgres(t)
	name := NewDatabase(t, i.ClickHouseServer)
	i.ClickHouse = i.ClickHouseServer.StoreAddress(name)
	for line := range strings.SplitSeq(strings.TrimSpace(clickhouseSchema), "\n") {
		// The statements name tables without the database, which a request would need a parameter for.
		line = strings.NewReplacer("CREATE TABLE ", "CREATE TABLE "+name+".", "INSERT INTO ", "INSERT INTO "+name+".").Replace(line)
		if _, err := i.ClickHouseServer.Query(t.Context(), strings.TrimSuffix(line, ";")); err != nil {
			t.Fatalf("%s\n%v", line, err)
		}
	}
	return i
}

// NewDatabase creates a new database on a server that may be shared.
func NewDatabase(t testing.TB, server *chtest.Server) (name string) {
	t.Helper()
	name = "lf" + strings.ToLower(strings.ReplaceAll(domain.NewID(), "-", ""))[:12]
	if _, err := server.Query(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return name
}

// Medium is the content of the medium me1 in the bucket. The file of me2 is missing.
const Medium = "\x89PNG"

// StartBucket starts a server with the bucket "media" of the installation and returns its URL. It accepts any keys.
func StartBucket(t testing.TB) (endpoint string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("media"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+"/media/media/p1/me1.png", strings.NewReader(Medium))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response.Status, err)
	}
	return server.URL
}

// NewPostgresDatabase creates an empty database beside that of the installation and returns its URL.
func (i *Installation) NewPostgresDatabase(t testing.TB, name string) string {
	t.Helper()
	i.Exec(t, "CREATE DATABASE "+name)
	return i.PostgresServer.URL(name)
}

// Exec runs statements in PostgreSQL.
func (i *Installation) Exec(t testing.TB, statements ...string) {
	t.Helper()
	db, err := sql.Open("pgx", i.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // of a test
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func (i *Installation) fillPostgres(t testing.TB) {
	t.Helper()
	db, err := sql.Open("pgx", i.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // of a test
	salted := sha256.Sum256([]byte(Salt))
	fast := sha256.Sum256([]byte(Secret + hex.EncodeToString(salted[:])))
	for _, statement := range []struct {
		text string
		args []any
	}{
		{postgresSchema, nil},
		{`INSERT INTO api_keys (id, created_at, note, public_key, hashed_secret_key, fast_hashed_secret_key, display_secret_key, project_id, organization_id)
			VALUES ('k1', '2024-01-01', 'old', 'pk-lf-p', 'nonsense', $1, 'sk-lf-...5555', 'p1', NULL), ('k2', '2024-01-01', NULL, 'pk-lf-o', 'nonsense', $1, 'sk-lf-...5555', NULL, 'o1'),
				('k3', '2024-01-01', NULL, 'pk-lf-x', 'nonsense', NULL, 'sk-lf-...5555', 'p1', NULL)`, []any{hex.EncodeToString(fast[:])}},
		{
			`INSERT INTO llm_api_keys VALUES ('l1', '2024-01-01', '2024-01-02', 'openai', 'openai', '...nai', $1, NULL, '{a,b}', true, ` +
				`$2, '{X-A}', NULL, 'p1')`,
			[]any{Encrypt(t, "sk-openai"), Encrypt(t, `{"X-A":"1"}`)},
		},
		{
			`INSERT INTO blob_storage_integrations VALUES ('p1', 'S3', 'bucket', 'x/', 'AK', $1, 'auto', NULL, false, true, 'daily', ` +
				`'CSV', 'FULL_HISTORY', NULL, '2024-01-01', '2024-01-02')`,
			[]any{Encrypt(t, "bucket secret")},
		},
	} {
		if _, err := db.ExecContext(t.Context(), statement.text, statement.args...); err != nil {
			t.Fatal(err)
		}
	}
}

// Encrypt returns a secret as the installation stores it: iv:data:tag in hexadecimal digits.
func Encrypt(t testing.TB, secret string) string {
	t.Helper()
	raw, err := hex.DecodeString(EncryptionKey)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	nonce := []byte("twelve bytes")
	sealed := aead.Seal(nil, nonce, []byte(secret), nil) //nolint:gosec // always the same: of a test
	text, tag := sealed[:len(sealed)-aead.Overhead()], sealed[len(sealed)-aead.Overhead():]
	return hex.EncodeToString(nonce) + ":" + hex.EncodeToString(text) + ":" + hex.EncodeToString(tag)
}
