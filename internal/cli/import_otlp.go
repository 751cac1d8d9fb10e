package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"almanac/internal/config"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/query/prompts"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/otlpfiles"
)

type importOTLPCommand struct {
	Files   []string `arg:"" help:"Files to import."`
	Project string   `help:"Id of the project to import into. Optional if there is only one." placeholder:"ID"`

	URL       string        `name:"url" help:"Send the files to a running server at this address, instead of writing to its storage." placeholder:"URL"`
	PublicKey string        `help:"With --url: public key of the project to import into." placeholder:"KEY" also:"LANGFUSE_PUBLIC_KEY"`
	SecretKey config.Secret `help:"With --url: its secret key." placeholder:"KEY" also:"LANGFUSE_SECRET_KEY"`

	MaxMessage   config.Bytes `help:"Maximum size of a message, compressed or not; at most 128MB." default:"32MB" placeholder:"SIZE"`
	MaskingRules string       `help:"JSON file with rules that replace parts of input, output and metadata, as for almanac serve." placeholder:"FILE"`
	ExtractMedia bool         `help:"Extract base64 files from inputs, outputs and metadata and store them as media, as almanac serve does."`
	Restart      bool         `help:"Start over, even if an earlier import was interrupted."`

	config.Storage `embed:""`
}

// Help returns the text shown below the options of the command.
func (*importOTLPCommand) Help() string {
	return `Imports traces from files written by the file exporter of the OpenTelemetry Collector: JSON, one message per line, or length-prefixed protobuf; compressed with zstd as the Collector does it, or with gzip. The format is detected from the content. Spans are processed as if they had been sent to the server.

Into the storage of a server, which must be stopped unless it uses ClickHouse and PostgreSQL:
  almanac import otlp --project my-project traces.json traces-2026-11-16T05-02-14.173.json
Into a running server, with the keys of a project. A server that is being restarted is waited for:
  almanac import otlp --url https://almanac.example.org --public-key pk-lf-… --secret-key sk-lf-… traces.json

An interrupted import is resumed by running the same command again, which with --url sends the files from the beginning. An import can be repeated: spans are not imported twice.`
}

func (o *importOTLPCommand) Run(t *terminal) (err error) {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if o.MaxMessage <= 0 || o.MaxMessage > otlpfiles.MostMessage {
		return errors.New("--max-message must be between 1 byte and 128MB")
	}
	if o.URL != "" {
		return o.toServer(ctx, t)
	}
	masks, err := ingest.LoadMasks(o.MaskingRules)
	if err != nil {
		return err
	}
	into, err := t.openInstallation(ctx, o.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, into.close()) }()
	project, err := into.projectFor(ctx, t, o.Project)
	if err != nil {
		return err
	}
	scope := domain.OfProject(project)
	source, err := o.source(t, into, scope, masks)
	if err != nil {
		return err
	}
	return t.runImport(ctx, &importing.Import{
		Source: source, Into: project, Restart: o.Restart,
		Target: into.target(func(string) (domain.ProjectScope, error) { return scope, nil }),
	})
}

func (o *importOTLPCommand) source(
	t *terminal, into *installation, scope domain.ProjectScope, masks *ingest.Masks,
) (*otlpfiles.Source, error) {
	prices, err := pricing.Default()
	if err != nil {
		return nil, fmt.Errorf("cannot read the price list: %w", err)
	}
	// Messages are processed one at a time, so none waits for memory held by others.
	const times, least = 8, 256 << 20
	log := slog.New(slog.NewTextHandler(t.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	options := ingest.Options{
		Prices: pricing.NewLists(prices, into.catalog), Prompts: prompts.New(into.catalog, prompts.CacheBytes, log), Masks: masks,
		Limits: otlp.DefaultLimits(), MaxExport: int64(o.MaxMessage), Memory: max(least, times*int64(o.MaxMessage)),
		Wait: time.Second, Log: log,
	}
	if o.ExtractMedia {
		options.Media = into.media
	}
	return otlpfiles.Open(o.Files, scope, options)
}
