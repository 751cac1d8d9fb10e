// Command node starts ClickHouse's engine and a server that stores its events there, runs a command that sends spans to
// it, and prints the CPU time of the server and the engine separately:
//
//	go run ./bench/node COMMAND -url {url} -public-key {public-key} -secret-key {secret-key}
//
// In the arguments of the command, {url}, {public-key} and {secret-key} stand for the URL and the keys of the server.
// The number of spans is read from ClickHouse.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"almanac/bench/internal/process"
	"almanac/test/chtest"
)

func main() { process.Main("node", run) }

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	flags.SetOutput(stderr)
	binary := flags.String("binary", "", "program to start; built from this module by default")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("a command is needed that sends spans")
	}
	directory, err := os.MkdirTemp("", "node-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	engine, err := chtest.Run(ctx, directory+"/clickhouse")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Stop()) }()
	node, err := process.Start(ctx, directory, *binary, "--store", engine.StoreAddress("almanac"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Stop()) }()

	before := took{node.Usage().CPU, process.PID(engine.Pid()).CPU()}
	if err := command(ctx, flags.Args(), node, out, stderr); err != nil {
		return err
	}
	answered := took{node.Usage().CPU, process.PID(engine.Pid()).CPU()}.minus(before)
	settled, err := settle(ctx, node, engine)
	if err != nil {
		return err
	}
	settled = settled.minus(before)
	text, err := engine.Query(ctx, "SELECT count() FROM almanac.observations FINAL")
	if err != nil {
		return err
	}
	spans, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || spans == 0 {
		return errors.Join(err, errors.New("the command sent no spans"))
	}
	_, err = fmt.Fprintf(out, "\nmachine                        %d cores, %s, %s\nspans in ClickHouse            %.0f\n"+
		"node CPU µs per span           %.1f until everything was merged, %.1f while the command ran\n"+
		"engine CPU µs per span         %.1f until everything was merged, %.1f while the command ran\n",
		runtime.NumCPU(), runtime.Version(), time.Now().UTC().Format(time.RFC3339), spans,
		perSpan(settled.node, spans), perSpan(answered.node, spans), perSpan(settled.engine, spans), perSpan(answered.engine, spans))
	return err
}

// took is the CPU time of both.
type took struct{ node, engine time.Duration }

func (t took) minus(other took) took { return took{t.node - other.node, t.engine - other.engine} }

func perSpan(t time.Duration, spans float64) float64 { return float64(t.Microseconds()) / spans }

// command runs the command that sends the spans.
func command(ctx context.Context, args []string, node *process.Server, out, stderr io.Writer) error {
	values := strings.NewReplacer("{url}", node.URL, "{public-key}", node.PublicKey, "{secret-key}", node.SecretKey)
	for i := range args {
		args[i] = values.Replace(args[i])
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the operator named it
	c.Stdout, c.Stderr = out, stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("running %s: %w", args[0], err)
	}
	return nil
}

// settle waits until both are idle, at most a minute, and returns their CPU time.
func settle(ctx context.Context, node *process.Server, engine *chtest.Server) (took, error) {
	const idle = 50 * time.Millisecond // of both per second: the engine is never quite idle
	last := took{node.Usage().CPU, process.PID(engine.Pid()).CPU()}
	for range 60 {
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-time.After(time.Second):
		}
		now := took{node.Usage().CPU, process.PID(engine.Pid()).CPU()}
		since := now.minus(last)
		last = now
		if since.node+since.engine <= idle {
			break
		}
	}
	return last, nil
}
