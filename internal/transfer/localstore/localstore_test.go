package localstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/localstore"
)

var scope = domain.OfProject("p")

// open opens an empty store.
func open(t *testing.T) store.Store {
	t.Helper()
	s, err := segment.Open(t.TempDir(), segment.OptionsFor(64<<20))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// serve serves a store on the socket of a directory and returns a function that stops it.
func serve(t *testing.T, dataDir string, o localstore.Options) (stop func()) {
	t.Helper()
	l, err := localstore.Listen(t.Context(), dataDir)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: localstore.Handler(o), ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	stop = func() {
		_ = server.Close()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

// connect returns a client that must not wait.
func connect(t *testing.T, dataDir string) *localstore.Client {
	t.Helper()
	c := localstore.NewClient(dataDir, func(err error) { t.Errorf("waits: %v", err) })
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestRows(t *testing.T) {
	dataDir, events := t.TempDir(), open(t)
	serve(t, dataDir, localstore.Options{Store: events, Memory: memory.NewBudget(memory.SizesOf(64<<20), time.Second)})
	observations, scores := connect(t, dataDir).Observations(), connect(t, dataDir).Scores()
	long := strings.Repeat("long \xff text ", 1<<17)
	var want []domain.Observation
	for n := range 12 { // some 18 MB: several requests
		want = append(want, domain.Observation{
			TraceID: "t", ID: fmt.Sprintf("o%02d", n), StartTime: domain.Micros(100 - n), Input: long, Tags: []string{"a", ""},
			Public:      n%2 == 0,
			TotalTokens: domain.IntOf(0), TotalCost: domain.FloatOf(0.1), Metadata: `{"n":1}`, CreatedAt: 1, UpdatedAt: 2,
		})
	}
	if err := observations.Append(t.Context(), scope, want); err != nil {
		t.Fatal(err)
	}
	lookup := store.Lookup{TraceIDs: []string{"t"}, Want: store.WantAll}
	var stored, got []domain.Observation
	for row, err := range events.Observations().Lookup(t.Context(), scope, lookup) {
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, row.Clone())
	}
	for row, err := range observations.Lookup(t.Context(), scope, lookup) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *row)
	}
	if d := cmp.Diff(stored, got); d != "" || len(got) != len(want) {
		t.Errorf("%d rows of %d differ from those of the store: %.1000s", len(got), len(want), d)
	}
	for range observations.Lookup(t.Context(), domain.OfProject("other"), lookup) {
		t.Error("another project has the rows")
	}
	if n, err := observations.Delete(t.Context(), scope, store.Selection{IDs: []string{"o01", "o05", "none"}}); n != 2 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	if err := scores.Append(t.Context(), scope, []domain.Score{
		{ID: "s", TraceID: "t", Name: "n", Value: domain.FloatOf(0), Timestamp: 1},
	}); err != nil {
		t.Fatal(err)
	}
	for row, err := range events.Scores().Lookup(t.Context(), scope, store.Lookup{IDs: []string{"s"}}) {
		if err != nil || row.Value != domain.FloatOf(0) {
			t.Errorf("%+v %v", row, err)
		}
	}
	if err := scores.Append(t.Context(), scope, []domain.Score{{Name: "no id", Timestamp: 1}}); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("a row without an id: %v", err)
	}
}

func TestChangesReachTheServer(t *testing.T) {
	dataDir := t.TempDir()
	var heard []tables.Change
	serve(t, dataDir, localstore.Options{Store: open(t), Notify: func(c tables.Change) { heard = append(heard, c) }})
	want := tables.Change{Kind: tables.KindPrompt, ProjectID: "p"}
	if err := connect(t, dataDir).Announce(t.Context(), want); err != nil || !slices.Equal(heard, []tables.Change{want}) {
		t.Errorf("heard %v, %v", heard, err)
	}
}

// TestRestart stops the server and starts it again while a client writes, which waits.
func TestRestart(t *testing.T) {
	dataDir, events := t.TempDir(), open(t)
	stop := serve(t, dataDir, localstore.Options{Store: events})
	waits := make(chan error, 1)
	c := localstore.NewClient(dataDir, func(err error) { waits <- err })
	defer c.Close()
	if err := c.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	written := make(chan error, 1)
	go func() {
		written <- c.Scores().Append(context.WithoutCancel(t.Context()), scope, []domain.Score{
			{ID: "s", TraceID: "t", Name: "n", Timestamp: 1},
		})
	}()
	if err := <-waits; !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("waits because of %v", err)
	}
	serve(t, dataDir, localstore.Options{Store: events})
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestSocketIsPrivate(t *testing.T) {
	dataDir := t.TempDir()
	if localstore.Exists(dataDir) {
		t.Error("there is a socket before there is a server")
	}
	serve(t, dataDir, localstore.Options{Store: open(t)})
	info, err := os.Stat(filepath.Join(dataDir, "socket"))
	if err != nil || info.Mode().Perm() != 0o700 || !localstore.Exists(dataDir) {
		t.Fatalf("%v %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(dataDir, "socket", "events")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	open := t.TempDir()
	if err := os.Mkdir(filepath.Join(open, "socket"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(open, "socket"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l, err := localstore.Listen(t.Context(), open); err == nil {
		_ = l.Close()
		t.Error("the server listens where others can enter")
	}
}

// TestOtherVersion makes a request as a program of another version would.
func TestOtherVersion(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/ping", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Almanac-Version", "0.0.1")
	w := httptest.NewRecorder()
	localstore.Handler(localstore.Options{Store: open(t)}).ServeHTTP(w, r)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "use the program of the server") {
		t.Errorf("%d %q", w.Code, w.Body.String())
	}
}
