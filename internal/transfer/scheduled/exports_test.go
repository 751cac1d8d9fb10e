package scheduled

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/jobs"
)

// gatedBucket is a bucket that waits before it accepts an object.
type gatedBucket struct {
	*memoryBucket
	asked, open chan struct{}
}

func (b gatedBucket) Upload(ctx context.Context, name, contentType string, r io.Reader) error {
	b.asked <- struct{}{}
	<-b.open
	return b.memoryBucket.Upload(ctx, name, contentType, r)
}

// TestAnotherServerTakesOver makes a second server take over the run of one that hangs: the first notices, and changes
// nothing.
func TestAnotherServerTakesOver(t *testing.T) {
	w := newWorld(t, nil)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	w.due()
	first := w.runner()
	gate := gatedBucket{w.bucket, make(chan struct{}, 10), make(chan struct{})}
	first.Open = func(*domain.BlobStorageIntegration, string) (Bucket, error) { return gate, nil }
	ended := make(chan error, 1)
	go func() {
		_, err := first.Step(t.Context())
		ended <- err
	}()
	<-gate.asked // it has planned the run
	w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
	if ran, err := w.runner().Step(t.Context()); err != nil || !ran {
		t.Fatalf("the second ran: %t, %v", ran, err)
	}
	after := w.state()
	if after.LastSyncAt == nil || after.LastError != nil || len(w.files(manifestsFolder)) != 1 {
		t.Fatalf("the second has not finished: %+v", after)
	}
	close(gate.open)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := w.state(); got.LastError != nil || !got.LastSyncAt.Equal(*after.LastSyncAt) || !got.NextSyncAt.Equal(*after.NextSyncAt) {
		t.Errorf("the first has changed it: %+v, before %+v", got, after)
	}
	w.wantUnion("taken over") // including what arrived after the plan, and no row twice
}

// TestServerStops checks that a run is released when its server stops. Another continues with the same bounds.
func TestServerStops(t *testing.T) {
	w := newWorld(t, nil)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	ctx, stop := context.WithCancel(t.Context())
	w.bucket.left, w.bucket.failure, w.bucket.stop = 10, errKilled, stop
	if ran, err := w.runner().Step(ctx); err != nil || !ran {
		t.Fatalf("it ran: %t, %v", ran, err)
	}
	w.bucket.left, w.bucket.stop = -1, nil
	if b := w.state(); b.LastError != nil || b.RunStartedAt != nil || !b.Enabled {
		t.Errorf("stopped, it is %+v", b)
	}
	w.wantUnion("stopped")
}

// TestBackOff checks that the backoff grows with each failure, up to an hour, and resets after a success.
func TestBackOff(t *testing.T) {
	w := newWorld(t, nil)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	now := time.UnixMilli(2_000_000_000_000).UTC()
	run := func() domain.BlobStorageIntegration {
		t.Helper()
		w.due()
		r := w.runner()
		r.Now = func() time.Time { return now }
		if ran, err := r.Step(t.Context()); err != nil || !ran {
			t.Fatalf("it ran: %t, %v", ran, err)
		}
		return w.state()
	}
	fails := func(want time.Duration) {
		t.Helper()
		w.bucket.left, w.bucket.failure = 10, errors.New("the bucket failed")
		b := run()
		w.bucket.left = -1
		if b.LastError == nil || b.SyncStatus(now) != "error" || b.NextSyncAt == nil || b.NextSyncAt.Sub(now) != want {
			t.Errorf("it is tried again at %v, want %s after %s: %+v", b.NextSyncAt, want, now, b)
		}
	}
	for _, minutes := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		fails(minutes * time.Minute)
	}
	for range 2 { // the second time nothing has arrived
		if b := run(); b.LastError != nil || b.LastErrorAt != nil || b.LastSyncAt == nil || b.NextSyncAt.Sub(*b.LastSyncAt) != time.Hour {
			t.Errorf("after a success it is %+v", b)
		}
	}
	w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
	fails(time.Minute)
	w.wantUnion("after failures")
}

// TestNotice wakes an idle runner: a run requested now does not wait for the next poll.
func TestNotice(t *testing.T) {
	w := newWorld(t, nil)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	w.step()
	w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
	r := w.runner()
	ran := make(chan struct{}, 10)
	r.Open = func(*domain.BlobStorageIntegration, string) (Bucket, error) {
		ran <- struct{}{}
		return w.bucket, nil
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	runner := r.jobs()
	go func() { runner.Run(ctx); close(ended) }()
	w.due()
	runner.Notice(tables.Change{Kind: "prompt"})
	runner.Notice(tables.Change{Kind: exports.KindBlobStorage})
	select {
	case <-ran:
	case <-time.After(jobs.Poll - time.Second):
		t.Error("it was not woken")
	}
	for b := w.state(); b.SyncStatus(time.Now()) != "up_to_date"; b = w.state() {
		time.Sleep(time.Millisecond)
	}
	stop()
	<-ended
	if got := len(w.files(manifestsFolder)); got != 2 {
		t.Errorf("there are %d manifests", got)
	}
}

// TestAdopt resets exports that are ahead of a store restored from a backup: what arrives next is exported.
func TestAdopt(t *testing.T) {
	w := newWorld(t, nil)
	for _, id := range []string{"a", "b", "c"} {
		w.append(domain.Observation{TraceID: "t", ID: id, StartTime: start, Name: id})
	}
	w.step()
	if err := w.runner().Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := func() domain.Mark {
		t.Helper()
		mark, err := w.catalog.BlobMark(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return mark
	}
	if got := done(); got != w.store.Mark() {
		t.Fatalf("as the store is, exports are at %+v", got)
	}
	ahead := done()
	if err := w.embedded.Close(); err != nil {
		t.Fatal(err)
	}
	w.directory = t.TempDir() // an empty store, as from a backup before the first row
	w.open()
	if err := w.runner().Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := done(); got != w.store.Mark() || got.Observations >= ahead.Observations {
		t.Errorf("behind the store, exports are at %+v", got)
	}
	w.append(domain.Observation{TraceID: "t", ID: "new", StartTime: start, Name: "new"})
	clear(w.bucket.objects) // the reader starts over as well
	w.wantUnion("restored")
}

// TestEndIsNotedLater makes the catalog fail to record how a run ended. It is recorded once that is possible, by the
// same server.
func TestEndIsNotedLater(t *testing.T) {
	for name, fails := range map[string]bool{"done": false, "failed": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
				if fails {
					w.bucket.left, w.bucket.failure = 10, errors.New("the bucket failed")
				}
				w.due()
				w.statement("CREATE TRIGGER full BEFORE UPDATE OF attempts ON blob_storage_runs BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
				r := w.runner()
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				ended := make(chan error, 1)
				go func() {
					_, err := r.Step(ctx)
					ended <- err
				}()
				time.Sleep(5 * jobs.LeaseLife)
				w.statement("DROP TRIGGER full")
				if err := <-ended; err != nil {
					t.Fatal(err)
				}
				if b := w.state(); (b.LastSyncAt == nil) != fails || (b.LastError != nil) != fails || b.RunStartedAt != nil {
					t.Errorf("it is %+v", b)
				}
			})
		})
	}
}
