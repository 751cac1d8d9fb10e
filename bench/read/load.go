package main

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"strings"

	"almanac/bench/process"
)

// startLoad lets spans come in until the returned function is called, which tells how that went.
func startLoad(ctx context.Context, s *process.Server, rate int) func() string {
	if rate == 0 {
		return func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	var out bytes.Buffer
	load := exec.CommandContext(ctx, "go", "run", "./bench/ingest", "-url", s.URL, "-public-key", s.PublicKey, "-secret-key", s.SecretKey,
		"-rate", strconv.Itoa(rate), "-duration", "60s", "-spans", "50000")
	load.Stdout = &out
	progress, err := load.StderrPipe()
	if err == nil {
		err = load.Start()
	}
	if err != nil {
		cancel()
		return func() string { return "the load failed: " + err.Error() }
	}
	// Questions are asked once spans really come in: making them takes a while.
	for lines := bufio.NewScanner(progress); lines.Scan() && lines.Text() != "sending"; {
	}
	done := make(chan error, 1)
	go func() { done <- load.Wait() }()
	return func() string {
		err := <-done
		cancel()
		if err != nil {
			return "the load failed: " + err.Error()
		}
		return "\nspans that came in meanwhile, for a minute:\n" + strings.TrimSpace(out.String())
	}
}
