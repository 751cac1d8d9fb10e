package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// reach knows which tests reach which statements: only those can notice a change there. It runs each test of a package by itself once,
// when it is first asked, which also shows that all of them pass without a change.
type reach struct {
	work    string
	targets []target

	lock     sync.Mutex
	profiles map[string]*profile // by directory of tests
}

// profile is what the tests of one package reach.
type profile struct {
	tests  map[string]time.Duration // how long each takes
	blocks map[string][]block       // by file, from the root of the repository
}

// block is a run of statements and the tests that reach it.
type block struct {
	from, to position
	tests    []string
}

type position struct{ line, column int }

func (p position) before(other position) bool {
	return p.line < other.line || p.line == other.line && p.column < other.column
}

// of returns the profile of the tests in a directory.
func (r *reach) of(ctx context.Context, dir string) (*profile, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if p := r.profiles[dir]; p != nil {
		return p, nil
	}
	p, err := r.measure(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("which tests of %s reach what: %w", dir, err)
	}
	r.profiles[dir] = p
	return p, nil
}

// measure runs every test of a package by itself and notes what it reaches of the packages that are changed.
func (r *reach) measure(ctx context.Context, dir string) (*profile, error) {
	work, err := os.MkdirTemp(r.work, "reach")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	binary := filepath.Join(work, "tests")
	command := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-covermode=set", "-coverpkg="+r.changedBy(dir), "-o", binary, "./"+dir) //nolint:gosec // the arguments are ours
	if printed, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, printed)
	}
	inside := func(args ...string) ([]byte, error) {
		command := exec.CommandContext(ctx, binary, args...) //nolint:gosec // just built
		command.Dir, command.Env, command.WaitDelay = dir, append(os.Environ(), "TMPDIR="+work), time.Second
		return command.CombinedOutput()
	}
	listed, err := inside("-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, listed)
	}
	p := &profile{tests: map[string]time.Duration{}, blocks: map[string][]block{}}
	for name := range strings.FieldsSeq(string(listed)) {
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") && !strings.HasPrefix(name, "Example") {
			continue
		}
		start := time.Now()
		cover := filepath.Join(work, "cover")
		if printed, err := inside("-test.short", "-test.run", "^"+name+"$", "-test.coverprofile", cover); err != nil {
			return nil, fmt.Errorf("%s fails without a change: %w: %s", name, err, printed)
		}
		p.tests[name] = time.Since(start)
		if err := p.read(cover, name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// changedBy returns the packages that the tests of a directory hold to account, separated by commas.
func (r *reach) changedBy(dir string) string {
	var packages []string
	for _, t := range r.targets {
		for _, tests := range append([]string{t.dir}, t.also...) {
			if tests == dir {
				packages = append(packages, "./"+t.dir)
			}
		}
	}
	return strings.Join(packages, ",")
}

// coverLine is what a profile of coverage says about one block: almanac/internal/auth/auth.go:12.30,14.2 1 1.
var coverLine = regexp.MustCompile(`^[^/]+/(.+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// read adds what one test reached.
func (p *profile) read(name, test string) error {
	file, err := os.Open(name) //nolint:gosec // a file of ours
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	place := map[string]int{} // of blocks, by text
	for name, blocks := range p.blocks {
		for i, b := range blocks {
			place[fmt.Sprint(name, b.from, b.to)] = i
		}
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		parts := coverLine.FindStringSubmatch(lines.Text())
		if parts == nil {
			continue // the first line
		}
		var numbers [5]int
		for i := range numbers {
			if numbers[i], err = strconv.Atoi(parts[i+2]); err != nil {
				return err
			}
		}
		b := block{from: position{numbers[0], numbers[1]}, to: position{numbers[2], numbers[3]}}
		key := fmt.Sprint(parts[1], b.from, b.to)
		if _, ok := place[key]; !ok {
			place[key] = len(p.blocks[parts[1]])
			p.blocks[parts[1]] = append(p.blocks[parts[1]], b)
		}
		if numbers[4] > 0 {
			known := &p.blocks[parts[1]][place[key]]
			known.tests = append(known.tests, test)
		}
	}
	return lines.Err()
}

// choose returns the tests that can notice a change, as a pattern, and how long they take together. The pattern is empty for all tests:
// those of most of a package run as a whole, so that what it checks at the end counts, too.
func (p *profile) choose(m mutant) (pattern string, takes time.Duration, reached bool) {
	chosen := map[string]bool{}
	add := func(wanted func(b block) bool) (found bool) {
		for _, b := range p.blocks[m.file] {
			if wanted(b) {
				found = true
				for _, test := range b.tests {
					chosen[test] = true
				}
			}
		}
		return found
	}
	inBlock := add(func(b block) bool { return !m.at.before(b.from) && m.at.before(b.to) })
	if !inBlock && m.function.from.line > 0 { // the condition of a case, say
		inBlock = add(func(b block) bool { return !b.from.before(m.function.from) && !m.function.to.before(b.to) })
	}
	for test, duration := range p.tests {
		if chosen[test] || !inBlock {
			takes += duration
		}
	}
	switch {
	case !inBlock || 2*len(chosen) > len(p.tests):
		return "", takes, true
	case len(chosen) == 0:
		return "", 0, false
	}
	names := make([]string, 0, len(chosen))
	for test := range chosen {
		names = append(names, test)
	}
	return "^(" + strings.Join(names, "|") + ")$", takes, true
}
