package otlpgrpc

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// healthService is the standard gRPC health service, for load balancers and Kubernetes probes. Like GET
// /api/public/health, it needs no credential.
type healthService struct {
	*health.Server
	// watching is the maximum duration of a Watch call. A stopping server ends all of them, since a graceful stop waits
	// for running calls.
	watching   time.Duration
	stopping   context.Context //nolint:containedctx // it is as long as the life of the service
	endWatches context.CancelFunc
}

func newHealthService(watching time.Duration) *healthService {
	h := &healthService{Server: health.NewServer(), watching: watching}
	h.stopping, h.endWatches = context.WithCancel(context.Background())
	h.SetServingStatus(traceService, grpc_health_v1.HealthCheckResponse_SERVING)
	return h
}

// Watch sends the health of the server whenever it changes.
func (h *healthService) Watch(in *grpc_health_v1.HealthCheckRequest, stream grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	ctx, cancel := context.WithTimeout(stream.Context(), h.watching)
	defer cancel()
	defer context.AfterFunc(h.stopping, cancel)()
	return h.Server.Watch(in, watch{stream, ctx})
}

// watch is a stream with a context that ends sooner.
type watch struct {
	grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]
	ctx context.Context //nolint:containedctx // a stream has one
}

func (w watch) Context() context.Context { return w.ctx }
