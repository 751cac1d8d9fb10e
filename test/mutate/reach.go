package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// reach knows which tests reach which statements: only those can notice a change there. On first use it runs each test
// of a package on its own, which also shows that they pass without a change. That takes minutes for a large package, so
// the result can be saved for other runs.
type reach struct {
	work    string
	kept    string // a directory, or empty
	out     io.Writer
	targets []target

	lock     sync.Mutex
	profiles map[string]*profile // by directory of tests
}

// profile is what the tests of one package reach.
type profile struct {
	Tests  map[string]time.Duration // how long each takes
	Blocks map[string][]block       // by file, from the root of the repository
	Sums   map[string]string        // hashes of the files
	// Together are tests that fail when run on their own.
	Together map[string]bool
}

// block is a sequence of statements and the tests that reach it.
type block struct {
	From, To position
	Tests    []string
}

type position struct{ Line, Column int }

func (p position) before(other position) bool {
	return p.Line < other.Line || p.Line == other.Line && p.Column < other.Column
}

// of returns the profile of the tests in a directory.
func (r *reach) of(ctx context.Context, dir string) (*profile, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if p := r.profiles[dir]; p != nil {
		return p, nil
	}
	kept := ""
	if r.kept != "" {
		kept = filepath.Join(r.kept, strings.ReplaceAll(dir, "/", "-")+".json")
	}
	p, err := readProfile(kept)
	if errors.Is(err, fs.ErrNotExist) {
		if p, err = r.measure(ctx, dir); err == nil {
			err = p.keep(kept)
		}
	}
	if err == nil {
		err = p.update(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("which tests of %s reach what: %w", dir, err)
	}
	r.profiles[dir] = p
	return p, nil
}

func readProfile(name string) (*profile, error) {
	text, err := os.ReadFile(name) //nolint:gosec // whoever runs this names it
	if err != nil {
		return nil, err
	}
	p := new(profile)
	return p, json.Unmarshal(text, p)
}

// keep writes the profile to a file, unless the name is empty.
func (p *profile) keep(name string) error {
	if name == "" {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)\(\w+ \*testing\.[TF]\)`)

// update brings a saved profile up to date: nothing is known about files that have changed, and new tests may reach
// anything.
func (p *profile) update(dir string) error {
	for name, sum := range p.Sums {
		if now, err := sumOf(name); err != nil || now != sum {
			delete(p.Blocks, name)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name) //nolint:gosec // a source of ours
		if err != nil {
			return err
		}
		for _, found := range testFunction.FindAllSubmatch(text, -1) {
			test := string(found[1])
			if _, known := p.Tests[test]; known {
				continue
			}
			p.Tests[test] = time.Second
			for _, blocks := range p.Blocks {
				for i := range blocks {
					blocks[i].Tests = append(blocks[i].Tests, test)
				}
			}
		}
	}
	return nil
}

func sumOf(name string) (string, error) {
	text, err := os.ReadFile(name) //nolint:gosec // a source of ours
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}

// measure runs every test of a package on its own and records what it reaches of the packages under mutation.
func (r *reach) measure(ctx context.Context, dir string) (*profile, error) {
	work := filepath.Join(r.work, "reach-"+filepath.Base(dir))
	if err := os.Mkdir(work, 0o711); err != nil { //nolint:gosec // PostgreSQL runs below it, as another user
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
	listed, err := inside("-test.run", "^$", "-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, listed)
	}
	p := newProfile()
	for name := range strings.FieldsSeq(string(listed)) {
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") && !strings.HasPrefix(name, "Example") {
			continue
		}
		start := time.Now()
		cover := filepath.Join(work, "cover")
		if printed, err := inside("-test.short", "-test.run", "^"+name+"$", "-test.coverprofile", cover); err != nil {
			_, _ = fmt.Fprintf(r.out,
				"%s of %s fails by itself without a change, and is tried only together with all others: %v: %.1000s\n", name, dir,
				err, printed)
			p.Together[name] = true
		}
		p.Tests[name] = time.Since(start)
		if err := p.read(cover, name); err != nil {
			return nil, err
		}
	}
	for name := range p.Blocks {
		if p.Sums[name], err = sumOf(name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func newProfile() *profile {
	return &profile{Tests: map[string]time.Duration{}, Blocks: map[string][]block{}, Sums: map[string]string{}, Together: map[string]bool{}}
}

// changedBy returns the packages that the tests of a directory cover, separated by commas.
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

// coverLine matches a block in a coverage profile: almanac/internal/access/auth/auth.go:12.30,14.2 1 1.
var coverLine = regexp.MustCompile(`^[^/]+/(.+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// read adds what one test reached.
func (p *profile) read(name, test string) error {
	file, err := os.Open(name) //nolint:gosec // a file of ours
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	place := map[string]int{} // of blocks, by line
	for name, blocks := range p.Blocks {
		for i, b := range blocks {
			place[fmt.Sprint(name, b.From, b.To)] = i
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
		b := block{From: position{numbers[0], numbers[1]}, To: position{numbers[2], numbers[3]}}
		key := fmt.Sprint(parts[1], b.From, b.To)
		if _, ok := place[key]; !ok {
			place[key] = len(p.Blocks[parts[1]])
			p.Blocks[parts[1]] = append(p.Blocks[parts[1]], b)
		}
		if numbers[4] > 0 {
			known := &p.Blocks[parts[1]][place[key]]
			known.Tests = append(known.Tests, test)
		}
	}
	return lines.Err()
}

// stage is a subset of the tests that can notice a change.
type stage struct {
	pattern string // empty for all tests of the package
	takes   time.Duration
}

// choose returns the tests that can notice a change: first the quick ones, which are most of them and take little of
// the time. If most tests of a package are chosen, the whole package runs after that, so that its checks at the end
// count too.
func (p *profile) choose(m mutant) []stage {
	chosen := map[string]bool{}
	add := func(wanted func(b block) bool) (found bool) {
		for _, b := range p.Blocks[m.file] {
			if wanted(b) {
				found = true
				for _, test := range b.Tests {
					chosen[test] = true
				}
			}
		}
		return found
	}
	inBlock := add(func(b block) bool { return !m.at.before(b.From) && m.at.before(b.To) })
	if !inBlock && m.function.from.Line > 0 { // for example the condition of a case
		inBlock = add(func(b block) bool { return !b.From.before(m.function.from) && !m.function.to.before(b.To) })
	}
	var names []string
	var takes, all time.Duration
	for test, duration := range p.Tests {
		if chosen[test] || !inBlock {
			names = append(names, test)
			takes += duration
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(p.Tests[a], p.Tests[b]), cmp.Compare(a, b)) })
	whole := !inBlock || 2*len(names) > len(p.Tests) || slices.ContainsFunc(names, func(test string) bool { return p.Together[test] })
	quick := 0
	var quickTakes time.Duration
	for quick < len(names) && quickTakes+p.Tests[names[quick]] <= takes/5 {
		quickTakes += p.Tests[names[quick]]
		quick++
	}
	var stages []stage
	if early := slices.DeleteFunc(slices.Clone(names[:quick]), func(test string) bool { return p.Together[test] }); len(early) > 0 &&
		inBlock {
		stages = append(stages, stage{patternOf(early), quickTakes})
	}
	switch {
	case whole:
		for _, duration := range p.Tests {
			all += duration
		}
		stages = append(stages, stage{"", all})
	case len(names) > quick:
		stages = append(stages, stage{patternOf(names[quick:]), takes - quickTakes})
	}
	return stages
}

func patternOf(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
