// Command prompts measures reads of prompts over HTTP: it starts a server, creates prompts, half of which reference
// others, and reads them over several connections as fast as possible.
//
//	go run ./bench/prompts -duration 10s
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"almanac/bench/internal/process"
)

func main() { process.Main("prompts", run) }

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("prompts", flag.ContinueOnError)
	flags.SetOutput(stderr)
	prompts := flags.Int("prompts", 100, "prompts to make and read")
	length := flags.Int("length", 1000, "characters of a prompt")
	connections := flags.Int("connections", 8, "connections that read at once")
	duration := flags.Duration("duration", 10*time.Second, "how long to read")
	binary := flags.String("binary", "", "program to start; built from this module by default")
	profile := flags.String("profile", "", "file for a profile of the server's processor time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *prompts < 1 || *length < 0 || *connections < 1 {
		return errors.New("there must be at least one prompt and one connection")
	}
	directory, err := os.MkdirTemp("", "prompts-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	const profiler = "127.0.0.1:6161"
	var options []string
	if *profile != "" {
		options = []string{"--pprof-listen", profiler}
	}
	s, err := process.Start(ctx, directory, *binary, options...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	names, err := create(ctx, s, *prompts, *length)
	if err != nil {
		return err
	}
	body, err := s.Get(ctx, "/api/public/v2/prompts/"+names[len(names)-1])
	if err != nil {
		return err
	}
	profiled := make(chan error, 1)
	if *profile != "" {
		go func() { profiled <- saveProfile(ctx, profiler, *duration, *profile) }()
	} else {
		profiled <- nil
	}
	before := s.Usage()
	result, err := readAll(ctx, s, names, *connections, *duration)
	if err != nil {
		return err
	}
	used := s.Usage().Minus(before)
	if err := <-profiled; err != nil {
		return err
	}
	count := float64(len(result.times))
	_, err = fmt.Fprintf(out,
		"command      prompts %s\nmachine      %d cores, %s, %s\nanswers      %d bytes, %d prompts, %d connections\n\n"+
			"requests/s   %.0f\np50, p99 ms  %.2f, %.2f\nserver CPU   %.1f µs a request\nallocations  %.0f a request\n",
		strings.Join(args, " "), runtime.NumCPU(), runtime.Version(), time.Now().UTC().Format(time.RFC3339), len(body), *prompts,
		*connections,
		count/result.took.Seconds(), result.quantile(0.5), result.quantile(0.99), float64(used.CPU.Microseconds())/count,
		used.Allocations/count)
	return err
}

// create creates prompts with the label production and returns their names. Every other one references the one before
// it.
func create(ctx context.Context, s *process.Server, count, length int) ([]string, error) {
	var names []string
	for n := range count {
		name := fmt.Sprintf("bench-%d", n)
		text := strings.Repeat("Answer briefly. ", length/16+1)[:length]
		if n%2 == 1 {
			text = text[:length/2] + "@@@langfusePrompt:name=" + names[n-1] + "|label=production@@@"
		}
		body, err := json.Marshal(map[string]any{
			"name": name, "prompt": text, "labels": []string{"production"}, "config": map[string]any{"temperature": 0.5},
		})
		if err != nil {
			return nil, err
		}
		if _, err := s.Post(ctx, "/api/public/v2/prompts", string(body)); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func saveProfile(ctx context.Context, address string, duration time.Duration, file string) error {
	url := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", address, max(1, int(duration.Seconds())-1))
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Clean(file), content, 0o600)
}
