// Command count formats the output of `go test -json`: a line per package, and the output of failed tests. It counts
// the tests including subtests, and fails if one was skipped without permission.
//
//	go test -json ./... | count [-v] [-may-skip REGEXP] [-to FILE]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("count", flag.ContinueOnError)
	verbose := flags.Bool("v", false, "print what tests that pass print, too")
	maySkip := flags.String("may-skip", "^$", "a regular expression for the tests that may be skipped, as PACKAGE.TEST")
	to := flags.String("to", "", "a file to add the counts to, a line for each: a number and what it counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	leave, err := regexp.Compile(*maySkip)
	if err != nil {
		return fmt.Errorf("-may-skip %q: %w", *maySkip, err)
	}
	r := newReport(out, *verbose, leave)
	if err := r.read(in); err != nil {
		return fmt.Errorf("read what go test prints: %w", err)
	}
	if *to != "" {
		err = appendTo(*to, r.counts())
	}
	return errors.Join(err, r.verdict())
}

func appendTo(name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // whoever runs the tests names it
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
