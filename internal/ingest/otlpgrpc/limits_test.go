package otlpgrpc

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/limits/usage"
)

// noStore has no limits and stores nothing.
type noStore struct{}

func (noStore) Limits(context.Context) (map[domain.LimitSubject]domain.Limits, error) {
	return nil, nil
}

func (noStore) AddUsage(context.Context, int64, map[domain.LimitSubject]domain.Usage) (map[domain.LimitSubject]domain.Usage, error) {
	return nil, nil
}

func (noStore) UsageSince(context.Context, int64) (map[domain.LimitSubject]domain.Usage, error) {
	return nil, nil
}

func TestLimits(t *testing.T) {
	newLimited := func(t *testing.T, text string) *fixture {
		var l domain.Limits
		if err := l.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		keeper := usage.New(usage.Options{
			Store: noStore{}, Defaults: map[domain.LimitLevel]domain.Limits{domain.LevelProject: l}, Metrics: prometheus.NewRegistry(),
			Log:   slog.New(slog.DiscardHandler),
			Clock: func() time.Time { return time.Date(2026, 5, 6, 7, 8, 20, 0, time.UTC) },
		})
		return newFixture(t, func(o *Options, p *ingest.Options) { o.Usage, p.Usage = keeper, keeper })
	}
	send := func(f *fixture) *status.Status {
		_, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001"))
		return status.Convert(err)
	}
	for _, limit := range []string{"requests=1/m", "spans=1/m"} {
		t.Run(limit, func(t *testing.T) {
			f := newLimited(t, limit)
			if got := send(f); got.Code() != codes.OK {
				t.Fatalf("the first one: %v", got)
			}
			got := send(f)
			if got.Code() != codes.ResourceExhausted || len(got.Details()) != 1 {
				t.Fatalf("status %v with %v", got, got.Details())
			}
			if retry, ok := got.Details()[0].(*errdetails.RetryInfo); !ok || retry.GetRetryDelay().AsDuration() != 40*time.Second {
				t.Errorf("details %v", got.Details())
			}
			if len(f.table.names) != 1 {
				t.Errorf("stored %v", f.table.names)
			}
		})
	}
	t.Run("more than the whole limit is not to be sent again", func(t *testing.T) {
		got := send(newLimited(t, "bytes=1/d"))
		if got.Code() != codes.ResourceExhausted || len(got.Details()) != 0 {
			t.Errorf("status %v with %v", got, got.Details())
		}
	})
}
