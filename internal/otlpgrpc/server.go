// Package otlpgrpc takes in exports of spans over gRPC, for OpenTelemetry exporters and collectors that speak nothing
// else. It is the same as POST /v1/traces in every other way.
package otlpgrpc

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // exporters compress with it
	"google.golang.org/grpc/keepalive"

	"almanac/internal/auth"
	"almanac/internal/ingest"
)

// Options are what the server needs.
type Options struct {
	Ingest *ingest.Pipeline
	Keys   *auth.Keys
	Log    *slog.Logger
	// Memory is how many bytes of messages may be on their way at once, Wait how long an export waits for its share.
	Memory int64
	Wait   time.Duration
	// MaxHeader is the size of the largest metadata.
	MaxHeader int64
	// Receiving is how long a client may take to send an export, Handling how long one may be worked on.
	Receiving, Handling time.Duration
	// Idle is how long a connection is kept without a call.
	Idle time.Duration
}

// maxMessage is the largest message, compressed or not. A message is in memory as a whole before anything is known of
// it, so the limit is lower than over HTTP; it is four times what servers of gRPC usually take.
const maxMessage = 16 << 20

const (
	streamsPerConnection = 100
	// What a client may send before anybody asks for it.
	streamWindow     = 256 << 10
	connectionWindow = 1 << 20
	// Connections that nobody is behind any more are found by asking.
	pingAfter   = time.Minute
	pingTimeout = 20 * time.Second
	// Clients may ask as well, but not all the time.
	leastPingInterval = 10 * time.Second
)

// Server serves the trace service of OTLP.
type Server struct {
	Options
	maxMessage int64
	// receiving bounds what is in memory of messages that are being received.
	receiving *ingest.Budget
	server    *grpc.Server
}

// New returns the server. It starts nothing.
func New(o Options) *Server {
	s := &Server{Options: o, maxMessage: min(maxMessage, o.Ingest.MaxExport())}
	s.receiving = ingest.NewBudget(max(o.Memory, 2*s.maxMessage), o.Wait)
	s.server = grpc.NewServer(
		grpc.ForceServerCodecV2(codec{}),
		grpc.MaxRecvMsgSize(int(s.maxMessage)),
		grpc.MaxHeaderListSize(uint32(o.MaxHeader)), //nolint:gosec // an option, kilobytes
		grpc.MaxConcurrentStreams(streamsPerConnection),
		grpc.StaticStreamWindowSize(streamWindow),
		grpc.StaticConnWindowSize(connectionWindow),
		grpc.ConnectionTimeout(o.Receiving),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: o.Idle, Time: pingAfter, Timeout: pingTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: leastPingInterval, PermitWithoutStream: true}),
	)
	// On the wire a call with one message and one answer is a stream. Served as one, its credential is checked before the
	// message is received.
	s.server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "opentelemetry.proto.collector.trace.v1.TraceService",
		HandlerType: (*any)(nil),
		Streams:     []grpc.StreamDesc{{StreamName: "Export", Handler: s.export}},
	}, s)
	return s
}

// Serve serves on a listener until Shutdown, which may come first: a signal to stop can arrive at any time.
func (s *Server) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// Shutdown lets running calls finish; those that take longer than ctx are cut off, and its error is returned.
func (s *Server) Shutdown(ctx context.Context) error {
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
		<-finished
		return ctx.Err()
	}
}
