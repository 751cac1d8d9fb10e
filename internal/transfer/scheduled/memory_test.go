package scheduled

import (
	"context"
	"io"
	"strings"
	"testing"

	"almanac/internal/catalog/leases"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
)

// weighingBucket notes how much of a budget is held while objects are written.
type weighingBucket struct {
	Bucket
	budget *memory.Budget
	most   int64
}

func (b *weighingBucket) Upload(ctx context.Context, name, contentType string, r io.Reader) error {
	b.most = max(b.most, b.budget.Held())
	return b.Bucket.Upload(ctx, name, contentType, r)
}

// TestRunsTakeMemoryFromTheBudget: a run holds a lease while it writes, and nothing afterwards. A run that does not fit
// fails with a message and waits for a person.
func TestRunsTakeMemoryFromTheBudget(t *testing.T) {
	for size, fits := range map[int64]bool{64 << 20: true, 1 << 20: false} {
		w := newWorld(t, func(*domain.BlobStorageIntegration) {})
		w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
		w.due()
		r := w.runner()
		r.Memory = memory.NewBudget(memory.SizesOf(size), 0)
		weighed := &weighingBucket{budget: r.Memory}
		open := r.Open
		r.Open = func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
			bucket, err := open(b, secret)
			weighed.Bucket = bucket
			return weighed, err
		}
		if ran, err := r.Step(t.Context()); err != nil || !ran {
			t.Fatalf("it ran: %t, %v", ran, err)
		}
		state := w.state()
		if failed := state.LastError != nil; failed == fits || state.Enabled != fits || fits && weighed.most == 0 || r.Memory.Held() != 0 {
			t.Errorf("with %d bytes: %+v; %d were held, %d are", size, state, weighed.most, r.Memory.Held())
		}
	}
}

// TestRunThatKillsItsServer: a run during which two servers were killed waits for a person.
func TestRunThatKillsItsServer(t *testing.T) {
	w := newWorld(t, func(*domain.BlobStorageIntegration) {})
	w.due()
	for n, server := range []string{"first", "second", "third"} {
		run, err := w.catalog.ClaimBlobRun(t.Context(), leases.Server{Name: server, Life: jobs.LeaseLife})
		if err != nil || (run != nil) != (n < 2) {
			t.Fatalf("the %s server claims %v, %v", server, run, err)
		}
	}
	if state := w.state(); state.Enabled || state.LastError == nil || !strings.Contains(*state.LastError, "stopped twice") {
		t.Errorf("it is %+v", state)
	}
	w.save(func(b *domain.BlobStorageIntegration) { b.Enabled = true })
	if run, err := w.catalog.ClaimBlobRun(t.Context(), leases.Server{Name: "fourth", Life: jobs.LeaseLife}); err != nil || run == nil {
		t.Errorf("once it is enabled again, it is claimed as %v, %v", run, err)
	}
}
