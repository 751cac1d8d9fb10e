package scheduled

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/access/secretbox"
	"almanac/internal/blob"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/export"
	"almanac/test/catalogtest"
)

var rounds = flag.Int("rounds", 150, "how many steps TestUnionIsTheStore takes")

// errKilled is returned by a bucket whose server is killed.
var errKilled = errors.New("killed")

// memoryBucket keeps objects in memory. It fails after the given number of bytes.
type memoryBucket struct {
	mu      sync.Mutex
	objects map[string][]byte
	left    int // bytes until it fails; negative for never
	failure error
	stop    context.CancelFunc // also called on failure
}

func (b *memoryBucket) Upload(_ context.Context, name, _ string, r io.Reader) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.HasSuffix(name, "/"+writerObject) { // bytes are counted from the first file on
		content, err := io.ReadAll(r)
		b.objects[name] = content
		return err
	}
	var content bytes.Buffer
	limit := int64(1 << 40)
	if b.left >= 0 {
		limit = int64(b.left)
	}
	n, err := io.Copy(&content, io.LimitReader(r, limit))
	if err != nil {
		return err
	}
	if b.left >= 0 {
		if b.left -= int(n); b.left == 0 {
			if b.stop != nil {
				b.stop()
			}
			return b.failure
		}
	}
	b.objects[name] = content.Bytes()
	return nil
}

func (b *memoryBucket) Download(_ context.Context, name string) (io.ReadCloser, int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content, ok := b.objects[name]
	if !ok {
		return nil, 0, blob.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
}

func (b *memoryBucket) Delete(_ context.Context, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.objects, name)
	return nil
}

func (b *memoryBucket) Close() {}

// world is a catalog with an exported project, and a store.
type world struct {
	*testing.T
	catalog   *catalogtest.Catalog
	file      string // path of the catalog
	directory string
	embedded  *segment.Store
	store     store.Store
	secrets   *secretbox.Box
	scope     domain.ProjectScope
	bucket    *memoryBucket
	opened    []domain.BlobStorageIntegration
	servers   int
}

var (
	operator = domain.Actor{Kind: "cli"}
	owner    = domain.OfOrganization("org")
)

func newWorld(t *testing.T, change func(*domain.BlobStorageIntegration)) *world {
	t.Helper()
	file := catalogtest.File(t)
	c := catalogtest.Open(t, file)
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", operator); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateProject(t.Context(), owner, tenants.NewProject{ID: "p", Name: "p"}, operator); err != nil {
		t.Fatal(err)
	}
	key, err := secretbox.ParseKey(strings.Repeat("1", 64))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		T: t, catalog: c, file: file, directory: t.TempDir(), scope: domain.OfProject("p"), secrets: secretbox.New(key),
		bucket: &memoryBucket{objects: map[string][]byte{}, left: -1},
	}
	w.open()
	t.Cleanup(func() { _ = w.embedded.Close() })
	w.save(change)
	return w
}

func (w *world) open() {
	w.Helper()
	var err error
	if w.embedded, err = segment.Open(w.directory, segment.Options{Log: slog.New(slog.DiscardHandler)}); err != nil {
		w.Fatal(err)
	}
	w.store = &Recorder{Store: w.embedded, Catalog: w.catalog.Catalog, Log: slog.New(slog.DiscardHandler)}
}

func (w *world) save(change func(*domain.BlobStorageIntegration)) {
	w.Helper()
	b := domain.BlobStorageIntegration{
		ProjectID: "p", Type: domain.BlobS3, BucketName: "bucket", Region: "r", Prefix: "pre/", ExportFrequency: "hourly", Enabled: true,
		FileType: "JSONL", ExportMode: domain.ExportFullHistory, AccessKeyID: new("key"),
	}
	b.SealedSecret = new(w.secrets.Seal("secret", b.SecretPlace()))
	if change != nil {
		change(&b)
	}
	if _, err := w.catalog.PutBlobStorageIntegration(w.Context(), owner, b, func(domain.BlobStorageIntegration) error { return nil },
		operator); err != nil {
		w.Fatal(err)
	}
}

// server is a server that exports.
type server struct {
	*Exports
	Memory *memory.Budget
}

// Step runs an integration that is due, and reports whether there was one.
func (s *server) Step(ctx context.Context) (bool, error) { return s.jobs().Step(ctx) }

func (s *server) jobs() *jobs.Runner {
	return jobs.New(jobs.Options{Memory: s.Memory, Log: slog.New(slog.DiscardHandler)}, s.Kind())
}

// runner returns another server.
func (w *world) runner() *server {
	r := New(w.catalog.Catalog, w.store, w.secrets, catalogtest.Prices(w, w.catalog.Catalog), Allowed{}, slog.New(slog.DiscardHandler))
	r.backoff.Random = func() float64 { return 0 }
	r.Open = func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
		if secret != "secret" {
			w.Errorf("the secret is %q", secret)
		}
		w.opened = append(w.opened, *b)
		return w.bucket, nil
	}
	return &server{Exports: r}
}

// due makes the integration due.
func (w *world) due() {
	w.Helper()
	// Servers are killed often here: a person would have to enable the integration again.
	if _, err := w.catalog.DB.SQL.Write.ExecContext(w.Context(), "UPDATE blob_storage_runs SET unfinished = 0"); err != nil {
		w.Fatal(err)
	}
	if _, err := w.catalog.BlobRunNow(w.Context(), owner, "p", operator); err != nil {
		w.Fatal(err)
	}
}

// step runs the integration.
func (w *world) step() domain.BlobStorageIntegration {
	w.Helper()
	w.due()
	if ran, err := w.runner().Step(w.Context()); err != nil || !ran {
		w.Fatalf("it ran: %t, %v", ran, err)
	}
	return w.state()
}

func (w *world) state() domain.BlobStorageIntegration {
	w.Helper()
	b, err := w.catalog.BlobStorageIntegration(w.Context(), owner, "p")
	if err != nil {
		w.Fatal(err)
	}
	return b
}

// kill begins a run whose server is killed after the given number of bytes: its end is not recorded. It reports whether
// the run got that far.
func (w *world) kill(bytes int) bool {
	w.Helper()
	w.due()
	w.servers++
	run, err := w.catalog.ClaimBlobRun(w.Context(), leases.Server{Name: fmt.Sprint("server ", w.servers), Life: jobs.LeaseLife})
	if err != nil || run == nil {
		w.Fatalf("claimed %v: %v", run, err)
	}
	ctx, cancel := context.WithCancel(w.Context())
	defer cancel()
	w.bucket.left, w.bucket.failure, w.bucket.stop = bytes, errKilled, cancel
	err = (&job{Exports: w.runner().Exports, run: run}).Work(ctx)
	w.bucket.left, w.bucket.stop = -1, nil
	return err != nil
}

func (w *world) append(rows ...domain.Observation) {
	w.Helper()
	if err := w.store.Observations().Append(w.Context(), w.scope, rows); err != nil {
		w.Fatal(err)
	}
}

func (w *world) score(rows ...domain.Score) {
	w.Helper()
	if err := w.store.Scores().Append(w.Context(), w.scope, rows); err != nil {
		w.Fatal(err)
	}
}

// files returns the names of objects in a folder, in order.
func (w *world) files(folder string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range maps.Keys(w.bucket.objects) {
			if strings.HasPrefix(name, "pre/p/"+folder+"/") && !yield(name) {
				return
			}
		}
	})
}

// version is a row as it was exported or stored: its key, and which of several writes it is from.
type version struct {
	domain.RowKey
	name string
}

// consumed returns what a reader gets from all files: it applies the manifests in order, deletions first. It checks
// that files match the manifests, that there are no others, and that no version of a row is in two files.
func (w *world) consumed() map[string]map[version]string {
	w.Helper()
	rows := map[string]map[version]string{observationsFolder: {}, scoresFolder: {}}
	seen := map[string]map[version]bool{observationsFolder: {}, scoresFolder: {}}
	named := map[string]bool{}
	for _, name := range w.files(manifestsFolder) {
		named[name] = true
		var m export.Manifest
		if err := json.Unmarshal(w.bucket.objects[name], &m); err != nil {
			w.Fatal(err)
		}
		byTable := map[string][]map[string]any{}
		for _, f := range m.Files {
			named[f.Key] = true
			content, ok := w.bucket.objects[f.Key]
			sum := sha256.Sum256(content)
			if !ok || f.SizeBytes != int64(len(content)) || f.SHA256 != hex.EncodeToString(sum[:]) {
				w.Fatalf("%s is not what its manifest says: %+v", f.Key, f)
			}
			byTable[f.Table] = w.read(f.Key)
			if int64(len(byTable[f.Table])) != f.RowCount {
				w.Fatalf("%s has %d rows, its manifest says %d", f.Key, len(byTable[f.Table]), f.RowCount)
			}
		}
		for _, d := range byTable[deletionsFolder] {
			table := d["table"].(string)
			for v, at := range rows[table] {
				if before, ok := d["before"].(string); ok && at < before || !ok && v.ID == d["id"] &&
					(v.TraceID == "" || v.TraceID == d["trace_id"]) {
					delete(rows[table], v)
				}
			}
		}
		for _, o := range byTable[observationsFolder] {
			v := version{domain.RowKey{TraceID: o["trace_id"].(string), ID: o["id"].(string)}, o["name"].(string)}
			w.take(rows[observationsFolder], seen[observationsFolder], v, o["start_time"].(string))
		}
		for _, s := range byTable[scoresFolder] {
			v := version{domain.RowKey{ID: s["id"].(string)}, s["name"].(string)}
			w.take(rows[scoresFolder], seen[scoresFolder], v, s["timestamp"].(string))
		}
	}
	for name := range w.bucket.objects {
		if !named[name] && !strings.HasSuffix(name, "/"+writerObject) {
			w.Errorf("no manifest names %s", name)
		}
	}
	return rows
}

func (w *world) take(rows map[version]string, seen map[version]bool, v version, at string) {
	w.Helper()
	if seen[v] {
		w.Errorf("%+v was exported twice", v)
	}
	seen[v] = true
	for other := range rows {
		if other.RowKey == v.RowKey {
			delete(rows, other)
		}
	}
	rows[v] = at
}

// read returns the rows of an object of JSON lines.
func (w *world) read(key string) (rows []map[string]any) {
	w.Helper()
	content := w.bucket.objects[key]
	if strings.HasSuffix(key, ".gz") {
		unpacked, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			w.Fatal(err)
		}
		if content, err = io.ReadAll(unpacked); err != nil {
			w.Fatal(err)
		}
	}
	for line := range bytes.Lines(content) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			w.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// stored returns what the store has.
func (w *world) stored() map[string]map[version]string {
	w.Helper()
	rows := map[string]map[version]string{observationsFolder: {}, scoresFolder: {}}
	text := func(at domain.Micros) string { return at.Time().UTC().Format("2006-01-02 15:04:05.000000") }
	for o, err := range w.store.Observations().Scan(w.Context(), w.scope, store.Query[domain.Observation]{}) {
		if err != nil {
			w.Fatal(err)
		}
		rows[observationsFolder][version{
			domain.RowKey{TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}, strings.Clone(o.Name),
		}] = text(o.StartTime)
	}
	for s, err := range w.store.Scores().Scan(w.Context(), w.scope, store.Query[domain.Score]{}) {
		if err != nil {
			w.Fatal(err)
		}
		rows[scoresFolder][version{domain.RowKey{ID: strings.Clone(s.ID)}, strings.Clone(s.Name)}] = text(s.Timestamp)
	}
	return rows
}

// wantUnion exports the rest and compares all files with the store.
func (w *world) wantUnion(what string) {
	w.Helper()
	w.step() // finish an interrupted run
	if b := w.step(); b.LastError != nil || b.LastSyncAt == nil {
		w.Fatalf("%s: the last run failed: %+v", what, b)
	}
	w.compare(what)
}

// compare compares all files with the store.
func (w *world) compare(what string) {
	w.Helper()
	got, want := w.consumed(), w.stored()
	for table := range want {
		for v, at := range want[table] {
			if got[table][v] != at {
				w.Errorf("%s: %s: the files lack %+v of %s", what, table, v, at)
			}
		}
		for v := range got[table] {
			if _, ok := want[table][v]; !ok {
				w.Errorf("%s: %s: the files have %+v, which the store has not", what, table, v)
			}
		}
	}
}

const start = 1_800_000_000_000_000

// TestUnionIsTheStore exports between random writes and deletions, with kills at any byte, failures, and jumping times.
// A reader of the files must see what the store has.
func TestUnionIsTheStore(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.Compressed = seed%2 == 0 })
	writes, kills := 0, 0
	micros := func() domain.Micros { // late rows, rows in the future
		return domain.Micros(start + random.Int64N(int64(60*24*time.Hour/time.Microsecond)))
	}
	remove := func(s store.Selection) {
		_, err := w.store.Observations().Delete(t.Context(), w.scope, s)
		_, again := w.store.Scores().Delete(t.Context(), w.scope, s)
		if err = errors.Join(err, again); err != nil {
			t.Fatal(err)
		}
	}
	for round := range *rounds {
		switch random.IntN(12) {
		case 0, 1, 2, 3: // some rows, some of them repeated
			var rows []domain.Observation
			for range 1 + random.IntN(20) {
				writes++
				n := random.IntN(200)
				rows = append(rows, domain.Observation{
					TraceID: fmt.Sprint("t", n/5), ID: fmt.Sprint("o", n), StartTime: micros(), Name: fmt.Sprint("w", writes),
				})
			}
			w.append(rows...)
		case 4:
			writes++
			n := random.IntN(100)
			w.score(domain.Score{
				ID: fmt.Sprint("s", n), TraceID: fmt.Sprint("t", n/5), Timestamp: micros(), Name: fmt.Sprint("w", writes),
				DataType: "NUMERIC", Value: domain.FloatOf(1),
			})
		case 5:
			remove(store.Selection{TraceIDs: []string{fmt.Sprint("t", random.IntN(40)), "none"}})
		case 6:
			remove(store.Selection{IDs: []string{fmt.Sprint("o", random.IntN(200)), fmt.Sprint("s", random.IntN(100))}})
		case 7:
			if random.IntN(4) == 0 {
				remove(store.Selection{Before: start + (micros()-start)/20})
			}
		case 8, 9:
			if w.kill(1 + random.IntN(4000)) {
				kills++
			}
		case 10:
			w.bucket.left, w.bucket.failure = 1+random.IntN(1000), errors.New("the bucket failed")
			w.step()
			w.bucket.left = -1
		case 11:
			switch random.IntN(3) {
			case 0:
				if err := w.embedded.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			case 1:
				if err := w.embedded.Merge(t.Context()); err != nil {
					t.Fatal(err)
				}
			default:
				if err := w.embedded.Close(); err != nil {
					t.Fatal(err)
				}
				w.open()
			}
		}
		if round%10 == 9 {
			if w.wantUnion(fmt.Sprint("round ", round)); t.Failed() {
				return
			}
		}
	}
	if kills == 0 || writes == 0 {
		t.Errorf("there were %d kills and %d writes", kills, writes)
	}
	t.Logf("%d kills, %d writes, %d objects", kills, writes, len(w.bucket.objects))
}

// TestLaterMarks changes the marks of a trace after its rows were exported: the next run writes them again.
func TestLaterMarks(t *testing.T) {
	w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType, b.Compressed = "JSONL", false })
	mark := func(edit func(*domain.TraceMark)) {
		t.Helper()
		if _, err := w.catalog.MarkTrace(t.Context(), w.scope, "marked", func(m domain.TraceMark) domain.TraceMark { edit(&m); return m },
			operator); err != nil {
			t.Fatal(err)
		}
	}
	w.append(
		domain.Observation{TraceID: "marked", ID: "root", Type: "SPAN", StartTime: start, Tags: []string{"sent"}},
		domain.Observation{TraceID: "marked", ID: "child", ParentID: "root", Type: "SPAN", StartTime: start + 1, Tags: []string{"sent"}},
		domain.Observation{TraceID: "other", ID: "other", Type: "SPAN", StartTime: start},
	)
	w.step()
	newest := func() string {
		t.Helper()
		names := w.files(observationsFolder)
		return string(w.bucket.objects[names[len(names)-1]])
	}
	runs := len(w.files(observationsFolder))
	check := func(what string, rows int, want ...string) {
		t.Helper()
		w.step()
		runs++
		if got := len(w.files(observationsFolder)); got != runs {
			t.Fatalf("%s: %d files, want %d", what, got, runs)
		}
		content := newest()
		if strings.Count(content, "\n") != rows {
			t.Errorf("%s: %s", what, content)
		}
		for _, text := range want {
			if strings.Count(content, text) != 1 && strings.Count(content, text) != rows {
				t.Errorf("%s: %s is not in %s", what, text, content)
			}
		}
	}
	mark(func(m *domain.TraceMark) { m.Public, m.Bookmarked, m.Tags = new(true), new(true), []string{"read"} })
	check("marked", 2, `"bookmarked":true,"public":true`, `"tags":["read"]`)
	mark(func(m *domain.TraceMark) { *m = domain.TraceMark{} })
	w.append(domain.Observation{
		TraceID: "marked", ID: "late", ParentID: "root", Type: "SPAN", StartTime: start + 2, Tags: []string{"sent"},
	})
	check("unmarked, with another row", 3, `"tags":["sent"]`, `"bookmarked":false,"public":false`)
	w.step()
	if got := len(w.files(observationsFolder)); got != runs {
		t.Errorf("nothing has changed, but there are %d files", got)
	}
}
