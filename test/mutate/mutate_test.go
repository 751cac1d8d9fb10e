package main

import (
	"go/format"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `package p

import "os"

type t struct{ a [2]int }

func f(a, b int) (ok bool, err error) {
	defer os.Exit(3)
	if a < b && b != 0 {
		a += b
		return true, err
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

// TestMutants makes every change of a small file, and looks at each of them.
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
		"condition negated": 2, "assignment removed": 1, "true becomes false": 1, "error not returned": 1, "continue becomes break": 1,
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

// TestPicker takes turns between packages, and gives out each change once.
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
