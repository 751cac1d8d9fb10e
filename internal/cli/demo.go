package cli

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/signal"
	"syscall"
	"time"

	"almanac/internal/config"
	"almanac/internal/demo"
)

type demoCommand struct {
	URL       string        `name:"url" help:"Address of the server. Default: http://127.0.0.1:3000." placeholder:"URL"`
	PublicKey string        `help:"Public key of the project to send traces to." placeholder:"KEY" also:"LANGFUSE_PUBLIC_KEY"`
	SecretKey config.Secret `help:"Its secret key." placeholder:"KEY" also:"LANGFUSE_SECRET_KEY"`
	Traces    int           `help:"Number of past traces to send." default:"200"`
	Days      int           `help:"Number of days to spread them over." default:"7"`
	End       *time.Time    `help:"End of the time range of past traces, such as 2026-11-16T15:00:00Z. Default: now. Its time zone determines when it is day and night." placeholder:"TIME"`
	Rate      float64       `help:"Then keep sending this many new traces per second, as live traffic." placeholder:"N"`
	Duration  time.Duration `help:"How long to keep sending, such as 10m. Default: until Ctrl-C." placeholder:"DURATION"`
	Seed      *uint64       `help:"Random seed. The same seed generates the same traces with the same ids, and at the same times if --end is the same. Default: random." placeholder:"N"`

	// Other names of the URL, as clients use them.
	BaseURL string `name:"base-url" hidden:"" help:"Same as --url." also:"LANGFUSE_BASE_URL"`
	Host    string `hidden:"" help:"Same as --url." also:"LANGFUSE_HOST"`
}

// Help returns the text shown below the options of the command.
func (*demoCommand) Help() string {
	return `The traces come from a fictional shop: a support agent that talks to customers over several turns and uses tools, a search over internal documents (embedding, retriever, generation), and a nightly job that summarises reviews. They have users, sessions, tags, versions, environments, prompts, models with usage and cost, guardrails, evaluators, warnings and errors, and scores from evaluators and customers.

The keys and the address are also read from the variables that SDKs use: LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, LANGFUSE_BASE_URL (or LANGFUSE_HOST).

A run with the seed of an earlier run replaces its traces instead of adding to them. Ctrl-C ends a run; traces already sent are kept.`
}

// Limits of the options. Beyond them it would no longer be a demonstration, and planning would take too much memory.
const (
	maxDemoTraces  = 1_000_000
	mostDemoDays   = 3650
	mostDemoRate   = 1000
	latestDemoYear = 2200
)

func (d *demoCommand) Run(t *terminal) error {
	if err := d.check(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	s := &demoSending{terminal: t, server: newRemoteServer(d.address(), d.PublicKey, d.SecretKey, time.Minute), lastSaid: time.Now()}
	defer s.server.http.CloseIdleConnections()
	project, err := s.project(ctx)
	if err != nil {
		return d.explain(err)
	}
	seed, end := d.seed(), time.Now()
	if d.End != nil {
		end = *d.End
	}
	s.workload = demo.New(demo.Options{Seed: seed, Traces: d.Traces, Days: d.Days, Now: end})
	err = s.past(ctx, d.Traces)
	if err == nil && d.Rate > 0 {
		err = s.live(ctx, d.Rate, d.Duration)
	}
	if err != nil && ctx.Err() == nil {
		return d.explain(err)
	}
	s.report(project, d.address(), seed)
	return nil
}

// check returns an error if an option is missing or out of range.
func (d *demoCommand) check() error {
	u, err := url.Parse(d.address())
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
		return fmt.Errorf("--url: %q is not the address of a server such as http://127.0.0.1:3000", d.address())
	case d.PublicKey == "" || d.SecretKey == "":
		return errors.New("a key pair is needed: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY, or --public-key and --secret-key. " +
			"The server prints a pair on its first start; almanac keys create creates another one")
	case d.Traces < 0 || d.Traces > maxDemoTraces:
		return fmt.Errorf("--traces %d: at most %d traces can be sent", d.Traces, maxDemoTraces)
	case d.Days < 1 || d.Days > mostDemoDays:
		return fmt.Errorf("--days %d: traces can be spread over 1 to %d days", d.Days, mostDemoDays)
	case d.End != nil && (d.End.AddDate(0, 0, -d.Days-1).Unix() < 0 || d.End.Year() > latestDemoYear):
		return fmt.Errorf("--end %s: the traces must be between 1970 and the year %d", d.End.Format(time.RFC3339), latestDemoYear)
	case !(d.Rate >= 0 && d.Rate <= mostDemoRate): // also refuses NaN
		return fmt.Errorf("--rate %v: at most %d traces per second can be sent", d.Rate, mostDemoRate)
	case d.Duration < 0:
		return fmt.Errorf("--duration %s is negative", d.Duration)
	case d.Duration > 0 && d.Rate == 0:
		return errors.New("--duration requires --rate")
	}
	return nil
}

// address returns the URL of the server, from the first option that is set.
func (d *demoCommand) address() string {
	for _, given := range []string{d.URL, d.BaseURL, d.Host} {
		if given != "" {
			return given
		}
	}
	return "http://127.0.0.1:3000"
}

// seed returns the given seed, or a new one that is short enough to type.
func (d *demoCommand) seed() uint64 {
	if d.Seed != nil {
		return *d.Seed
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return binary.BigEndian.Uint64(random[:])>>32 + 1
}

// explain adds to an error what the user can do about it.
func (d *demoCommand) explain(err error) error {
	var refused *refusedError
	switch {
	case errors.Is(err, errAway):
		return fmt.Errorf("no server is responding at %s (%w). Start a server with almanac serve, or set its address with --url",
			d.address(), err)
	case !errors.As(err, &refused):
		return err
	case refused.status == http.StatusUnauthorized:
		return fmt.Errorf("%w. Check the key pair of %s: almanac keys list shows the existing public keys, almanac keys create creates a "+
			"new pair", err, d.PublicKey)
	case refused.status == http.StatusForbidden:
		return fmt.Errorf("%w. The key %s must be a project key with the permissions traces:write and scores:write: almanac keys create "+
			"creates one", err, d.PublicKey)
	case refused.status == http.StatusNotFound:
		return fmt.Errorf("%w. Check that %s is the address of the server, including its base path, if any, and nothing else", err,
			d.address())
	}
	return err
}
