package server

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"almanac/internal/config"
)

// openAt is a listener that only pretends to be open at its address.
type openAt struct {
	net.Listener
	address *net.TCPAddr
}

func (o openAt) Addr() net.Addr { return o.address }

func (o openAt) Close() error { return nil }

func at(ip string) net.Listener {
	return openAt{address: &net.TCPAddr{IP: net.ParseIP(ip), Port: 3000}}
}

func TestWarnIfReadable(t *testing.T) {
	here, everywhere := at("127.0.0.1"), at("0.0.0.0")
	for name, c := range map[string]struct {
		open    listeners
		options config.Serve
		want    int
	}{
		"this machine alone":      {listeners{api: here, grpc: at("::1")}, config.Serve{}, 0},
		"every address":           {listeners{api: everywhere, grpc: here}, config.Serve{}, 1},
		"every address of IPv6":   {listeners{api: at("::")}, config.Serve{}, 1},
		"one address of the net":  {listeners{api: at("10.1.2.3")}, config.Serve{}, 1},
		"gRPC alone":              {listeners{api: here, grpc: everywhere}, config.Serve{}, 1},
		"both":                    {listeners{api: everywhere, grpc: everywhere}, config.Serve{}, 2},
		"with a certificate":      {listeners{api: everywhere, grpc: everywhere}, config.Serve{TLS: config.TLS{TLSCert: "c.pem"}}, 0},
		"with an authority":       {listeners{api: everywhere}, config.Serve{TLS: config.TLS{ACMEDomains: "a.example.org"}}, 0},
		"behind a proxy with TLS": {listeners{api: everywhere}, config.Serve{PublicURL: "https://almanac.example.org"}, 0},
		"behind a proxy without":  {listeners{api: everywhere}, config.Serve{PublicURL: "http://almanac.example.org"}, 1},
	} {
		var log bytes.Buffer
		c.open.warnIfReadable(c.options, slog.New(slog.NewTextHandler(&log, nil)))
		if got := strings.Count(log.String(), "without TLS"); got != c.want {
			t.Errorf("%s: %d warnings, want %d: %s", name, got, c.want, log.String())
		}
	}
}

func TestBaseURL(t *testing.T) {
	withTLS := config.TLS{TLSCert: "c.pem"}
	for want, c := range map[string]struct {
		options config.Serve
		ip      string
	}{
		"http://127.0.0.1:3000":         {config.Serve{}, "0.0.0.0"},
		"http://10.1.2.3:3000":          {config.Serve{}, "10.1.2.3"},
		"http://[::1]:3000":             {config.Serve{}, "::1"},
		"https://127.0.0.1:3000":        {config.Serve{TLS: withTLS}, "127.0.0.1"},
		"https://127.0.0.1:3000/base":   {config.Serve{TLS: withTLS, BasePath: "/base/"}, "127.0.0.1"},
		"https://a.example.org":         {config.Serve{TLS: config.TLS{ACMEDomains: "a.example.org,b.example.org"}}, "0.0.0.0"},
		"https://example.org/almanac":   {config.Serve{PublicURL: "https://example.org/almanac/"}, "127.0.0.1"},
		"https://example.org/elsewhere": {config.Serve{PublicURL: "https://example.org/elsewhere", BasePath: "/"}, "127.0.0.1"},
	} {
		if got := baseURL(c.options, at(c.ip).Addr()); got != want {
			t.Errorf("baseURL = %q, want %q", got, want)
		}
	}
}

func TestMetricsBesideTheAPI(t *testing.T) {
	for _, c := range []struct {
		where, api string
		want       bool
	}{
		{"auto", "127.0.0.1", true},
		{"auto", "::1", true},
		{"auto", "0.0.0.0", false},
		{"auto", "::", false},
		{"auto", "10.1.2.3", false},
		{"same", "0.0.0.0", true},
		{"same", "127.0.0.1", true},
		{"off", "127.0.0.1", false},
		{"127.0.0.1:9000", "127.0.0.1", false},
	} {
		if got := metricsBesideAPI(config.Serve{MetricsListen: c.where}, at(c.api).Addr()); got != c.want {
			t.Errorf("--metrics-listen %s with the API at %s: %v", c.where, c.api, got)
		}
	}
}

// TestUsualAddresses simulates ports in use without opening any.
func TestUsualAddresses(t *testing.T) {
	const beside, off = "beside the API", "off"
	for name, c := range map[string]struct {
		api, metrics string // options
		taken        string
		want         string // where metrics are
		says         string // the log, or the error
	}{
		"this machine alone":    {"127.0.0.1:3000", "auto", "", beside, ""},
		"every address":         {"0.0.0.0:3000", "auto", "", "127.0.0.1:9464", ""},
		"every address of IPv6": {"[::]:3000", "auto", "", "127.0.0.1:9464", ""},
		"the usual one of metrics is taken": {
			"0.0.0.0:3000", "auto", "127.0.0.1:9464", off, "set --metrics-listen to another address, to same or to off",
		},
		"taken, and not wanted": {"127.0.0.1:3000", "auto", "127.0.0.1:9464", beside, ""},
		"one of their own":      {"0.0.0.0:3000", "127.0.0.1:9000", "127.0.0.1:9464", "127.0.0.1:9000", ""},
		"one of their own that is taken": {
			"0.0.0.0:3000", "127.0.0.1:9000", "127.0.0.1:9000", "",
			"127.0.0.1:9000 is in use by another program: stop it, or choose another address with --metrics-listen",
		},
		"the usual one of gRPC is taken": {
			"127.0.0.1:3000", "off", "127.0.0.1:4317", off, "set --otlp-grpc-listen to another address, or to off",
		},
		"the address of the API is taken": {
			"127.0.0.1:3000", "auto", "127.0.0.1:3000", "",
			"127.0.0.1:3000 is in use by another program: stop it, or choose another address with --listen",
		},
		"asked for where others can read it": {"0.0.0.0:3000", "same", "", beside, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			options := config.Serve{Listen: c.api, MetricsListen: c.metrics, OTLPGRPCListen: "auto"}
			l, err := listenOn(options, slog.New(slog.NewTextHandler(&log, nil)), func(address string) (net.Listener, error) {
				if address == c.taken {
					return nil, &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
				}
				tcp, err := net.ResolveTCPAddr("tcp", address)
				return openAt{address: tcp}, err
			})
			if c.want == "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("the error is %v, want %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			where := addressOr(l.metrics, off)
			if l.metricsOnAPI {
				where = beside
			}
			if where != c.want {
				t.Errorf("metrics are %s, want %s", where, c.want)
			}
			if c.says == "" && log.Len() > 0 || !strings.Contains(log.String(), c.says) {
				t.Errorf("the log says %q, want %q", log.String(), c.says)
			}
		})
	}
}
