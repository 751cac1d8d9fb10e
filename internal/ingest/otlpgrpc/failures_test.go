package otlpgrpc

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"almanac/internal/access/auth"
	"almanac/internal/ingest"
)

// TestWrongCredentialsAreSlowed guesses a key: after some attempts responses are delayed; if too many are delayed,
// further attempts are refused with a retry delay; and the right secret works immediately all the while.
func TestWrongCredentialsAreSlowed(t *testing.T) {
	var guesses atomic.Int64
	f := newFixture(t, func(o *Options, _ *ingest.Options) {
		o.Failures = auth.NewFailures(slog.New(slog.DiscardHandler), func(reason string) {
			if reason != "wrong secret" {
				t.Errorf("a guess is counted as %q", reason)
			}
			guesses.Add(1)
		})
	})
	guess := func(ctx context.Context, f *fixture) *status.Status {
		_, err := f.export(as(ctx, basic("pk-write", "guess")), spans("00000001"))
		return status.Convert(err)
	}
	for range 30 { // not delayed yet
		if got := guess(t.Context(), f); got.Code() != codes.Unauthenticated || !strings.Contains(got.Message(), "Invalid credentials") {
			t.Fatalf("a wrong secret: %v", got)
		}
	}
	// From now on responses are delayed. There are more concurrent attempts than are delayed, over several connections,
	// since the streams of one are limited.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var (
		guessing sync.WaitGroup
		refused  atomic.Pointer[status.Status]
	)
	for range 5 {
		client, err := grpc.NewClient(f.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 70 {
			guessing.Go(func() {
				for ctx.Err() == nil {
					if got := guess(ctx, &fixture{client: client}); got.Code() == codes.ResourceExhausted {
						refused.Store(got)
						cancel()
					}
				}
			})
		}
	}
	guessing.Wait()
	got := refused.Load()
	if got == nil || len(got.Details()) != 1 {
		t.Fatalf("beyond what is held back at once: %v", got)
	}
	if retry, ok := got.Details()[0].(*errdetails.RetryInfo); !ok || retry.GetRetryDelay().AsDuration() != time.Minute {
		t.Errorf("details %v", got.Details())
	}
	if n := guesses.Load(); n < 30+256 {
		t.Errorf("%d guesses were counted", n)
	}
	if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); err != nil {
		t.Errorf("the right secret: %v", err)
	}
	if len(f.table.names) != 1 {
		t.Errorf("stored %v", f.table.names)
	}
}
