package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// projectScope returns the scope of a project, without a credential.
func projectScope(id string) domain.ProjectScope {
	return domain.OfProject(id) //nolint:forbidigo // no credential is involved
}

// fixture is a store that one case uses.
type fixture struct {
	open  Opener
	dir   string
	store store.Store
}

func newFixture(t *testing.T, open Opener) *fixture {
	t.Helper()
	f := &fixture{open: open, dir: t.TempDir()}
	f.store = open(t, f.dir)
	t.Cleanup(func() {
		// Cases that close the store themselves leave a closed one.
		if err := f.store.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("Close: %v", err)
		}
	})
	return f
}

func (f *fixture) flush(t *testing.T) {
	t.Helper()
	if err := f.store.Flush(t.Context()); err != nil {
		t.Fatalf("Flush: %v", err)
	}
}

// needMerges skips a test if the store does not implement Merger.
func (f *fixture) needMerges(t *testing.T) {
	t.Helper()
	if _, ok := f.store.(Merger); !ok {
		t.Skip("the store does not merge")
	}
}

// merge merges if the store implements Merger, and reports whether it does.
func (f *fixture) merge(t *testing.T) bool {
	t.Helper()
	m, ok := f.store.(Merger)
	if !ok {
		return false
	}
	if err := m.Merge(t.Context()); err != nil {
		t.Fatalf("Merge: %v", err)
	}
	return true
}

// remote reports whether the store implements Remote.
func (f *fixture) remote() bool {
	_, ok := f.store.(Remote)
	return ok
}

// places returns actions to run between two steps of a case, so that rows are in each place where a store may keep
// them.
func (f *fixture) places() map[string]func(t *testing.T) {
	if f.remote() {
		return map[string]func(t *testing.T){"on the server": func(*testing.T) {}}
	}
	return map[string]func(t *testing.T){"in memory": func(*testing.T) {}, "on disk": f.flush}
}

// rounds returns how often to repeat something, given how often would be ideal.
func (f *fixture) rounds(n int) int {
	if f.remote() {
		return n / 5
	}
	return n
}

func (f *fixture) reopen(t *testing.T) {
	t.Helper()
	if err := f.store.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	f.store = f.open(t, f.dir)
}

// tester is a fixture together with one of its tables.
type tester[R any] struct {
	*fixture
	*kind[R]
	table store.Table[R]
}

// testerOf returns the tester of a table.
func testerOf[R any](f *fixture, k *kind[R]) *tester[R] {
	return &tester[R]{fixture: f, kind: k, table: k.table(f.store)}
}

func (x *tester[R]) reopen(t *testing.T) {
	t.Helper()
	x.fixture.reopen(t)
	x.table = x.kind.table(x.store)
}

// inEveryState runs a check on the store as it is, and again after each operation that must not change what reads see.
func (x *tester[R]) inEveryState(t *testing.T, check func(t *testing.T)) {
	t.Helper()
	t.Run("as written", check)
	if x.remote() {
		if x.merge(t) {
			t.Run("merged", check)
		}
		return
	}
	x.flush(t)
	t.Run("flushed", check)
	if x.merge(t) {
		t.Run("merged", check)
	}
	x.reopen(t)
	t.Run("opened again", check)
}

// The projects of the cases. One is a prefix of the other, which keys composed of project and id must cope with.
const (
	mine    = "project"
	foreign = "project-2"
)

// noon is the time around which most rows of the cases are.
var noon = domain.MicrosOf(time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC))

// at returns a time some milliseconds after noon.
func at(millis int64) domain.Micros { return noon + domain.Micros(millis*1000) }

const day = domain.Micros(24 * 60 * 60 * 1e6)

// appendTo appends rows and retries while the store is busy, as every caller has to.
func appendTo[R any](ctx context.Context, table store.Table[R], scope domain.ProjectScope, rows []R) error {
	for {
		err := table.Append(ctx, scope, rows)
		if !errors.Is(err, store.ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w, and then: %w", err, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// append appends rows to the cases' own project.
func (x *tester[R]) append(t *testing.T, rows ...R) {
	t.Helper()
	x.appendIn(t, mine, rows...)
}

func (x *tester[R]) appendIn(t *testing.T, project string, rows ...R) {
	t.Helper()
	if err := appendTo(t.Context(), x.table, projectScope(project), rows); err != nil {
		t.Fatalf("Append: %v", err)
	}
}

func (x *tester[R]) delete(t *testing.T, s store.Selection) int {
	t.Helper()
	n, err := x.table.Delete(t.Context(), projectScope(mine), s)
	if err != nil {
		t.Fatalf("Delete(%+v): %v", s, err)
	}
	return n
}

// collect returns copies of the rows of an iteration and checks that an error ends it.
func collect[R any](rows iter.Seq2[*R, error]) ([]R, error) {
	var all []R
	var failure error
	for row, err := range rows {
		switch {
		case failure != nil:
			return all, fmt.Errorf("the iteration went on after the error %w", failure)
		case err != nil:
			failure = err
		case row == nil:
			return all, errors.New("the iteration yielded neither a row nor an error")
		default:
			all = append(all, clone(row))
		}
	}
	return all, failure
}

// scan returns the rows that a query finds in the cases' own project.
func (x *tester[R]) scan(t *testing.T, q store.Query[R]) []R {
	t.Helper()
	return x.scanIn(t, mine, q)
}

func (x *tester[R]) scanIn(t *testing.T, project string, q store.Query[R]) []R {
	t.Helper()
	rows, err := collect(x.table.Scan(t.Context(), projectScope(project), q))
	if err != nil {
		t.Fatalf("Scan(%s): %v", describeQuery(q), err)
	}
	return rows
}

func (x *tester[R]) lookup(t *testing.T, l store.Lookup) []R {
	t.Helper()
	rows, err := collect(x.table.Lookup(t.Context(), projectScope(mine), l))
	if err != nil {
		t.Fatalf("Lookup(%+v): %v", l, err)
	}
	return rows
}

// count returns the number of rows that Aggregate sees.
func (x *tester[R]) count(t *testing.T, project string) int {
	t.Helper()
	groups, err := x.table.Aggregate(t.Context(), projectScope(project), store.AggregateQuery[R]{
		Measures: []store.Measure[R]{{Function: store.Count}},
	})
	if err != nil {
		t.Fatalf("Aggregate: %v", err)
	}
	n := 0
	for _, g := range groups.Rows {
		n += int(g.Values[0].Value)
	}
	return n
}

// wantRows fails the test unless got has exactly the wanted rows, in this order.
func (x *tester[R]) wantRows(t *testing.T, what string, got, want []R) {
	t.Helper()
	if d := x.diff(want, got, store.WantAll); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// wantAll fails the test unless the project has exactly these rows, in this order, for every kind of read.
func (x *tester[R]) wantAll(t *testing.T, want ...R) {
	t.Helper()
	x.wantRows(t, "Scan", x.scan(t, store.Query[R]{Want: store.WantAll}), want)
	if n := x.count(t, mine); n != len(want) {
		t.Errorf("Aggregate counts %d rows, want %d", n, len(want))
	}
	lookup := func(rows []R) {
		var ids []string
		for i := range rows {
			ids = append(ids, *x.id(&rows[i]))
		}
		found := x.lookup(t, store.Lookup{IDs: ids, Want: store.WantAll})
		for i := range rows {
			if !x.contains(found, &rows[i]) {
				t.Errorf("Lookup by id finds %q, which lacks %s", x.names(found), describe(&rows[i]))
			}
		}
	}
	if x.remote() { // a remote store has no cache to check, and each query is slow, however few rows it returns
		if len(want) > 0 {
			lookup(want[:1])
		}
		if len(want) > 1 {
			lookup(want)
		}
		return
	}
	x.wantRows(t, "Scan once", x.scan(t, store.Query[R]{Want: store.WantAll, Once: true}), want)
	for i := range want {
		lookup(want[i : i+1])
	}
}

// contains reports whether rows include a row.
func (x *tester[R]) contains(rows []R, row *R) bool {
	for i := range rows {
		if x.diff([]R{*row}, rows[i:i+1], store.WantAll) == "" {
			return true
		}
	}
	return false
}

// wantError fails the test unless the error is of the wanted kind.
func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

// copyDir copies the files of an open store as a crash would leave them: acknowledged writes must already be in them.
// It returns false if there are none, that is, if the store does not keep its rows in the directory.
func copyDir(from, to string) (bool, error) {
	for range 20 {
		before, err := listDir(from)
		if err != nil {
			return false, err
		}
		if len(before) == 0 {
			return false, nil
		}
		if err := os.RemoveAll(to); err != nil {
			return false, err
		}
		err = os.CopyFS(to, os.DirFS(from))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		after, listErr := listDir(from)
		if listErr != nil {
			return false, listErr
		}
		// If files changed meanwhile, the copy mixes two points in time, which no crash does.
		if err == nil && maps.Equal(before, after) {
			return true, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false, errors.New("the store does not leave its files alone")
}

// listDir returns the files below a directory with their sizes and modification times.
func listDir(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreMissing(err)
		}
		info, err := entry.Info()
		if err == nil {
			files[path] = fmt.Sprint(info.Size(), info.ModTime())
		}
		return ignoreMissing(err)
	})
	return files, err
}

// ignoreMissing drops the error of a file that was removed after it was listed.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
