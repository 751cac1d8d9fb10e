// Package faults breaks the real program in every way that its users may meet, while clients write to it, and then
// compares what it returns with a ledger of what it acknowledged. docs/reliability.md says what is promised.
//
//	go test ./test/faults                                     a few rounds of each fault, as in `make test`
//	make test-faults ARGS="-rounds 200 -only kill -seed 7"    as many as you like
package faults

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/test/harness"
)

var (
	rounds   = flag.Int("rounds", 0, "how many rounds each fault gets; 0 for a few")
	duration = flag.Duration("duration", 100*time.Second,
		"how long all rounds may take if -rounds is not given; each fault gets one at least")
	only = flag.String("only", "", "names of the faults to try, separated by commas; empty for all")
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "where chance begins; a failure prints its own")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	harness.Clean()
	os.Exit(code)
}

// fault is one way to break the server.
type fault struct {
	name  string
	does  string
	holds string // what must hold besides the ledger
	few   int    // rounds in the short form
	// round breaks the server of a world once and leaves it running and healthy. It returns its findings.
	round func(w *world) tally
	// prepare, if not nil, prepares the world of the rounds. By default it is an empty directory.
	prepare func(w *world)
	// alone means that each round gets its own world. Otherwise five rounds share one, so that there is something to
	// merge.
	alone bool
}

// faults returns the table of all faults.
func faults() []fault {
	return []fault{
		{
			name: "kill", few: 5, round: killRound,
			does:  "SIGKILL at a random instant under load, now and then again during the next start",
			holds: "a batch is whole or not there; the doctor agrees",
		},
		{
			name: "disk-low", few: 1, round: diskLowRound, prepare: onSmallDisk,
			does:  "less than 256 MB are left on the disk",
			holds: "events and media are refused with 503 and Retry-After; reads go on; with space writes go on without a restart",
		},
		{
			name: "disk-full", few: 2, round: diskFullRound, prepare: onSmallDisk,
			does:  "not a byte is left, all at once and under load: the log, flushes, merges and the catalog run into it",
			holds: "as above; nothing half written",
		},
		{
			name: "disk-full-start", few: 1, round: diskFullStartRound, prepare: onSmallDisk,
			does: "a killed server starts with next to no space", holds: "it serves reads, or ends and says why; with space it starts",
		},
		{
			name: "damage", few: 2, round: damageRound, alone: true,
			does:  "a flipped byte, a cut or a missing file, of every kind of file",
			holds: "an error that names the file, never a wrong answer; --repair brings indexes back",
		},
		{
			name: "freeze", few: 2, round: freezeRound,
			does: "SIGSTOP under load until clients give up, then SIGCONT", holds: "it goes on as if nothing had been",
		},
		{
			name: "cut", few: 1, round: cutRound,
			does:  "connections end in the middle of bodies and of answers",
			holds: "half a body is nothing; nothing is held for those who left",
		},
		{
			name: "descriptors", few: 2, round: descriptorsRound,
			does:  "no file descriptor is left, under load and with connections that wait",
			holds: "it survives, and goes on when there are some again",
		},
		{
			name: "hostile", few: 1, round: hostileRound,
			does:  "bombs, deep JSON, huge lengths, giant texts, bytes that are no UTF-8, valid bodies with flipped bits",
			holds: "each is answered, none with 500; memory is bounded",
		},
		{
			name: "clock", few: 1, round: jumpRound, prepare: onMovableClock,
			does:  "the clock jumps a day ahead, an hour back and ten years ahead, under load and across restarts",
			holds: "the last write of a record counts; nothing is deleted for its age",
		},
		{
			name: "crowd", few: 1, round: crowdRound,
			does: "2,000 connections that send a byte now and then or nothing", holds: "nobody else notices",
		},
	}
}

// result is a line of the table at the end.
type result struct {
	name string
	tally
	rounds, failed, refused int
}

// TestFaults runs every fault in rounds. The first violation of a fault ends its rounds.
func TestFaults(t *testing.T) {
	const roundsPerWorld = 5
	var results []result
	started := time.Now()
	table := chosen(t)
	for n, f := range table {
		// Each fault gets its share of the remaining time.
		limit := time.Since(started) + (*duration-time.Since(started))/time.Duration(len(table)-n)
		planned := f.few
		if *rounds > 0 {
			planned, limit = *rounds, 1<<62
		}
		r := result{name: f.name}
		for first := 0; first < planned && r.failed == 0; {
			count := min(roundsPerWorld, planned-first)
			if f.alone {
				count = 1
			}
			t.Run(fmt.Sprintf("%s/%d", f.name, first), func(t *testing.T) {
				w := newWorld(t, *seed+uint64(first))
				defer w.close()
				if f.prepare != nil {
					f.prepare(w)
				}
				w.begin()
				for round := first; round < first+count && r.failed == 0; round++ {
					if round > 0 && time.Since(started) > limit {
						first = planned
						return
					}
					r.run(t, w, f, round)
				}
			})
			first += count
		}
		results = append(results, r)
	}
	fmt.Printf("\n%-16s %7s %13s %8s %5s %8s %6s %7s\n", "fault", "rounds", "acknowledged", "refused", "lost", "doubled", "wrong", "failed")
	acknowledged := 0
	for _, r := range results {
		acknowledged += r.acknowledged
		fmt.Printf("%-16s %7d %13d %8d %5d %8d %6d %7d\n", r.name, r.rounds, r.acknowledged, r.refused, r.lost, r.doubled,
			r.wrong, r.failed)
	}
	fmt.Printf("counted: %d acknowledged writes\n", acknowledged) // for test/count
	fmt.Printf("\n%.0f s, seed %d\n", time.Since(started).Seconds(), *seed)
}

// run runs a round and prints its line.
func (r *result) run(t *testing.T, w *world, f fault, round int) {
	t.Helper()
	began, before, refusedBefore := time.Now(), w.ledger.promises(), w.ledger.refused
	found := f.round(w)
	w.calm()
	found.problems = append(found.problems, w.violations...)
	r.rounds++
	// The ledger continues from round to round: earlier records are not counted again.
	r.acknowledged += max(0, w.ledger.promises()-before)
	r.refused += w.ledger.refused - refusedBefore
	r.lost += found.lost
	r.doubled += found.doubled
	r.wrong += found.wrong
	fmt.Printf("%-16s round %3d: %6d records in the ledger, %4d writes refused, %d lost, %d doubled, %d wrong, %4.1f s\n",
		f.name, round+1, w.ledger.promises(), w.ledger.refused-refusedBefore, found.lost, found.doubled, found.wrong,
		time.Since(began).Seconds())
	if len(found.problems) > 0 {
		r.failed++
		t.Errorf("round %d of %q failed; try again with -only %s -rounds %d -seed %d\nwhat it does: %s\nwhat must hold: the ledger; %s\n%s",
			round+1, f.name, f.name, round+1, *seed, f.does, f.holds, strings.Join(found.problems, "\n"))
	}
}

// chosen returns the selected faults.
func chosen(t *testing.T) (table []fault) {
	t.Helper()
	names := strings.Split(*only, ",")
	for _, f := range faults() {
		for _, name := range names {
			if *only == "" || name == f.name {
				table = append(table, f)
				break
			}
		}
	}
	if len(table) == 0 {
		t.Fatalf("there is no fault %q", *only)
	}
	return table
}
