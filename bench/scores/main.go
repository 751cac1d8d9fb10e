// Command scores measures reads of scores through HTTP: it fills the store of a new server with scores and the traces
// that they are about, starts the server on it, and asks the questions that people ask.
//
//	go run ./bench/scores -scores 1000000
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"almanac/bench/process"
)

func main() { process.Main("scores", run) }

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("scores", flag.ContinueOnError)
	flags.SetOutput(stderr)
	scores := flags.Int("scores", 1_000_000, "scores to fill the store with")
	runs := flags.Int("runs", 200, "how often to ask each question")
	limit := flags.Duration("limit", 15*time.Second, "how long to ask each question at most")
	binary := flags.String("binary", "", "program to start; built from this module by default")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *scores < 1000 || *runs < 1 {
		return errors.New("there must be at least 1000 scores and one run")
	}
	directory, err := os.MkdirTemp("", "scores-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	s, err := process.Start(ctx, directory, *binary) // makes the project
	if err != nil {
		return err
	}
	publicKey, secretKey := s.PublicKey, s.SecretKey
	project, err := s.Project(ctx)
	if err = errors.Join(err, s.Stop()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "filling the store with %d scores\n", *scores)
	c := corpus{scores: *scores}
	if err := c.fill(ctx, filepath.Join(directory, "data", "events"), project); err != nil {
		return err
	}
	if *binary == "" {
		*binary = filepath.Join(directory, "almanac")
	}
	if s, err = process.Start(ctx, directory, *binary); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	s.PublicKey, s.SecretKey = publicKey, secretKey
	var w strings.Builder
	fmt.Fprintf(&w, "command  scores %s\nmachine  %d cores, %s, %s\nscores   %d over %d days, of %d traces; %d bytes on disk for each, its traces included\n\n",
		strings.Join(args, " "), runtime.NumCPU(), runtime.Version(), time.Now().UTC().Format(time.RFC3339), *scores, days, c.traces(),
		s.DiskUsage()/int64(*scores))
	w.WriteString(process.Heading())
	for _, q := range c.questions() {
		if err := s.Ask(ctx, &w, q, *runs, *limit); err != nil {
			return err
		}
	}
	fmt.Fprintf(&w, "\nanonymous memory of the server  %.0f MB\n", float64(s.AnonymousMemory())/(1<<20))
	_, err = io.WriteString(out, w.String())
	return err
}
