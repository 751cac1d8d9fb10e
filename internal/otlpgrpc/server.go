// Package otlpgrpc takes in exports of spans over gRPC, for OpenTelemetry exporters and collectors that speak nothing
// else. It is the same as POST /v1/traces in every other way.
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

	"almanac/internal/auth"
	"almanac/internal/ingest"
	"almanac/internal/limits"
	"almanac/internal/peer"
)

// Options are what the server needs.
type Options struct {
	Ingest *ingest.Pipeline
	Keys   *auth.Keys
	// Usage counts exports; nil counts nothing.
	Usage *limits.Keeper
	// Failures makes wrong credentials visible and slow; nil does neither.
	Failures *auth.Failures
	// Proxies are trusted to say whom exports are from.
	Proxies peer.Proxies
	Log     *slog.Logger
	// MaxHeader is the size of the largest metadata.
	MaxHeader int64
	// Receiving is how long a client may take to send an export, Handling how long one may be worked on, Watching how long the
	// health of the server is reported to one client before it has to ask again.
	Receiving, Handling, Watching time.Duration
	// Beginning is how long a client may take until it speaks the protocol, the handshake of TLS included.
	Beginning time.Duration
	// TLS says how connections are encrypted; nil if they are not.
	TLS *tls.Config
	// Idle is how long a connection is kept without a call.
	Idle time.Duration
}

// What one connection over HTTP/2 may take up, here and where the API is served.
const (
	StreamsPerConnection = 100
	// What a client may send before anybody asks for it.
	StreamWindow     = 256 << 10
	ConnectionWindow = 1 << 20
	// Connections that nobody is behind any more are found by asking.
	PingAfter   = time.Minute
	PingTimeout = 20 * time.Second
)

const (
	// Clients may ask as well, but not all the time.
	leastPingInterval = 10 * time.Second
	// maxQuestion is the largest message of a service other than that of traces: the name of what the health is asked of.
	maxQuestion = 4 << 10
)

// traceService is the service of OTLP that is served.
const traceService = "opentelemetry.proto.collector.trace.v1.TraceService"

// Server serves the trace service of OTLP, and the health service of gRPC.
type Server struct {
	Options
	server *grpc.Server
	health *healthService
}

// New returns the server. It starts nothing.
func New(o Options) *Server {
	s := &Server{Options: o, health: newHealthService(o.Watching)}
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(proto.Name)}),
		grpc.InTapHandle(makeCancelable),
		grpc.MaxRecvMsgSize(maxQuestion),
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
	// On the wire a call with one message and one answer is a stream. Served as one, its credential is checked before the
	// message is received.
	s.server.RegisterService(&grpc.ServiceDesc{
		ServiceName: traceService,
		HandlerType: (*any)(nil),
		Streams:     []grpc.StreamDesc{{StreamName: "Export", Handler: s.serve}},
	}, s)
	grpc_health_v1.RegisterHealthServer(s.server, s.health)
	return s
}

// Serve serves on a listener until Shutdown, which may come first: a signal to stop can arrive at any time.
func (s *Server) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// Drain reports that the server is about to stop to those who ask for its health.
func (s *Server) Drain() { s.health.Shutdown() }

// Shutdown lets running calls finish; those that take longer than ctx are cut off, and its error is returned.
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
