package otlpgrpc

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"almanac/internal/ingest"
)

// TestHealth asks like load balancers and probes, which have no credential.
func TestHealth(t *testing.T) {
	f := newFixture(t, nil)
	client := grpc_health_v1.NewHealthClient(f.client)
	check := func(service string) (grpc_health_v1.HealthCheckResponse_ServingStatus, error) {
		answer, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: service})
		return answer.GetStatus(), err
	}
	for _, service := range []string{"", traceService} {
		if got, err := check(service); err != nil || got != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("%q is %v, %v", service, got, err)
		}
	}
	if _, err := check("another"); status.Code(err) != codes.NotFound {
		t.Errorf("a service that is not there: %v", err)
	}
	if _, err := check(strings.Repeat("x", maxHealthRequest)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a question that is too large: %v", err)
	}

	changes, err := client.Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	next := func(want grpc_health_v1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		if got, err := changes.Recv(); err != nil || got.GetStatus() != want {
			t.Errorf("watched %v, %v; want %v", got.GetStatus(), err, want)
		}
	}
	next(grpc_health_v1.HealthCheckResponse_SERVING)
	f.Drain()
	next(grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	if got, err := check(""); err != nil || got != grpc_health_v1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("about to stop it is %v, %v", got, err)
	}
	// Exports are still accepted while clients find out.
	if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); err != nil {
		t.Errorf("an export while it is about to stop: %v", err)
	}
	if err := f.Shutdown(t.Context()); err != nil { // it does not wait for watches
		t.Fatal(err)
	}
	if _, err := changes.Recv(); err == nil || err == io.EOF { //nolint:errorlint // EOF is never wrapped
		t.Errorf("the watch ended with %v", err)
	}
}

// TestWatchesEnd checks that no client can hold a connection forever without a credential.
func TestWatchesEnd(t *testing.T) {
	f := newFixture(t, func(o *Options, _ *ingest.Options) { o.Watching = 10 * time.Millisecond })
	changes, err := grpc_health_v1.NewHealthClient(f.client).Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = changes.Recv()
	}
	if status.Code(err) != codes.Canceled {
		t.Errorf("the watch ended with %v", err)
	}
}

// TestWatchesAreBounded: strangers hold a few watches with a connection, and can make others when these have ended.
func TestWatchesAreBounded(t *testing.T) {
	f := newFixture(t, nil)
	client := grpc_health_v1.NewHealthClient(f.client)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	watch := func(ctx context.Context) error {
		changes, err := client.Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
		if err == nil {
			_, err = changes.Recv()
		}
		return err
	}
	for range watchesPerConnection {
		if err := watch(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := watch(ctx); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("one watch more: %v", err)
	}
	cancel()
	for {
		f.health.mu.Lock()
		left := len(f.health.watches)
		f.health.mu.Unlock()
		if left == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := watch(t.Context()); err != nil {
		t.Errorf("a watch after the others have ended: %v", err)
	}
}
