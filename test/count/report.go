package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// event is a line of `go test -json`, described in `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// report processes the events of a run.
type report struct {
	out     io.Writer
	verbose bool
	maySkip *regexp.Regexp

	passed, failed int
	skipped        []string                       // without permission
	allowed        int                            // skipped with permission
	tests          map[string]int                 // passed, by package
	printed        map[string]map[string][]string // output not shown yet, by package and test
	others         map[string]int                 // other things counted by tests
}

func newReport(out io.Writer, verbose bool, maySkip *regexp.Regexp) *report {
	return &report{
		out: out, verbose: verbose, maySkip: maySkip,
		tests: make(map[string]int), printed: make(map[string]map[string][]string), others: make(map[string]int),
	}
}

// read processes a run to its end. Lines that are not events are printed unchanged.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case line == "":
		case json.Unmarshal([]byte(line), &e) == nil && e.Action != "":
			r.see(e)
		default:
			r.say(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) say(text string) { _, _ = io.WriteString(r.out, text) }

func (r *report) see(e event) {
	switch {
	case e.Action == "build-output":
		r.say(e.Output)
	case e.Action == "output":
		r.print(e)
	case e.Test == "":
		r.endPackage(e)
	default:
		r.endTest(e)
	}
}

// counted matches how tests report what they did many times, as in "counted: 812 requests".
var counted = regexp.MustCompile(`\bcounted: (\d+) ([a-z ]+)\n$`)

// print keeps the output of a test until it is known whether it failed. The lines about tests that begin or pass are
// dropped.
func (r *report) print(e event) {
	if found := counted.FindStringSubmatch(e.Output); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			r.others[found[2]] += n
		}
	}
	text := strings.TrimLeft(e.Output, " ")
	if strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- PASS: ") {
		return
	}
	if r.verbose && e.Test != "" {
		r.say(e.Output)
		return
	}
	if r.printed[e.Package] == nil {
		r.printed[e.Package] = make(map[string][]string)
	}
	r.printed[e.Package][e.Test] = append(r.printed[e.Package][e.Test], e.Output)
}

// show prints the output of a test and forgets it.
func (r *report) show(pkg, test string) {
	for _, text := range r.printed[pkg][test] {
		r.say(text)
	}
	delete(r.printed[pkg], test)
}

func (r *report) endTest(e event) {
	switch e.Action {
	case "pass":
		r.passed++
		r.tests[e.Package]++
		delete(r.printed[e.Package], e.Test)
	case "fail":
		r.failed++
		r.show(e.Package, e.Test)
	case "skip":
		if name := e.Package + "." + e.Test; r.maySkip.MatchString(name) {
			r.allowed++
			delete(r.printed[e.Package], e.Test)
		} else {
			r.skipped = append(r.skipped, name)
			r.show(e.Package, e.Test)
		}
	}
}

// endPackage prints the last line of a package, such as "ok   almanac/internal/filter 1.0s", and its number of tests.
// If it failed, it prints all remaining output: tests ended by a panic have no end event.
func (r *report) endPackage(e event) {
	if e.Action != "pass" && e.Action != "fail" && e.Action != "skip" {
		return
	}
	last := r.printed[e.Package][""]
	switch {
	case e.Action == "fail":
		r.failed++
		for _, test := range slices.Sorted(maps.Keys(r.printed[e.Package])) {
			if test != "" {
				r.show(e.Package, test)
			}
		}
		r.show(e.Package, "")
	case r.verbose:
		r.show(e.Package, "")
	case len(last) > 0:
		r.say(fmt.Sprintf("%s\t%d tests\n", strings.TrimRight(last[len(last)-1], "\n"), r.tests[e.Package]))
	}
	delete(r.printed, e.Package)
}

// counts returns a line for each thing that was counted.
func (r *report) counts() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d passed\n", r.passed)
	if r.allowed > 0 {
		fmt.Fprintf(&text, "%d skipped\n", r.allowed)
	}
	for _, what := range slices.Sorted(maps.Keys(r.others)) {
		fmt.Fprintf(&text, "%d %s\n", r.others[what], what)
	}
	return text.String()
}

// verdict returns an error if the run does not count as passed.
func (r *report) verdict() error {
	switch {
	case r.failed > 0:
		return errors.New("tests failed: see above")
	case len(r.skipped) > 0:
		return fmt.Errorf("tests were skipped, and nobody said that they may be (-may-skip): %s", strings.Join(r.skipped, ", "))
	case r.passed == 0:
		return errors.New("no test passed: was any run?")
	}
	return nil
}
