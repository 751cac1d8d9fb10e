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

// shared is the one server that all tests of a package share, started by the first that needs it.
var shared struct {
	once   sync.Once
	server *Server
	err    error
	mu     sync.Mutex
	count  int
}

// Main runs the tests of a package that use URL, stops the server that they share, and looks for goroutines that they left.
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

// URL returns the address of a fresh, empty database on the server that the tests of a package share.
func URL(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = Start() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	admin, err := sql.Open("pgx", shared.server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close() //nolint:errcheck // nothing is lost with it
	shared.mu.Lock()
	shared.count++
	name := fmt.Sprintf("test%d", shared.count)
	shared.mu.Unlock()
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return shared.server.URL(name)
}
