package apitest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// CoverageFile says, below the directory of each package of tests, which operations its tests reach. `make generate`
// writes it; docs/api-coverage.md and the choice of tests that run on ClickHouse are made from those of all packages.
const CoverageFile = "testdata/coverage.txt"

// Coverage is what the tests of a package do with an operation.
type Coverage struct {
	// Walked means that calls which the operation makes were made to fail, Events that one of them was to the event store.
	Walked, Events bool
	// Success and Failure are the tests in which it succeeded, and in which it returned an error. Requests without a
	// valid key do not count, since they never reach the operation.
	Success, Failure map[string]bool
}

// cover records that a test received a response with a status from an operation.
func (d *Described) cover(operation string, status int, test string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.reached[operation]
	if !ok {
		c = Coverage{Success: map[string]bool{}, Failure: map[string]bool{}}
		d.reached[operation] = c
	}
	test, _, _ = strings.Cut(test, "/")
	switch {
	case status < 400:
		c.Success[test] = true
	case status != 401:
		c.Failure[test] = true
	}
}

// reached returns the coverage of this run.
func reached() map[string]Coverage {
	found := map[string]Coverage{}
	for _, d := range []*Described{Description(), UIDescription()} {
		d.mu.Lock()
		maps.Copy(found, d.reached)
		d.mu.Unlock()
	}
	walks.Lock()
	defer walks.Unlock()
	for operation, c := range found {
		c.Walked, c.Events = walks.of[operation] > 0, walks.events[operation]
		found[operation] = c
	}
	return found
}

// Sortable puts the path of an operation before its method.
func Sortable(operation string) string {
	method, path, _ := strings.Cut(operation, " ")
	return path + " " + method
}

// coverageText returns the content of a CoverageFile.
func coverageText(covered map[string]Coverage) string {
	var b strings.Builder
	b.WriteString("# What the tests of this package reach, written by `make generate`: operations, whether their calls were made to fail\n" +
		"# and whether one was to the event store, tests in which they succeed and tests in which they refuse something.\n")
	bySortable := func(a, b string) int { return strings.Compare(Sortable(a), Sortable(b)) }
	for _, operation := range slices.SortedFunc(maps.Keys(covered), bySortable) {
		c := covered[operation]
		var how []string
		if c.Walked {
			how = append(how, "walked")
		}
		if c.Events {
			how = append(how, "events")
		}
		list := func(tests map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(tests)), " ") }
		fmt.Fprintf(&b, "%s | %s | %s | %s\n", operation, strings.Join(how, " "), list(c.Success), list(c.Failure))
	}
	return b.String()
}

// readCoverage reads a CoverageFile.
func readCoverage(text string) (map[string]Coverage, error) {
	covered := map[string]Coverage{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		if len(parts) != 4 {
			return nil, fmt.Errorf("no line of coverage: %q", line)
		}
		set := func(words string) map[string]bool {
			all := map[string]bool{}
			for word := range strings.FieldsSeq(words) {
				all[word] = true
			}
			return all
		}
		how := set(parts[1])
		covered[strings.TrimSpace(parts[0])] = Coverage{how["walked"], how["events"], set(parts[2]), set(parts[3])}
	}
	return covered, nil
}

// ReadCoverage returns the coverage of all packages of tests by the names of their directories. That of package httpapi
// itself is ".". It is called in the directory of any of them.
func ReadCoverage() (map[string]map[string]Coverage, error) {
	root := os.DirFS("..")
	if isRoot() {
		root = os.DirFS(".")
	}
	files, err := fs.Glob(root, "*/"+CoverageFile)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]Coverage{}
	for _, file := range append(files, CoverageFile) {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		covered, err := readCoverage(string(text))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		all[path.Dir(path.Dir(file))] = covered
	}
	return all, nil
}

// isRoot reports whether the tests of package httpapi itself run.
func isRoot() bool { return here() == "." }

// here returns the name of the package of tests that runs, as in ReadCoverage.
func here() string {
	directory, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	if name := path.Base(directory); name != "httpapi" {
		return name
	}
	return "."
}

// keepEvents marks the operations that a walk of an earlier run was seen to use events in. Only a few requests of each
// operation are walked, and which ones come first depends on the run.
func keepEvents(covered map[string]Coverage) {
	text, err := os.ReadFile(CoverageFile)
	if err != nil {
		return // it is written for the first time
	}
	before, err := readCoverage(string(text))
	if err != nil {
		return // which the comparison reports
	}
	for operation, c := range covered {
		c.Events = c.Events || c.Walked && before[operation].Events
		covered[operation] = c
	}
}

// checkCoverage compares what a full run has reached with the CoverageFile, or writes it.
func checkCoverage() (problems []string) {
	covered := reached()
	keepEvents(covered)
	text := coverageText(covered)
	for operation, c := range covered {
		if c.Events && !usesEvents()[operation] {
			problems = append(problems, operation+" uses events: it belongs to the routes that run on ClickHouse")
		}
	}
	if *Update {
		if err := os.MkdirAll(path.Dir(CoverageFile), 0o755); err != nil {
			return append(problems, err.Error())
		}
		if err := os.WriteFile(CoverageFile, []byte(text), 0o644); err != nil {
			return append(problems, err.Error())
		}
		return problems
	}
	written, err := os.ReadFile(CoverageFile)
	if err != nil {
		return append(problems, err.Error())
	}
	if string(written) != text {
		problems = append(problems, CoverageFile+" does not say what the tests reach: run make generate\n"+difference(string(written), text))
	}
	return problems
}

// repository returns the relative path of the repository.
func repository() string {
	if isRoot() {
		return "../.."
	}
	return "../../.."
}
