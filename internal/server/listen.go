package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"almanac/internal/config"
	"almanac/internal/platform"
)

// listeners are the open ports. Those that are disabled are nil.
type listeners struct {
	api, grpc, metrics, pprof net.Listener
	// commands is the socket for commands that use the store; see package localstore.
	commands net.Listener
	// metricsOnAPI reports whether metrics are served on the address of the API.
	metricsOnAPI bool
}

// autoGRPC is the default endpoint of OTLP exporters over gRPC.
const autoGRPC = "127.0.0.1:4317"

// autoMetrics is the address for metrics when the API is reachable from other machines: the usual port of
// OpenTelemetry's Prometheus exporter.
const autoMetrics = "127.0.0.1:9464"

// listen opens a port.
type listen func(address string) (net.Listener, error)

func listenAll(ctx context.Context, options config.Serve, log *slog.Logger) (*listeners, error) {
	return listenOn(options, log, func(address string) (net.Listener, error) { return new(net.ListenConfig).Listen(ctx, "tcp", address) })
}

func listenOn(options config.Serve, log *slog.Logger, open listen) (*listeners, error) {
	l := new(listeners)
	wanted := []struct {
		target  *net.Listener
		address string
		flag    string
	}{
		{&l.api, options.Listen, "--listen"},
		{&l.grpc, options.OTLPGRPCListen, "--otlp-grpc-listen"},
		{&l.metrics, options.MetricsListen, "--metrics-listen"},
		{&l.pprof, options.PprofListen, "--pprof-listen"},
	}
	for _, w := range wanted {
		if w.address == "" || w.address == "same" || w.address == "off" || w.address == "auto" {
			continue
		}
		listener, err := open(w.address)
		if err != nil {
			l.close()
			if platform.AddressInUse(err) {
				return nil, fmt.Errorf("%s is in use by another program: stop it, or choose another address with %s", w.address, w.flag)
			}
			return nil, fmt.Errorf("cannot listen on the address of %s: %w", w.flag, err)
		}
		*w.target = listener
	}
	if l.api == nil {
		return nil, errors.New("--listen requires an address such as 127.0.0.1:3000")
	}
	// An unavailable default address must not keep the server from starting.
	var err error
	if options.OTLPGRPCListen == "auto" {
		if l.grpc, err = open(autoGRPC); err != nil {
			log.Warn("not serving OTLP over gRPC: the default address is unavailable; set --otlp-grpc-listen to another address, or to off",
				"error", err)
		}
	}
	l.metricsOnAPI = metricsBesideAPI(options, l.api.Addr())
	if options.MetricsListen == "auto" && !l.metricsOnAPI {
		if l.metrics, err = open(autoMetrics); err != nil {
			log.Warn("not serving metrics: the API is reachable from other machines, and the default address for metrics is unavailable; "+
				"set --metrics-listen to another address, to same or to off", "error", err)
		}
	}
	return l, nil
}

// metricsBesideAPI reports whether metrics are served on the address of the API: if the operator chose so, or if only
// this machine can reach it.
func metricsBesideAPI(options config.Serve, api net.Addr) bool {
	return options.MetricsListen == "same" || options.MetricsListen == "auto" && onLoopback(api)
}

// metricsWhere describes where metrics without their own address are served.
func (l *listeners) metricsWhere() string {
	if l.metricsOnAPI {
		return "same"
	}
	return "off"
}

// warnIfReadable warns if data is sent unencrypted. A public URL with https means that a proxy terminates TLS.
func (l *listeners) warnIfReadable(options config.Serve, log *slog.Logger) {
	if options.Encrypted() || strings.HasPrefix(options.PublicURL, "https://") {
		return
	}
	for _, open := range []net.Listener{l.api, l.grpc} {
		if open != nil && !onLoopback(open.Addr()) {
			log.Warn("this server is reachable from other machines without TLS: keys and data are sent in clear text; "+
				"set --tls-cert and --tls-key, or use a proxy that terminates TLS and set --public-url to its address", "address",
				open.Addr().String())
		}
	}
}

// onLoopback reports whether only this machine can connect to an address.
func onLoopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// addressOr returns the address of a listener, or the given word if there is none.
func addressOr(l net.Listener, otherwise string) string {
	if l == nil {
		return otherwise
	}
	return l.Addr().String()
}

// close closes all listeners. Servers close theirs too; closing twice is harmless.
func (l *listeners) close() {
	for _, listener := range []net.Listener{l.api, l.grpc, l.metrics, l.pprof} {
		if listener != nil {
			_ = listener.Close()
		}
	}
}
