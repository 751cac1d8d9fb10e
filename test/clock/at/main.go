// Command at runs a program at another time: at 2028-02-29T12:00:00Z program arguments... It is meant for `go test
// -exec`: the tests, and the programs that they start with the harness, see that time.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"almanac/test/clock"
)

func main() {
	err := run(os.Args[1:])
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(ended.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "at:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("give a time such as 2028-02-29T12:00:00Z and a program with its arguments")
	}
	at, err := time.Parse(time.RFC3339, args[0])
	if err != nil {
		return err
	}
	process := exec.CommandContext(context.Background(), args[1], args[2:]...) //nolint:gosec // what the user wants to run
	process.Stdin, process.Stdout, process.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := clock.StartAt(process, at); err != nil {
		return err
	}
	return process.Wait()
}
