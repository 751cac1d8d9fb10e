package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"almanac/internal/config"
	"almanac/internal/server"
)

type serveCommand struct {
	config.Serve `embed:""`
}

// Help returns the text shown below the options of the command.
func (*serveCommand) Help() string {
	return `On an empty data directory, the first start creates an organization, a project and a key pair, and prints them once. To choose them yourself, or for an unattended start, set the --init options.

SIGTERM and SIGINT stop the server: requests in flight finish, everything is written to disk, and it exits with 0. A second signal stops it immediately.`
}

func (c *serveCommand) Run(t *terminal) error {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // from here on signals have their default effect
	}()
	log, err := newLogger(t.stderr, c.LogLevel, c.LogFormat)
	if err != nil {
		return err
	}
	return server.Run(ctx, c.Serve, t.stdout, log)
}

func newLogger(w io.Writer, level, format string) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		options.ReplaceAttr = inMilliseconds
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

// inMilliseconds adds the unit to the key of a duration, which is a bare number in JSON: took becomes took_ms.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key+"_ms", float64(a.Value.Duration())/float64(time.Millisecond))
	}
	return a
}
