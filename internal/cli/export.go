package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/store/eventdir"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/export"
)

type exportCommand struct {
	Table       string     `arg:"" help:"What to export: ${enum}." enum:"observations,traces,sessions,users,scores,dataset_items,dataset_run_items,audit_logs"`
	Format      string     `help:"Format of the file: ${enum}." enum:"csv,json,jsonl,parquet" default:"jsonl" placeholder:"FORMAT"`
	Output      string     `help:"File to write. Default: standard output." short:"o" placeholder:"FILE"`
	Gzip        bool       `help:"Compress the file with gzip. Default: if its name ends in .gz. Not for parquet, which is compressed already."`
	From        *time.Time `help:"Only rows that started at this time or later, such as 2026-11-01T00:00:00Z." placeholder:"TIME"`
	To          *time.Time `help:"Only rows that started before this time." placeholder:"TIME"`
	Environment nameList   `help:"Only rows from these environments." placeholder:"NAME"`
	Filter      string     `help:"Conditions as JSON, as in the filter parameter of the API." placeholder:"JSON"`
	Search      string     `help:"Only observations with these words in input, output, name or metadata." placeholder:"WORDS"`
	Dataset     string     `help:"Only items of this dataset." placeholder:"NAME"`

	URL       string        `name:"url" help:"Address of the server." placeholder:"URL" also:"LANGFUSE_BASE_URL"`
	PublicKey string        `help:"Public key of the project." placeholder:"KEY" also:"LANGFUSE_PUBLIC_KEY"`
	SecretKey config.Secret `help:"Its secret key." placeholder:"KEY" also:"LANGFUSE_SECRET_KEY"`

	Data    string `help:"Export from the data directory of a stopped server, or from a backup, instead of from a running server." placeholder:"DIR"`
	Project string `help:"With --data: id of the project. Optional if there is only one." placeholder:"ID"`
}

// Help returns the text shown below the options of the command.
func (*exportCommand) Help() string {
	return `Exports a table of a project, newest rows first, with no limit on their number. The export contains the rows that exist when it starts. Progress is printed to standard error.

From a server, with the keys of the project:
  almanac export observations --format csv -o observations.csv --url https://almanac.example.org --public-key pk-lf-… --secret-key sk-lf-…
  almanac export scores --from 2026-11-01T00:00:00Z > scores.jsonl        (address and keys from LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY)
  almanac export observations --format csv -o observations.csv.gz         (compressed with gzip, because of its name)
  almanac export traces --format parquet -o errors.parquet --filter '[{"type":"string","column":"level","operator":"=","value":"ERROR"}]'

From the data directory of a stopped server or from a backup, which also allows exporting the audit log. Neither is changed, and a backup may be of any earlier version:
  almanac export observations --data ./almanac-data --project my-project -o all.jsonl`
}

func (e *exportCommand) Run(t *terminal) (err error) {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if e.Filter != "" && !json.Valid([]byte(e.Filter)) {
		return errors.New("--filter is not valid JSON: put it in single quotes")
	}
	if e.Gzip = e.Gzip || strings.HasSuffix(e.Output, ".gz"); e.Gzip && e.Format == export.Parquet {
		return errors.New("parquet files are compressed already: omit --gzip, and name the file .parquet")
	}
	out, finish, err := e.open(t)
	if err != nil {
		return err
	}
	defer func() { err = finish(err) }()
	if e.Data != "" {
		return e.fromDirectory(ctx, t, out)
	}
	if e.PublicKey == "" || e.SecretKey == "" {
		return errors.New("nothing to export from: set --data to the data directory of a stopped server, or set --url, --public-key and " +
			"--secret-key of a running one")
	}
	return e.fromServer(ctx, t, out)
}

// open opens the output. A file is written under another name beside it, and replaces an existing one only when it is
// complete. Call finish with the result of the export.
func (e *exportCommand) open(t *terminal) (out io.Writer, finish func(error) error, err error) {
	if e.Output == "" || e.Output == "-" {
		return t.stdout, func(err error) error { return err }, nil
	}
	if info, err := os.Stat(e.Output); err == nil && !info.Mode().IsRegular() { // a pipe or a device
		file, err := t.disk.OpenFile(e.Output, os.O_WRONLY)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot write the file: %w", err)
		}
		return file, func(err error) error { return errors.Join(err, file.Close()) }, nil
	}
	file, err := t.disk.CreateTemp(filepath.Dir(e.Output), "."+filepath.Base(e.Output)+".")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write the file: %w", err)
	}
	return file, func(err error) error {
		if err = errors.Join(err, file.Close()); err == nil {
			err = t.disk.Rename(file.Name(), e.Output)
		}
		if err != nil {
			return errors.Join(err, t.disk.Remove(file.Name()))
		}
		return nil
	}, nil
}

// fromDirectory exports from a data directory, which it locks meanwhile, or from a backup.
func (e *exportCommand) fromDirectory(ctx context.Context, t *terminal, out io.Writer) (err error) {
	storage := config.Storage{Data: e.Data}
	if _, err := os.Stat(e.Data); err != nil {
		return fmt.Errorf("cannot find the data directory: %w", err)
	}
	if !datadir.IsBackup(e.Data) {
		directory, err := datadir.Open(e.Data)
		if err != nil {
			return fmt.Errorf("%w: stop the server, or export from it with --url", err)
		}
		defer func() { err = errors.Join(err, directory.Close()) }()
	}
	scratch, err := os.MkdirTemp("", "almanac-export-") //nolint:forbidigo // nothing in it is kept
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	c, err := readCatalog(ctx, t, storage, scratch)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	project, err := oneProject(ctx, c, e.Project)
	if err != nil {
		return err
	}
	events, err := eventdir.OpenReadOnly(ctx, c, storage, scratch, segment.Options{})
	if err != nil {
		return fmt.Errorf("cannot open the event store: %w", err)
	}
	defer func() { err = errors.Join(err, events.Close()) }()
	request := &export.Request{
		Table: e.Table, Format: e.Format, Compressed: e.Gzip, DatasetName: e.Dataset,
		Choice: explore.Choice{Filter: json.RawMessage(e.Filter), Environments: e.Environment, Search: e.Search},
	}
	if e.From != nil {
		request.From = domain.MicrosOf(*e.From)
	}
	if e.To != nil {
		request.To = domain.MicrosOf(*e.To)
	}
	request.Include(func(domain.Permission) bool { return true })
	if err := request.Check("--filter"); err != nil {
		return fmt.Errorf("--filter: %w", err)
	}
	reader := &export.Reader{Catalog: c, Store: events, Scope: domain.OfProject(project.ID)}
	table, err := reader.Open(ctx, request)
	if err != nil {
		return err
	}
	w, err := export.NewFileWriter(request, out, table.Columns)
	if err != nil {
		return err
	}
	say := t.exportProgress()
	written := int64(0)
	if err := table.Write(ctx, w, func(rows int64) {
		written = rows
		say(rows, table.Total)
	}); err != nil {
		return err
	}
	t.say("Exported %d rows.", written)
	return nil
}

// readCatalog opens a catalog of the current version. A backup is not upgraded: a copy in scratch is, if necessary.
func readCatalog(ctx context.Context, t *terminal, s config.Storage, scratch string) (*catalog.Catalog, error) {
	if !datadir.IsBackup(s.Data) {
		return openCatalog(ctx, s)
	}
	c, earlier, err := openCatalogAsIs(ctx, s)
	if err != nil || !earlier {
		return c, err
	}
	upgraded := datadir.CatalogFile(scratch)
	if err := errors.Join(c.Backup(ctx, t.disk, upgraded), c.Close()); err != nil {
		return nil, err
	}
	return catalog.Open(ctx, upgraded)
}

// exportProgress returns a function that reports the number of rows written so far, at most once per second.
func (t *terminal) exportProgress() func(rows int64, total *int64) {
	last := time.Now()
	return func(rows int64, total *int64) {
		if now := time.Now(); rows%100 == 0 && now.Sub(last) >= time.Second {
			last = now
			if total == nil {
				t.say("%d rows", rows)
			} else {
				t.say("%d of %d rows", rows, *total)
			}
		}
	}
}

// address returns the URL of the server.
func (e *exportCommand) address() string { return cmp.Or(e.URL, "http://127.0.0.1:3000") }
