// Package cli implements the command line.
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
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// program lists the commands. The fields of each are its options, and its Run method does the work.
type program struct {
	Serve serveCommand `cmd:"" help:"Run the server."`
	Keys  struct {
		Create createKeyCommand `cmd:"" help:"Create a key pair and print it."`
		List   listKeysCommand  `cmd:"" help:"List all keys. Secrets are not stored and cannot be shown."`
		Revoke revokeKeyCommand `cmd:"" help:"Delete a key. A running server rejects it within seconds."`
	} `cmd:"" help:"Create, list and revoke API keys. Works while the server runs."`
	Organizations struct {
		List   listOrganizationsCommand  `cmd:"" help:"List all organizations."`
		Create createOrganizationCommand `cmd:"" help:"Create an organization and print its id."`
	} `cmd:"" help:"List and create organizations. Works while the server runs."`
	Projects struct {
		List   listProjectsCommand  `cmd:"" help:"List all projects."`
		Create createProjectCommand `cmd:"" help:"Create a project and print its id."`
	} `cmd:"" help:"List and create projects. Works while the server runs."`
	Users struct {
		Create      createUserCommand  `cmd:"" help:"Create a user with a password."`
		List        listUsersCommand   `cmd:"" help:"List all users."`
		SetPassword setPasswordCommand `cmd:"" help:"Set the password of a user and end all sessions."`
		Disable     disableUserCommand `cmd:"" help:"Prevent a user from signing in, and end all sessions."`
		Enable      enableUserCommand  `cmd:"" help:"Let a disabled user sign in again."`
		Unlink      unlinkUserCommand  `cmd:"" help:"Remove a user's links to identity providers, and end all sessions. The next person who signs in there with the user's email address is linked to the user."`
		SignOut     signOutUserCommand `cmd:"" help:"End all sessions of a user. A running server notices within seconds."`
	} `cmd:"" help:"Create and manage users. Works while the server runs."`
	Export exportCommand `cmd:"" help:"Export data of a project to a file: from a running server, or from the data directory of a stopped one."`
	Import struct {
		Langfuse importLangfuseCommand `cmd:"" help:"Import projects from Langfuse 3 or 4: from its API, its databases, or its export files."`
		Export   importExportCommand   `cmd:"" help:"Import files exported by Almanac."`
		OTLP     importOTLPCommand     `cmd:"" name:"otlp" help:"Import traces from files written by the OpenTelemetry Collector."`
	} `cmd:"" help:"Import data from another installation. Works while the server runs."`
	Prompts struct {
		Pull pullPromptsCommand `cmd:"" help:"Write the prompts of a project to files."`
		Push pushPromptsCommand `cmd:"" help:"Create new versions of the prompts whose files have changed."`
	} `cmd:"" help:"Keep prompts in files, such as in a repository."`
	Jobs struct {
		List   listJobsCommand  `cmd:"" help:"List background jobs: what runs, what is queued, what failed and what is due later."`
		Cancel cancelJobCommand `cmd:"" help:"Cancel a job that runs or is queued."`
		Retry  retryJobCommand  `cmd:"" help:"Run a job again that failed or was cancelled, or now instead of later."`
	} `cmd:"" help:"List, cancel and retry background jobs: exports, scheduled exports and retention. Works while the server runs."`
	Audit      auditCommand      `cmd:"" help:"Show who changed what, when and from where. Works while the server runs."`
	Demo       demoCommand       `cmd:"" help:"Send sample traces to a running server."`
	Backup     backupCommand     `cmd:"" help:"Copy all data into a new directory. Works while the server runs."`
	Restore    restoreCommand    `cmd:"" help:"Restore a backup into an empty data directory and verify it."`
	Migrate    migrateCommand    `cmd:"" help:"Copy an installation to ClickHouse, PostgreSQL and a bucket. Works while the server runs, and can be run again."`
	Doctor     doctorCommand     `cmd:"" help:"Check an installation and report problems. Changes nothing without --repair."`
	Health     healthCommand     `cmd:"" help:"Check the health of the local server."`
	Completion completionCommand `cmd:"" help:"Print a shell completion script."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
}

const description = `Almanac stores the traces of LLM applications and answers questions about them. It implements the Langfuse API: point an SDK at it and go.

Start with: almanac serve

Every option can also be given as an environment variable (--listen as ALMANAC_LISTEN) or in a file (almanac serve --config FILE).`

// terminal holds the streams and the disk that a command uses.
type terminal struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	disk           disk.Disk
}

func (t *terminal) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t.stdout, format, args...) // nobody to tell if the terminal is gone
}

// Main runs the command named by the arguments and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return run(context.Background(), args, os.Getenv, stdout, stderr)
}

func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		_, _ = fmt.Fprintln(stderr, "almanac:", strings.TrimSpace(err.Error()))
		return code
	}
	resolver, err := config.NewResolver(getenv, config.File(args, getenv))
	if err != nil {
		return fail(exitFailure, err)
	}
	p, err := newParser(resolver, stdout, stderr)
	if err != nil {
		return fail(exitFailure, err)
	}
	if len(args) > 0 && args[0] == completeWord {
		_, _ = fmt.Fprint(stdout, p.complete(args[1:])) // nobody to tell if the shell is gone
		return exitOK
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := p.Parse(args)
	switch {
	case p.helped:
		return exitOK
	case err != nil:
		return fail(exitUsage, fmt.Errorf("%w\nTry: almanac %s", err, p.helpFor(args)))
	}
	ctx = domain.WithOrigin(ctx, domain.Origin{Client: "almanac " + buildinfo.Version()})
	if err := command.Run(&terminal{ctx: ctx, stdin: os.Stdin, stdout: stdout, stderr: stderr}); err != nil {
		return fail(exitFailure, err)
	}
	return exitOK
}
