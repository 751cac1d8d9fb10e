package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/catalogtest"
)

// world is a catalog with a project, a store and a blob store.
type world struct {
	testing.TB
	catalog *catalog.Catalog
	db      *tables.DB // of the catalog
	store   store.Store
	blobs   blob.Store
	scope   domain.ProjectScope
	memory  *memory.Budget // nil for no limit
}

var operator = domain.Actor{Kind: "cli"}

func newWorld(t testing.TB) *world {
	t.Helper()
	c := catalogtest.Open(t, catalogtest.File(t))
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", operator); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateProject(t.Context(), domain.OfOrganization("org"), tenants.NewProject{ID: "p", Name: "p"}, operator); err != nil {
		t.Fatal(err)
	}
	blobs, err := blob.OpenDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &world{t, c.Catalog, c.DB, storetest.NewModel(), blobs, domain.OfProject("p"), nil}
}

// fill stores the given number of observations, each with a text of the given size.
func (w *world) fill(rows, bytes int) {
	w.Helper()
	var list []domain.Observation
	for n := range rows {
		list = append(list, domain.Observation{
			TraceID: fmt.Sprintf("t%05d", n/3), ID: fmt.Sprintf("o%05d", n), StartTime: domain.Micros(1_800_000_000_000_000 + n*1000),
			Type: "SPAN",
			Name: "step", UserID: fmt.Sprintf("u%d", n%4), SessionID: fmt.Sprintf("s%d", n%7), Input: strings.Repeat("x", bytes),
		})
	}
	if err := w.store.Observations().Append(w.Context(), w.scope, list); err != nil {
		w.Fatal(err)
	}
}

func (w *world) ask(q Request) domain.Export {
	w.Helper()
	raw, err := json.Marshal(q)
	if err != nil {
		w.Fatal(err)
	}
	e, err := w.catalog.CreateExport(w.Context(), w.scope, domain.Export{Table: q.Table, Format: q.Format, Request: raw}, operator)
	if err != nil {
		w.Fatal(err)
	}
	return e
}

func (w *world) files() *Files { return &Files{Catalog: w.catalog, Store: w.store, Blobs: w.blobs} }

// run starts a runner and returns a function that stops it.
func (w *world) run(f *Files) (stop func()) {
	r := jobs.New(jobs.Options{Memory: w.memory, Log: slog.New(slog.DiscardHandler)}, f.Kind())
	w.catalog.Subscribe(r.Notice)
	ctx, cancel := context.WithCancel(w.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// await waits until an export is in a state, and returns it.
func (w *world) await(id, state string) domain.Export {
	w.Helper()
	for {
		e, err := w.catalog.Export(w.Context(), w.scope, id)
		if err != nil {
			w.Fatal(err)
		}
		if e.State == state {
			return e
		}
		if !e.Open() {
			w.Fatalf("it is %s (%s) instead of %s", e.State, e.Error, state)
		}
		time.Sleep(time.Millisecond)
	}
}

func (w *world) file(id string) *File {
	w.Helper()
	parts, err := w.catalog.ExportParts(w.Context(), w.scope, id)
	if err != nil {
		w.Fatal(err)
	}
	return NewFile(w.Context(), w.blobs, parts)
}

func (w *world) content(id string) string {
	w.Helper()
	content, err := io.ReadAll(w.file(id))
	if err != nil {
		w.Fatal(err)
	}
	return string(content)
}

// expected returns the file for a request, written without a runner.
func (w *world) expected(q Request) string {
	w.Helper()
	table, err := (&Reader{Catalog: w.catalog, Store: w.store, Scope: w.scope}).Open(w.Context(), &q)
	if err != nil {
		w.Fatal(err)
	}
	var out bytes.Buffer
	writer, err := NewWriter(q.Format, &out, table.Columns, Batch)
	if err != nil {
		w.Fatal(err)
	}
	if err := table.Write(w.Context(), writer, func(int64) {}); err != nil {
		w.Fatal(err)
	}
	return out.String()
}

func TestRunnerMakesFiles(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000) // several parts
	defer w.run(w.files())()
	filtered := explore.Choice{Filter: json.RawMessage(`[{"type":"string","column":"userId","operator":"=","value":"u1"}]`)}
	for _, q := range []Request{
		{Table: Observations, Format: CSV},
		{Table: Observations, Format: JSONL, Choice: filtered},
		{Table: Traces, Format: JSONOne},
		{Table: Sessions, Format: CSV},
		{Table: Users, Format: JSONL},
		{Table: Scores, Format: JSONL},
		{Table: DatasetItems, Format: CSV},
		{Table: DatasetRunItems, Format: CSV},
		{Table: Observations, Format: Parquet},
	} {
		e := w.await(w.ask(q).ID, domain.ExportDone)
		want := w.expected(q)
		if got := w.content(e.ID); got != want || int64(len(want)) != e.Bytes {
			t.Errorf("%s as %s has %d bytes (%d noted), want %d", q.Table, q.Format, len(got), e.Bytes, len(want))
		}
		if q.Table == Observations && q.Filter == nil && (e.Rows != 900 || e.Total == nil || *e.Total != 900) {
			t.Errorf("%d rows of %v", e.Rows, e.Total)
		}
		if q.Filter != nil && e.Rows != 225 {
			t.Errorf("%d rows meet the filter", e.Rows)
		}
		if q.Table == Sessions && e.Rows != 7 || q.Table == Users && e.Rows != 4 || q.Table == Traces && e.Rows != 300 {
			t.Errorf("%s: %d rows", q.Table, e.Rows)
		}
	}
}

func TestFileIsReadFromAnywhere(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000)
	stop := w.run(w.files())
	id := w.await(w.ask(Request{Table: Observations, Format: JSONL}).ID, domain.ExportDone).ID
	stop()
	whole := w.content(id)
	if len(whole) < 2*partBytes {
		t.Fatalf("there are only %d bytes", len(whole))
	}
	f := w.file(id)
	defer f.Close()
	for _, at := range []int64{0, partBytes - 3, partBytes, partBytes + 1, 2*partBytes - 1, f.Size() - 5, 7} {
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 5)
		if _, err := io.ReadFull(f, got); err != nil || string(got) != whole[at:at+5] {
			t.Errorf("at %d is %q, want %q: %v", at, got, whole[at:at+5], err)
		}
	}
	if end, err := f.Seek(0, io.SeekEnd); err != nil || end != int64(len(whole)) {
		t.Errorf("it ends at %d: %v", end, err)
	}
}

// slowBlobs is a blob store whose writes wait for permission.
type slowBlobs struct {
	blob.Store
	began chan struct{}
	goOn  chan struct{}
	err   error
}

func (s *slowBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	select {
	case s.began <- struct{}{}:
	default:
	}
	select {
	case <-s.goOn:
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.err != nil {
		return s.err
	}
	return s.Store.Put(ctx, key, r, size)
}

func (w *world) slow() *slowBlobs {
	return &slowBlobs{Store: w.blobs, began: make(chan struct{}, 1), goOn: make(chan struct{})}
}

func TestCancelledExport(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000)
	blobs, r := w.slow(), w.files()
	r.Blobs = blobs
	defer w.run(r)()
	e := w.ask(Request{Table: Observations, Format: JSONL})
	<-blobs.began
	if _, err := w.catalog.CancelExport(t.Context(), w.scope, e.ID, operator); err != nil {
		t.Fatal(err)
	}
	// The runner ends it without waiting for the part being written: the next export can begin.
	next := w.ask(Request{Table: Users, Format: JSONL})
	close(blobs.goOn)
	w.await(next.ID, domain.ExportDone)
	if e := w.await(e.ID, domain.ExportCancelled); e.ExpiresAt != nil {
		t.Errorf("it is %+v", e)
	}
	if parts, err := w.catalog.ExportParts(t.Context(), w.scope, e.ID); err != nil || len(parts) != 0 {
		t.Errorf("it has pieces: %v, %v", parts, err)
	}
}

// TestGreedyNeighbour: a project with many exports that take forever does not delay those of another project.
func TestGreedyNeighbour(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000)
	if _, err := w.catalog.CreateProject(t.Context(), domain.OfOrganization("org"), tenants.NewProject{ID: "q", Name: "q"},
		operator); err != nil {
		t.Fatal(err)
	}
	blobs, r := w.slow(), w.files()
	r.Blobs = blobs
	w.memory = memory.NewBudget(memory.SizesOf(64<<20), 0)
	defer w.run(r)()
	for range exports.MaxOpenExports {
		w.ask(Request{Table: Observations, Format: JSONL})
	}
	<-blobs.began
	modest := *w
	modest.scope = domain.OfProject("q")
	modest.await(modest.ask(Request{Table: Observations, Format: JSONL}).ID, domain.ExportDone)
	running := 0
	list, err := w.catalog.Exports(t.Context(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	for n := range list {
		if list[n].State == domain.ExportRunning {
			running++
		}
	}
	if running != exports.MaxRunningExports {
		t.Errorf("%d exports of the greedy project run", running)
	}
}

func TestExportAfterARestart(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000)
	blobs, first := w.slow(), w.files()
	first.Blobs = blobs
	stop := w.run(first)
	q := Request{Table: Observations, Format: JSONL}
	e := w.ask(q)
	<-blobs.began
	blobs.goOn <- struct{}{} // one part is written
	<-blobs.began
	stop()
	if again, err := w.catalog.Export(t.Context(), w.scope, e.ID); err != nil || again.State != domain.ExportQueued {
		t.Fatalf("after the server was stopped it is %+v: %v", again, err)
	}
	w.fill(901, 30_000) // includes the row that arrived meanwhile, and nothing twice
	defer w.run(w.files())()
	w.await(e.ID, domain.ExportDone)
	if got, want := w.content(e.ID), w.expected(q); got != want {
		t.Errorf("there are %d bytes, want %d", len(got), len(want))
	}
}

func TestExportOfAKilledServer(t *testing.T) {
	w := newWorld(t)
	w.fill(900, 30_000)
	q := Request{Table: Observations, Format: JSONL}
	e := w.ask(q)
	lease, err := w.catalog.ClaimExport(t.Context(), leases.Server{Name: "a server that was killed", Life: time.Hour})
	if err != nil || lease == nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.catalog.BeginBlobs(t.Context(), "half"),
		w.catalog.AddExportPart(t.Context(), lease, 0, domain.ExportPart{BlobKey: "half", Bytes: 4})); err != nil {
		t.Fatal(err)
	}
	defer w.run(w.files())()
	w.await(e.ID, domain.ExportDone)
	if got, want := w.content(e.ID), w.expected(q); got != want {
		t.Errorf("there are %d bytes, want %d", len(got), len(want))
	}
}

func TestFailedExports(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(*world, *Files)
		want    string
	}{
		{"the disk is full", func(w *world, r *Files) {
			blobs := w.slow()
			blobs.err = fmt.Errorf("cannot write: %w", blob.ErrNoSpace)
			close(blobs.goOn)
			r.Blobs = blobs
		}, "too little disk space"},
		{"the disk is nearly full", func(_ *world, r *Files) {
			r.Room = func(int64) error { return blob.ErrNoSpace }
		}, "too little disk space"},
		{"the bucket is gone", func(w *world, r *Files) {
			blobs := w.slow()
			blobs.err = errors.New("secret details of the bucket")
			close(blobs.goOn)
			r.Blobs = blobs
		}, "The server could not make the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.fill(10, 10)
			r := w.files()
			c.prepare(w, r)
			defer w.run(r)()
			e := w.await(w.ask(Request{Table: Observations, Format: CSV}).ID, domain.ExportFailed)
			if !strings.Contains(e.Error, c.want) || strings.Contains(e.Error, "secret") || e.ExpiresAt != nil {
				t.Errorf("it is %+v", e)
			}
			if parts, err := w.catalog.ExportParts(t.Context(), w.scope, e.ID); err != nil || len(parts) != 0 {
				t.Errorf("it has pieces: %v, %v", parts, err)
			}
		})
	}
}

// TestEndOfAnExportIsNotedLater makes the catalog fail to record that an export is done. It is recorded once that is
// possible, by the same server.
func TestEndOfAnExportIsNotedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.fill(10, 10)
		statement := func(text string) {
			t.Helper()
			if _, err := w.db.SQL.Write.ExecContext(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
		statement("CREATE TRIGGER full BEFORE UPDATE OF finished_at ON exports BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
		q := Request{Table: Observations, Format: JSONL}
		e := w.ask(q)
		defer w.run(w.files())()
		time.Sleep(5 * jobs.LeaseLife)
		if e, err := w.catalog.Export(t.Context(), w.scope, e.ID); err != nil || e.State != domain.ExportRunning {
			t.Fatalf("it is %+v, %v", e, err)
		}
		statement("DROP TRIGGER full")
		time.Sleep(jobs.LeaseLife)
		if e, err := w.catalog.Export(t.Context(), w.scope, e.ID); err != nil || e.State != domain.ExportDone ||
			w.content(e.ID) != w.expected(q) {
			t.Errorf("it is %+v, %v", e, err)
		}
	})
}
