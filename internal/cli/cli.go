// Package cli is the command line.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"almanac/internal/config"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

type commands struct {
	Serve   serveCommand   `cmd:"" help:"Run the server."`
	Keys    keysCommand    `cmd:"" help:"Make, list and revoke API keys. Works while the server runs."`
	Demo    demoCommand    `cmd:"" help:"Send made-up traces to a running server, to see what it does with them."`
	Backup  backupCommand  `cmd:"" help:"Copy all data into a new directory. Works while the server runs."`
	Restore restoreCommand `cmd:"" help:"Bring a backup back into an empty data directory, and check it."`
	Doctor  doctorCommand  `cmd:"" help:"Check an installation and say what is wrong with it. Changes nothing without --repair."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

const description = `Almanac keeps the traces of LLM applications and answers questions about them. It speaks the Langfuse API: point an SDK at it and go.

Start with: almanac serve

Every option can also be given as an environment variable (--listen as ALMANAC_LISTEN) or in a file (almanac serve --config FILE).`

// terminal is where a command reads and writes.
type terminal struct {
	ctx            context.Context
	stdout, stderr io.Writer
}

func (t *terminal) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t.stdout, format, args...) // nobody is left to tell if the terminal is gone
}

// Main runs the command that the arguments name and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return run(context.Background(), args, os.Getenv, stdout, stderr)
}

// exit is what kong's own exits, after --help, are turned into.
type exit int

func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(exit)
			if !ok {
				panic(p)
			}
			code = int(e)
		}
	}()
	fail := func(code int, err error) int {
		_, _ = fmt.Fprintln(stderr, "almanac:", strings.TrimSpace(err.Error()))
		return code
	}
	resolver, err := config.NewResolver(getenv, config.File(args, getenv))
	if err != nil {
		return fail(exitFailure, err)
	}
	parser, err := newParser(stdout, stderr, resolver)
	if err != nil {
		return fail(exitUsage, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		return fail(exitUsage, fmt.Errorf("%w\nTry: almanac --help", err))
	}
	if err := command.Run(&terminal{ctx, stdout, stderr}); err != nil {
		return fail(exitFailure, err)
	}
	return exitOK
}

func newParser(stdout, stderr io.Writer, resolver *config.Resolver) (*kong.Kong, error) {
	return kong.New(new(commands),
		kong.Name("almanac"),
		kong.Description(description),
		kong.Resolvers(resolver),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.ValueFormatter(helpOf),
		kong.Vars{"permissions": permissionList()},
	)
}

// helpOf is an option's help with its environment variable.
func helpOf(value *kong.Value) string {
	if value.Flag == nil || value.Name == "help" {
		return value.Help
	}
	return value.Help + " ($" + config.Variables(value.Flag)[0] + ")"
}
