package otlpgrpc

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
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

	mu      sync.Mutex
	watches map[string]int // by the address of the connection
}

// watchesPerConnection is the maximum number of concurrent Watch calls of a connection. Strangers can make them, and
// each takes memory until it ends.
const watchesPerConnection = 4

func newHealthService(watching time.Duration) *healthService {
	h := &healthService{Server: health.NewServer(), watching: watching, watches: make(map[string]int)}
	h.stopping, h.endWatches = context.WithCancel(context.Background())
	h.SetServingStatus(traceService, grpc_health_v1.HealthCheckResponse_SERVING)
	return h
}

// Watch sends the health of the server whenever it changes.
func (h *healthService) Watch(
	in *grpc_health_v1.HealthCheckRequest, stream grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse],
) error {
	address := ""
	if p, ok := peer.FromContext(stream.Context()); ok {
		address = p.Addr.String()
	}
	if !h.begin(address) {
		return status.Errorf(codes.ResourceExhausted, "A connection has at most %d watches at a time", watchesPerConnection)
	}
	defer h.end(address)
	ctx, cancel := context.WithTimeout(stream.Context(), h.watching)
	defer cancel()
	defer context.AfterFunc(h.stopping, cancel)()
	return h.Server.Watch(in, watch{stream, ctx})
}

// begin reports whether a connection may have one more watch, and counts it.
func (h *healthService) begin(address string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watches[address] == watchesPerConnection {
		return false
	}
	h.watches[address]++
	return true
}

func (h *healthService) end(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watches[address]--; h.watches[address] == 0 {
		delete(h.watches, address)
	}
}

// watch is a stream with a context that ends sooner.
type watch struct {
	grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]
	ctx context.Context //nolint:containedctx // a stream has one
}

func (w watch) Context() context.Context { return w.ctx }
