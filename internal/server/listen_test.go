package server

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"

	"almanac/internal/config"
)

// openAt is a listener that is open somewhere, as far as its address says.
type openAt struct {
	net.Listener
	address *net.TCPAddr
}

func (o openAt) Addr() net.Addr { return o.address }

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
		if got := strings.Count(log.String(), "connections are not encrypted"); got != c.want {
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
