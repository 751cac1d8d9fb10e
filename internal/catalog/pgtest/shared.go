package pgtest

import (
	"database/sql"
	"fmt"
	"os"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"go.uber.org/goleak"
)

// shared is the server that all tests of a package share, started by the first test that needs it.
var shared struct {
	sync.Mutex
	server *Server
	err    error
	count  int
	model  string // the template database for Copy
}

// Main runs the tests of a package that uses URL, stops the shared server, and checks for leaked goroutines.
func Main(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "cannot stop PostgreSQL:", err)
			code = 1
		}
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// URL returns the address of a fresh, empty database on the shared server.
func URL(t testing.TB) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	name := create(t, "")
	return shared.server.URL(name)
}

// Copy returns the address of a fresh copy of a database, which fill populates once for all tests of a package.
func Copy(t testing.TB, fill func(address string) error) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.model == "" {
		model := create(t, "")
		if err := fill(shared.server.URL(model)); err != nil {
			t.Fatal(err)
		}
		shared.model = model
	}
	name := create(t, " TEMPLATE "+shared.model)
	return shared.server.URL(name)
}

// create creates a database, starting the server first if necessary. The caller must hold the mutex: only one database
// can be copied at a time.
func create(t testing.TB, options string) (name string) {
	t.Helper()
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = Start()
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	admin, err := sql.Open("pgx", shared.server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close() //nolint:errcheck // nothing is lost with it
	shared.count++
	name = fmt.Sprintf("test%d", shared.count)
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name+options); err != nil {
		t.Fatal(err)
	}
	return name
}
