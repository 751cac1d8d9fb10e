package main

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const sample = `package p

import "os"

type t struct{ a [2]int }

func f(a, b int) (ok bool, err error) {
	defer os.Exit(3)
	if a < b && b != 0 {
		a += b
		if ok {
			return true, nil
		}
		return false, err
	}
	for range a {
		if b > a {
			continue
		}
		g()
	}
	panic("no")
}

func g() {}
`

// TestMutants makes every change to a small file and checks each of them.
func TestMutants(t *testing.T) {
	found, err := mutantsIn(target{dir: "p"}, "p/p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, m := range found {
		seen[m.kind]++
		if got := sample[m.start:m.end]; got != m.before {
			t.Errorf("%s stands where %q should be", got, m.before)
		}
		changed := sample[:m.start] + m.after + sample[m.end:]
		if _, err := format.Source([]byte(changed)); err != nil {
			t.Errorf("%s does not parse: %v", m, err)
		}
		if changed == sample {
			t.Errorf("%s changes nothing", m)
		}
		if strings.Contains(m.source, "panic") || strings.Contains(m.source, "import") || strings.Contains(m.source, "type") {
			t.Errorf("%s should be left alone", m)
		}
	}
	for kind, want := range map[string]int{
		"< becomes <=": 1, "< becomes >=": 1, "&& becomes ||": 1, "!= becomes ==": 1, "> becomes >=": 1, "> becomes <=": 1,
		"condition negated": 3, "assignment removed": 1, "true becomes false": 1, "error not returned": 1, "continue becomes break": 1,
		"call removed": 1, "defer removed": 1, "0 becomes 1": 1, "3 becomes 4": 1,
	} {
		if seen[kind] != want {
			t.Errorf("%d times %s, want %d", seen[kind], kind, want)
		}
	}
	if len(seen) != 15 {
		t.Errorf("kinds: %v", seen)
	}
}

// TestPointless leaves alone what no test should check: logging, capacities, and results that are dropped.
func TestPointless(t *testing.T) {
	for body, want := range map[string]int{
		`log.Warn("m", "n", 2)`:             0,
		`log.InfoContext(ctx, "m", "n", 2)`: 0,
		`log.Error()`:                       1, // not slog, as it has no arguments
		`b.Grow(2)`:                         0,
		`x := make([]int, 0, 2)`:            0,
		`x := make([]int, 1, 2)`:            2,
		`x := make([]int, 2)`:               1,
		`x := make(map[string]int, 2)`:      0,
		`x := slices.Grow(y, 2)`:            0,
		`const limit = 100; f(100, limit)`:  2, // the call, and one of the numbers
		`const version = 2`:                 1,
		`_ = f()`:                           0,
		`_, _ = f()`:                        0,
		`if err != nil { log.Warn("m") }`:   0,
		`if x = 2; x > 3 { log.Warn("m") }`: 2, // what comes before
		`panic("BUG: " + x)`:                0,
		`defer ticker.Stop()`:               0,
		`defer s.Stop()`:                    1,
		`return 0, false`:                   1, // which of the two is returned
		`return 0, err`:                     1,
		`return false, err`:                 1,
		`return -1, true`:                   1,
		`return 0, nil`:                     1,
		`_, err = f()`:                      1,
	} {
		found, err := mutantsIn(target{dir: "p"}, "p/p.go", []byte("package p\n\nfunc f() {\n\t"+body+"\n}\n"))
		if err != nil || len(found) != want {
			t.Errorf("%s has %d changes, want %d: %v, %v", body, len(found), want, found, err)
		}
	}
}

// TestReach selects the tests that reach a change, and all tests where that is unknown.
func TestReach(t *testing.T) {
	const source = "package p\n\nvar size = 7\n\nfunc f(a int) int {\n\tswitch {\n\tcase a > 2:\n\t\treturn 3\n\t}\n\treturn 4\n}\n\nfunc g() int {\n\treturn 5\n}\n"
	p := newProfile()
	p.Tests = map[string]time.Duration{"TestA": 1, "TestB": 7, "TestC": 16, "TestD": 4, "TestE": 3}
	for test, reached := range map[string][3]int{"TestA": {1, 1, 1}, "TestB": {1, 0, 1}, "TestC": {0, 0, 1}} {
		name := filepath.Join(t.TempDir(), "cover")
		text := fmt.Sprintf("mode: set\nalmanac/p/p.go:5.19,6.9 1 %d\nalmanac/p/p.go:7.13,8.11 1 %d\nalmanac/p/p.go:10.2,10.10 1 0\nalmanac/p/p.go:13.14,15.2 1 %d\n",
			reached[0], reached[1], reached[2])
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.read(name, test); err != nil {
			t.Fatal(err)
		}
	}
	found, err := mutantsIn(target{dir: "p"}, "p/p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]stage{
		"7 becomes 8":  {{"", 31}},                           // outside functions
		"> becomes >=": {{"^(TestA)$", 1}, {"^(TestB)$", 7}}, // between blocks: all tests that call the function
		"> becomes <=": {{"^(TestA)$", 1}, {"^(TestB)$", 7}},
		"2 becomes 3":  {{"^(TestA)$", 1}, {"^(TestB)$", 7}},
		"3 becomes 4":  {{"^(TestA)$", 1}},
		"4 becomes 5":  nil,
		"5 becomes 6":  {{"^(TestA)$", 1}, {"", 31}}, // most tests, so all of them
	}
	if len(found) != len(want) {
		t.Errorf("%d changes", len(found))
	}
	for _, m := range found {
		if stages := p.choose(m); !slices.Equal(stages, want[m.kind]) {
			t.Errorf("%s is tried on %v, want %v", m, stages, want[m.kind])
		}
	}
	p.Together["TestA"] = true // it fails on its own, so all must run
	for _, m := range found {
		if stages := p.choose(m); m.kind == "3 becomes 4" && !slices.Equal(stages, []stage{{"", 31}}) {
			t.Errorf("%s is tried on %v, want all together", m, stages)
		}
	}
}

// TestKeptReach reads a saved profile: a new test reaches everything, and nothing is known about a changed file.
func TestKeptReach(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("p", 0o700); err != nil {
		t.Fatal(err)
	}
	write("p/same.go", "package p\n")
	write("p/changed.go", "package p\n")
	write("p/p_test.go", "package p\n\nfunc TestOld(t *testing.T) {}\n\nfunc TestNew(t *testing.T) {}\n\nfunc TestMain(m *testing.M) {}\n")
	p := newProfile()
	p.Tests["TestOld"] = 1
	for _, name := range []string{"p/same.go", "p/changed.go"} {
		p.Blocks[name] = []block{{From: position{1, 1}, To: position{2, 1}, Tests: []string{"TestOld"}}}
		p.Sums[name], _ = sumOf(name)
	}
	if err := p.keep("internal-p.json"); err != nil {
		t.Fatal(err)
	}
	write("p/changed.go", "package p // changed\n")
	kept, err := readProfile("internal-p.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.update("p"); err != nil {
		t.Fatal(err)
	}
	if b := kept.Blocks["p/same.go"]; len(b) != 1 || !slices.Equal(b[0].Tests, []string{"TestOld", "TestNew"}) || len(kept.Blocks) != 1 ||
		len(kept.Tests) != 2 {
		t.Errorf("%+v", kept)
	}
}

// TestPicker checks that packages take turns and that each change is returned once.
func TestPicker(t *testing.T) {
	pools := func() [][]mutant { return [][]mutant{{{line: 1}, {line: 2}, {line: 3}}, {{line: 10}}} }
	walk := func(seed uint64) (lines []int) {
		for next := picker(pools(), rand.New(rand.NewPCG(seed, 0))); ; {
			m, ok := next()
			if !ok {
				return lines
			}
			lines = append(lines, m.line)
		}
	}
	if lines := walk(1); len(lines) != 4 || lines[1] != 10 {
		t.Errorf("the order is %v", lines)
	}
}

func TestReadEquivalent(t *testing.T) {
	name := filepath.Join(t.TempDir(), "equivalent.txt")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# The buffer only starts larger.\np/p.go | 3 becomes 4 | x := 3\np/p.go | 4 becomes 5 | x := 4\n")
	if keys, err := readEquivalent(name); err != nil || len(keys) != 2 || !keys["p/p.go | 3 becomes 4 | x := 3"] {
		t.Errorf("%v, %v", keys, err)
	}
	write("# A reason.\n\np/p.go | 3 becomes 4 | x := 3\n")
	if _, err := readEquivalent(name); err == nil || !strings.Contains(err.Error(), "no reason") {
		t.Errorf("without a reason: %v", err)
	}
	if keys, err := readEquivalent(name + "x"); err != nil || len(keys) != 0 {
		t.Errorf("without a file: %v, %v", keys, err)
	}
}
