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

// tally counts what became of mutants. It is safe for concurrent use.
type tally struct {
	out        io.Writer
	equivalent map[string]bool

	lock      sync.Mutex
	running   int
	tried     int
	byPackage map[string]*[2]int // killed, tried
	survivors []mutant
	failures  []error
}

func newTally(out io.Writer, equivalent map[string]bool) *tally {
	return &tally{out: out, equivalent: equivalent, byPackage: map[string]*[2]int{}}
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

// abandon takes back a begin.
func (t *tally) abandon() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.running--
}

// end notes an outcome and prints what survived.
func (t *tally) end(m mutant, o outcome, err error) {
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
	t.tried++
	count := t.byPackage[m.target.dir]
	if count == nil {
		count = new([2]int)
		t.byPackage[m.target.dir] = count
	}
	count[1]++
	if o == killed {
		count[0]++
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
	_, _ = fmt.Fprintf(t.out, "\n%-28s %8s %8s\n", "package", "noticed", "of")
	for _, name := range slices.Sorted(maps.Keys(t.byPackage)) {
		count := t.byPackage[name]
		_, _ = fmt.Fprintf(t.out, "%-28s %8d %8d\n", name, count[0], count[1])
	}
	noticed := t.tried - len(t.survivors)
	_, _ = fmt.Fprintf(t.out, "%-28s %8d %8d   %.1f %%\n", "all", noticed, t.tried, 100*float64(noticed)/float64(t.tried))
	return nil
}

// readEquivalent reads the changes that were judged to change nothing: a line for each as mutant.key writes it, after a line with the
// reason that begins with #.
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
