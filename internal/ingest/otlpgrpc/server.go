// Package otlpgrpc receives exports of spans over gRPC, for OpenTelemetry exporters and collectors that support nothing
// else. In all other respects it is the same as POST /v1/traces.
package otlpgrpc

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip" // without it calls that announce gzip are refused
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/ingest"
	"almanac/internal/limits/usage"
)

// Options configure the server.
type Options struct {
	Ingest *ingest.Pipeline
	Keys   *auth.Keys
	// Usage counts exports; nil counts nothing.
	Usage *usage.Tracker
	// Failures reports and slows down attempts with wrong credentials; nil does neither.
	Failures *auth.Failures
	// Proxies are trusted to name the client address of exports.
	Proxies clientaddr.Proxies
	Log     *slog.Logger
	// MaxHeader is the maximum size of the metadata, in bytes.
	MaxHeader int64
	// Receiving limits the time to receive an export, Handling the time to process one, and Watching the duration of a
	// health watch, after which the client has to ask again.
	Receiving, Handling, Watching time.Duration
	// Beginning limits the time for a new connection to complete its handshakes, including TLS.
	Beginning time.Duration
	// TLS configures encryption; nil for plaintext connections.
	TLS *tls.Config
	// Idle is how long a connection without calls is kept open.
	Idle time.Duration
}

// Limits for one HTTP/2 connection, both here and where the API is served.
const (
	StreamsPerConnection = 100
	// How much a client may send before the server reads it.
	StreamWindow     = 256 << 10
	ConnectionWindow = 1 << 20
	// Dead connections are detected by pings.
	PingAfter   = time.Minute
	PingTimeout = 20 * time.Second
)

const (
	// Clients may send pings as well, but not more often than this.
	leastPingInterval = 10 * time.Second
	// maxHealthRequest is the maximum size of a message to a service other than the trace service, in bytes: a health
	// request, which contains a service name.
	maxHealthRequest = 4 << 10
)

// traceService is the full name of OTLP's trace service.
const traceService = "opentelemetry.proto.collector.trace.v1.TraceService"

// Server implements OTLP's trace service and the gRPC health service.
type Server struct {
	Options
	server *grpc.Server
	health *healthService
}

// New returns the server. It does not serve yet.
func New(o Options) *Server {
	s := &Server{Options: o, health: newHealthService(o.Watching)}
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(proto.Name)}),
		grpc.InTapHandle(makeCancelable),
		grpc.MaxRecvMsgSize(maxHealthRequest),
		grpc.MaxHeaderListSize(uint32(o.MaxHeader)), //nolint:gosec // an option, kilobytes
		grpc.MaxConcurrentStreams(StreamsPerConnection),
		grpc.StaticStreamWindowSize(StreamWindow),
		grpc.StaticConnWindowSize(ConnectionWindow),
		grpc.ConnectionTimeout(o.Beginning),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: o.Idle, Time: PingAfter, Timeout: PingTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: leastPingInterval, PermitWithoutStream: true}),
	}
	if o.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(o.TLS)))
	}
	s.server = grpc.NewServer(options...)
	// On the wire a unary call is a stream. Registering it as a stream lets the credential be checked before the message
	// is received.
	s.server.RegisterService(&grpc.ServiceDesc{
		ServiceName: traceService,
		HandlerType: (*any)(nil),
		Streams:     []grpc.StreamDesc{{StreamName: "Export", Handler: s.serve}},
	}, s)
	grpc_health_v1.RegisterHealthServer(s.server, s.health)
	return s
}

// Serve accepts connections on l until Shutdown, which may be called first: a stop signal can arrive at any time.
func (s *Server) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// Drain makes health checks report that the server is about to stop.
func (s *Server) Drain() { s.health.Shutdown() }

// Shutdown waits for running calls to finish. If ctx is done first, it aborts them and returns the error of ctx.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	s.health.endWatches()
	finished := make(chan struct{})
	go func() {
		s.server.GracefulStop()
		close(finished)
	}()
	select {
	case <-finished:
		return nil
	case <-ctx.Done():
		s.server.Stop()
		return ctx.Err()
	}
}
