// Package cli is the command line.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"almanac/internal/buildinfo"
	"almanac/internal/config"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/options"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// newProgram lists the commands. Each has its options as fields and does its work in Run.
func newProgram() *options.Command {
	return &options.Command{Name: "almanac", Summary: description, Commands: []*options.Command{
		{Name: "serve", Summary: "Run the server.", Options: new(serveCommand)},
		{Name: "keys", Summary: "Make, list and revoke API keys. Works while the server runs.", Commands: []*options.Command{
			{Name: "create", Summary: "Make a key pair and print it.", Options: new(createKeyCommand), Words: map[string]string{"permissions": permissionList()}},
			{Name: "list", Summary: "List all keys. Secrets are not kept and cannot be shown.", Options: new(listKeysCommand)},
			{Name: "revoke", Summary: "Delete a key. A running server refuses it within seconds.", Options: new(revokeKeyCommand)},
		}},
		{Name: "organizations", Summary: "List and create organizations. Works while the server runs.", Commands: []*options.Command{
			{Name: "list", Summary: "List all organizations.", Options: new(listOrganizationsCommand)},
			{Name: "create", Summary: "Create an organization and print its id.", Options: new(createOrganizationCommand)},
		}},
		{Name: "projects", Summary: "List and create projects. Works while the server runs.", Commands: []*options.Command{
			{Name: "list", Summary: "List all projects.", Options: new(listProjectsCommand)},
			{Name: "create", Summary: "Create a project and print its id.", Options: new(createProjectCommand)},
		}},
		{Name: "audit", Summary: "Show who changed what, when and from where. Works while the server runs.", Options: new(auditCommand)},
		{Name: "demo", Summary: "Send made-up traces to a running server, to see what it does with them.", Options: new(demoCommand)},
		{Name: "backup", Summary: "Copy all data into a new directory. Works while the server runs.", Options: new(backupCommand)},
		{Name: "restore", Summary: "Bring a backup back into an empty data directory, and check it.", Options: new(restoreCommand)},
		{Name: "migrate", Summary: "Copy an installation to ClickHouse, PostgreSQL and a bucket. Works while the server runs, and can be repeated.", Options: new(migrateCommand)},
		{Name: "doctor", Summary: "Check an installation and say what is wrong with it. Changes nothing without --repair.", Options: new(doctorCommand)},
		{Name: "health", Summary: "Ask the server of this machine whether it is well.", Options: new(healthCommand)},
		{Name: "version", Summary: "Print the version.", Options: new(versionCommand)},
	}}
}

// runner is what the options of every command are.
type runner interface{ Run(*terminal) error }

const description = `Almanac keeps the traces of LLM applications and answers questions about them. It speaks the Langfuse API: point an SDK at it and go.

Start with: almanac serve

Every option can also be given as an environment variable (--listen as ALMANAC_LISTEN) or in a file (almanac serve --config FILE).`

// terminal is where a command reads and writes.
type terminal struct {
	ctx            context.Context
	stdout, stderr io.Writer
	disk           disk.Disk
}

func (t *terminal) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t.stdout, format, args...) // nobody is left to tell if the terminal is gone
}

// Main runs the command that the arguments name and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return run(context.Background(), args, os.Getenv, stdout, stderr)
}

func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		_, _ = fmt.Fprintln(stderr, "almanac:", strings.TrimSpace(err.Error()))
		return code
	}
	misused := func(err error) int { return fail(exitUsage, fmt.Errorf("%w\nTry: almanac --help", err)) }
	resolver, err := config.NewResolver(getenv, config.File(args, getenv))
	if err != nil {
		return fail(exitFailure, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	program := newProgram()
	invocation, err := options.Parse(program, args, resolver.Lookup)
	if err != nil {
		return misused(err)
	}
	if invocation.Help {
		if err := invocation.WriteHelp(stdout, options.Columns(stdout, getenv)); err != nil {
			return fail(exitFailure, err)
		}
		return exitOK
	}
	known, err := program.All()
	if err != nil {
		return fail(exitFailure, err)
	}
	if err := resolver.Check(known); err != nil {
		return misused(err)
	}
	command, ok := invocation.Command().Options.(runner)
	if !ok {
		return fail(exitFailure, fmt.Errorf("the command %s cannot be run", invocation.Command().Name))
	}
	ctx = domain.WithOrigin(ctx, domain.Origin{Client: "almanac " + buildinfo.Version()})
	if err := command.Run(&terminal{ctx: ctx, stdout: stdout, stderr: stderr}); err != nil {
		return fail(exitFailure, err)
	}
	return exitOK
}
