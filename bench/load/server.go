package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// listenForProfiles makes the server serve Go's profiler, if a profile is wanted.
func (m *measurement) listenForProfiles() error {
	if m.profilePath == "" {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	m.profiler = l.Addr().String()
	m.serverArgs += " --pprof-listen " + m.profiler
	return l.Close()
}

// profile writes a CPU profile of the server for the given duration.
func (m *measurement) profile(ctx context.Context, d time.Duration) error {
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", m.profiler, int(d.Seconds()))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("cannot profile the server: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("cannot profile the server: %s", answer.Status)
	}
	profile, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("cannot profile the server: %w", err)
	}
	return os.WriteFile(m.profilePath, profile, 0o644)
}

// restart kills the server and reports how long it takes to be ready again.
func (m *measurement) restart(ctx context.Context) error {
	binary := m.binary
	if binary == "" {
		binary = m.meter.server.Binary()
	}
	m.progress("killing the server")
	again, took, err := m.meter.server.Restart(ctx, binary, strings.Fields(m.serverArgs)...)
	if err != nil {
		return err
	}
	m.meter.server = again
	m.result.fact("killed", "ready for requests again after %d ms", took.Milliseconds())
	return nil
}
