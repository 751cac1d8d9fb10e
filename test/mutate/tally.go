package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// tally counts the outcomes of mutants. It is safe for concurrent use.
type tally struct {
	out     io.Writer
	verbose bool

	lock      sync.Mutex
	running   int
	tried     int
	byPackage map[string]*counts
	survivors []mutant
	failures  []error
}

type counts struct{ noticed, tried, equivalent int }

func newTally(out io.Writer, verbose bool) *tally {
	return &tally{out: out, verbose: verbose, byPackage: map[string]*counts{}}
}

// begin reports whether another mutant should be tried to reach n.
func (t *tally) begin(n int) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.tried+t.running >= n || len(t.failures) > 0 {
		return false
	}
	t.running++
	return true
}

// abandon undoes a begin.
func (t *tally) abandon() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.running--
}

// end records an outcome and what noticed it, and prints mutants that survived.
func (t *tally) end(m mutant, o outcome, noticed string, err error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.running--
	if err != nil {
		t.failures = append(t.failures, err)
		return
	}
	if o == unbuildable {
		return
	}
	count := t.byPackage[m.target.dir]
	if count == nil {
		count = new(counts)
		t.byPackage[m.target.dir] = count
	}
	if o == judged {
		count.equivalent++
		return
	}
	t.tried++
	count.tried++
	if o == killed {
		count.noticed++
		if t.verbose {
			_, _ = fmt.Fprintf(t.out, "noticed by %s: %s\n", noticed, m)
		}
		return
	}
	t.survivors = append(t.survivors, m)
	_, _ = fmt.Fprintf(t.out, "not noticed: %s\n", m)
}

// report prints the result.
func (t *tally) report() error {
	if len(t.failures) > 0 {
		return errors.Join(t.failures...)
	}
	if t.tried == 0 {
		return errors.New("no change was tried")
	}
	_, _ = fmt.Fprintf(t.out, "\n%-28s %8s %8s %12s\n", "package", "noticed", "of", "equivalent")
	equivalent := 0
	for _, name := range slices.Sorted(maps.Keys(t.byPackage)) {
		count := t.byPackage[name]
		_, _ = fmt.Fprintf(t.out, "%-28s %8d %8d %12d\n", name, count.noticed, count.tried, count.equivalent)
		equivalent += count.equivalent
	}
	noticed := t.tried - len(t.survivors)
	_, _ = fmt.Fprintf(t.out, "%-28s %8d %8d %12d   %.1f %%\n", "all", noticed, t.tried, equivalent, 100*float64(noticed)/float64(t.tried))
	return nil
}

// readEquivalent reads the changes that were judged to change nothing: one line each in the form of mutant.key, after a
// line with the reason that begins with #.
func readEquivalent(name string) (map[string]bool, error) {
	file, err := os.Open(name) //nolint:gosec // whoever runs this names it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	keys, reason := map[string]bool{}, false
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		switch line := strings.TrimSpace(lines.Text()); {
		case line == "":
			reason = false
		case strings.HasPrefix(line, "#"):
			reason = true
		case !reason:
			return nil, fmt.Errorf("%s: no reason is given for %q", name, line)
		default:
			keys[line] = true
		}
	}
	return keys, lines.Err()
}
