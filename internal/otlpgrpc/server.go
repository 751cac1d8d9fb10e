// Package otlpgrpc takes in exports of spans over gRPC, for OpenTelemetry exporters and collectors that speak nothing
// else. It is the same as POST /v1/traces in every other way.
//
// A call with one message and one answer is a POST request over HTTP/2 whose status comes in trailers, so the HTTP server
// of the standard library serves it.
package otlpgrpc

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

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
	// Receiving is how long a client may take to send an export, Handling how long one may be worked on, Answering how long
	// after its metadata a call may end, the client's reading included.
	Receiving, Handling, Answering time.Duration
	// Beginning is how long a client may take until it speaks the protocol, the handshake of TLS included.
	Beginning time.Duration
	// TLS says how connections are encrypted; nil if they are not.
	TLS *tls.Config
	// Idle is how long a connection is kept without a call.
	Idle time.Duration
}

const (
	streamsPerConnection = 100
	// What a client may send before anybody asks for it.
	streamWindow     = 256 << 10
	connectionWindow = 1 << 20
	// Connections that nobody is behind any more are found by asking.
	pingAfter   = time.Minute
	pingTimeout = 20 * time.Second
)

// Server serves the trace service of OTLP.
type Server struct {
	Options
	http *http.Server
}

// New returns the server. It starts nothing.
func New(o Options) *Server {
	s := &Server{Options: o}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: o.Beginning,
		ReadTimeout:       o.Receiving,
		WriteTimeout:      o.Answering,
		IdleTimeout:       o.Idle,
		MaxHeaderBytes:    int(o.MaxHeader),
		HTTP2:             ConnectionLimits(),
		TLSConfig:         o.TLS,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), // broken clients are not our errors
	}
	s.http.Protocols.SetHTTP2(o.TLS != nil)
	s.http.Protocols.SetUnencryptedHTTP2(o.TLS == nil)
	return s
}

// ConnectionLimits are what one connection over HTTP/2 may take up, here and where the API is served.
func ConnectionLimits() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          streamsPerConnection,
		MaxReceiveBufferPerStream:     streamWindow,
		MaxReceiveBufferPerConnection: connectionWindow,
		SendPingTimeout:               pingAfter,
		PingTimeout:                   pingTimeout,
	}
}

// Serve serves on a listener until Shutdown, which may come first: a signal to stop can arrive at any time.
func (s *Server) Serve(l net.Listener) error {
	serve := s.http.Serve
	if s.TLS != nil {
		serve = func(l net.Listener) error { return s.http.ServeTLS(l, "", "") }
	}
	if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown lets running calls finish; those that take longer than ctx are cut off, and its error is returned.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		_ = s.http.Close()
	}
	return err
}
