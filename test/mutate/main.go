// Command mutate measures how much the tests notice. It makes one small random change to the program at a time, runs
// the tests of the package, and reports the changes that no test notices.
//
//	go run ./test/mutate [-n 100] [-seed 1] [-jobs 2] [-v] [-match TEXT] [-reach DIR] [-equivalent FILE] [PACKAGE ...]
//
// Sources are not modified: a change is an overlay of one file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // nothing is left to be stopped
	}
}

// api has the packages with scenarios of the API.
var api = []string{
	"internal/httpapi/events", "internal/httpapi/traces", "internal/httpapi/scores", "internal/httpapi/datasets", "internal/httpapi/prompts",
	"internal/httpapi/media", "internal/httpapi/settings", "internal/httpapi/dashboards", "internal/httpapi/evaluators",
	"internal/httpapi/ui", "internal/httpapi/people", "internal/httpapi/admin", "internal/httpapi",
}

// targets are the packages whose tests are measured, with further packages whose tests cover them. The tests of the
// package itself run first, since they are the quickest to notice.
var targets = []target{
	{dir: "internal/access/auth", also: []string{"internal/httpapi", "internal/httpapi/admin"}},
	{dir: "internal/catalog", also: api},
	{dir: "internal/catalog/media", also: []string{"internal/catalog", "internal/httpapi/media", "internal/httpapi/datasets"}},
	{dir: "internal/catalog/exports", also: []string{"internal/catalog", "internal/httpapi/ui", "internal/httpapi/settings"}},
	{dir: "internal/catalog/people", also: []string{"internal/catalog", "internal/httpapi/people", "internal/httpapi/admin"}},
	{dir: "internal/catalog/prompts", also: []string{"internal/catalog", "internal/httpapi/prompts"}},
	{dir: "internal/catalog/tables", also: []string{"internal/catalog"}},
	{dir: "internal/catalog/tenants", also: []string{"internal/catalog", "internal/httpapi/admin", "internal/httpapi/people"}},
	{dir: "internal/decode", also: api},
	{dir: "internal/filter"},
	{dir: "internal/httpapi", also: api[:len(api)-1]},
	{dir: "internal/ingest"},
	{dir: "internal/query/analytics", also: []string{"internal/httpapi/traces", "internal/httpapi/dashboards", "internal/httpapi/ui"}},
	{dir: "internal/ingest/otlp"},
	{dir: "internal/ingest/pricing"},
	{dir: "internal/query/prompts", also: []string{"internal/httpapi/prompts"}},
	{dir: "internal/retention"},
	{dir: "internal/ingest/scores", also: []string{"internal/httpapi/scores", "internal/httpapi/events"}},
	{dir: "internal/ingest/semconv"},
	{dir: "internal/store/segment"},
}

type target struct {
	dir  string
	also []string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	n := flags.Int("n", 100, "how many changes to try")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()), "what the changes are chosen by; the same one chooses the same changes")
	jobs := flags.Int("jobs", 2, "how many to try at once")
	verbose := flags.Bool("v", false, "print the changes that are noticed, too, and by which test")
	match := flags.String("match", "", "try only changes whose file, kind or line has this text, to see whether a new test notices one")
	kept := flags.String("reach", "", "a directory that keeps which tests reach what for further runs")
	list := flags.String("equivalent", "test/mutate/equivalent.txt", "a file of changes that change nothing, each with its reason")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := chooseTargets(flags.Args())
	if err != nil {
		return err
	}
	equivalent, err := readEquivalent(*list)
	if err != nil {
		return err
	}
	var pools [][]mutant
	for _, t := range chosen {
		found, err := mutantsOf(t)
		if err != nil {
			return err
		}
		pools = append(pools, slices.DeleteFunc(found, func(m mutant) bool { return !strings.Contains(m.key(), *match) }))
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.Chmod(work, 0o711); err != nil { //nolint:gosec // PostgreSQL runs below it, as another user
		return err
	}
	_, _ = fmt.Fprintf(out, "seed %d, %d changes in %d packages\n", *seed, *n, len(chosen))

	trial := &trial{
		work: work, reach: &reach{
			work: work, kept: *kept, out: out, targets: slices.Concat(targets, chosen), profiles: map[string]*profile{},
		},
	}
	tally := newTally(out, *verbose)
	next := picker(pools, rand.New(rand.NewPCG(*seed, 0))) //nolint:gosec // to be repeatable
	var (
		lock sync.Mutex // guards next
		wait sync.WaitGroup
	)
	for range *jobs {
		wait.Go(func() {
			for ctx.Err() == nil && tally.begin(*n) {
				lock.Lock()
				m, ok := next()
				lock.Unlock()
				if !ok {
					tally.abandon()
					return
				}
				if equivalent[m.key()] {
					tally.end(m, judged, "", nil)
					continue
				}
				o, noticed, err := trial.run(ctx, m)
				if ctx.Err() != nil {
					tally.abandon()
					return
				}
				tally.end(m, o, noticed, err)
			}
		})
	}
	wait.Wait()
	return errors.Join(tally.report(), ctx.Err())
}

// chooseTargets returns the targets of some directories, or all.
func chooseTargets(dirs []string) ([]target, error) {
	if len(dirs) == 0 {
		return targets, nil
	}
	var chosen []target
	for _, dir := range dirs {
		dir = path.Clean(strings.TrimPrefix(dir, "./"))
		found := target{dir: dir}
		for _, t := range targets {
			if t.dir == dir {
				found = t
			}
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("%s is not a package here: run this in the root of the repository: %w", dir, err)
		}
		chosen = append(chosen, found)
	}
	return chosen, nil
}

// picker returns a function that picks mutants without repetition. It cycles through the packages, so that a small one
// counts as much as a large one.
func picker(pools [][]mutant, random *rand.Rand) func() (mutant, bool) {
	for _, pool := range pools {
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	}
	turn := 0
	return func() (mutant, bool) {
		for range pools {
			i := turn % len(pools)
			turn++
			if len(pools[i]) > 0 {
				m := pools[i][0]
				pools[i] = pools[i][1:]
				return m, true
			}
		}
		return mutant{}, false
	}
}
