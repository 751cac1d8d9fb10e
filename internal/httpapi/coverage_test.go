package httpapi

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

var update = flag.Bool("update", false, "write docs/api-coverage.md again")

const (
	coveragePage = "../../docs/api-coverage.md"
	contractFile = "../../api/testdata/contract.json"
)

// coverage holds the tests in which an operation succeeded, and in which it returned an error. Requests without a valid
// key do not count, since they never reach the operation.
type coverage struct{ success, failure map[string]bool }

// cover records that a test received a response with a status from an operation.
func (d *described) cover(operation string, status int, test string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.reached[operation]
	if !ok {
		c = coverage{map[string]bool{}, map[string]bool{}}
		d.reached[operation] = c
	}
	test, _, _ = strings.Cut(test, "/")
	switch {
	case status < 400:
		c.success[test] = true
	case status != 401:
		c.failure[test] = true
	}
}

// contractOperation is an operation of the contract.
type contractOperation struct {
	name                 string // "GET /path"
	Group                string
	Deprecated, Unstable bool
}

// readContract returns the operations of the contract by group, and the other routes of the reference.
func readContract() (operations []contractOperation, undocumented []string, err error) {
	raw, err := os.ReadFile(contractFile)
	if err != nil {
		return nil, nil, err
	}
	var contract struct {
		Paths        map[string]map[string]contractOperation
		Undocumented []string
	}
	if err := json.Unmarshal(raw, &contract); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", contractFile, err)
	}
	for path, methods := range contract.Paths {
		for method, operation := range methods {
			operation.name = strings.ToUpper(method) + " " + path
			operations = append(operations, operation)
		}
	}
	slices.SortFunc(operations, func(a, b contractOperation) int {
		if order := strings.Compare(a.Group, b.Group); order != 0 {
			return order
		}
		return strings.Compare(sortable(a.name), sortable(b.name))
	})
	return operations, contract.Undocumented, nil
}

// sortable puts the path of an operation before its method.
func sortable(operation string) string {
	method, path, _ := strings.Cut(operation, " ")
	return path + " " + method
}

var pathParameter = regexp.MustCompile(`\{\w+\}`)

// nameless returns an operation without the names of its path parameters, which are never sent and may differ.
func nameless(operation string) string { return pathParameter.ReplaceAllString(operation, "{}") }

// notServed returns why some undocumented routes of the reference do not exist here.
func notServed() map[string]string {
	const (
		older   = "official clients call [other routes](differences.md#routes-that-are-not-served)"
		queues  = "there are [no queues](differences.md#routes-that-are-not-served)"
		session = "they belong to the [session of a web page](differences.md#routes-that-are-not-served)"
		streams = "MCP without sessions and streams of the server: each call is answered at once"
	)
	return map[string]string{
		"GET /api/public/mcp": streams, "DELETE /api/public/mcp": streams, "OPTIONS /api/public/mcp": "the server answers preflights of all routes itself",
		"POST /api/public/traces": older, "POST /api/public/events": older, "POST /api/public/spans": older, "PATCH /api/public/spans": older,
		"POST /api/public/generations": older, "PATCH /api/public/generations": older,
		"GET /api/admin/bullmq": queues, "POST /api/admin/bullmq": queues, "POST /api/admin/ingestion-replay": queues,
		"GET /api/traces/{traceId}/download":                                session,
		"GET /api/traces/{traceId}/observations/{observationId}/io/{field}": session,
	}
}

// checkCoverage returns the problems after a full run: operations without a success or an error, and an outdated
// coverage page.
func checkCoverage() (problems []string) {
	if chosen.on {
		return checkClickHouse()
	}
	page, problems := describeCoverage(description())
	if walking() {
		problems = append(problems, checkUses()...)
	}
	if onClickHouse() {
		return problems
	}
	if *update {
		if err := os.WriteFile(coveragePage, []byte(page), 0o644); err != nil {
			return append(problems, err.Error())
		}
		return problems
	}
	written, err := os.ReadFile(coveragePage)
	if err != nil {
		return append(problems, err.Error())
	}
	if string(written) != page {
		problems = append(problems, "docs/api-coverage.md does not say what the tests cover: run make generate")
	}
	return problems
}

func describeCoverage(d *described) (page string, problems []string) {
	operations, undocumented, err := readContract()
	if err != nil {
		return "", []string{err.Error()}
	}
	ours := map[string]string{}
	for name := range d.operations() {
		ours[nameless(name)] = name
		if c := d.reached[name]; len(c.success) == 0 {
			problems = append(problems, "no scenario gets a success from "+name)
		}
		if !wasWalked(name) {
			problems = append(problems, "no scenario lets the calls fail that this makes: "+name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Coverage of the API

This page is generated (`+"`make generate`"+`) from the contract, the route table and what the scenario tests in `+"`internal/httpapi`"+` did. Each
operation needs a test in which it succeeds and one in which it refuses something other than credentials; where answers deviate from
the contract on purpose, [differences.md](differences.md) says so.

## The %d operations of the contract

| Operation | | Served | Succeeds in | Refuses in |
|---|---|---|---|---|
`, len(operations))
	group := ""
	for _, operation := range operations {
		name, served := ours[nameless(operation.name)]
		if !served {
			problems = append(problems, operation.name+" is in the contract and not served")
			continue
		}
		delete(ours, nameless(operation.name))
		c := d.reached[name]
		if len(c.failure) == 0 {
			problems = append(problems, "no scenario gets an error from "+name)
		}
		if operation.Group != group {
			group = operation.Group
			fmt.Fprintf(&b, "| **%s** | | | | |\n", group)
		}
		fmt.Fprintf(&b, "| `%s` |%s | yes | %s | %s |\n", operation.name, marks(operation), names(c.success), names(c.failure))
	}
	b.WriteString("\n## Routes that the reference has and does not describe\n\n| Route | Served | Succeeds in | Refuses in |\n|---|---|---|---|\n")
	reasons := notServed()
	for _, operation := range undocumented {
		name, served := ours[nameless(operation)]
		reason, excused := reasons[operation]
		delete(reasons, operation)
		delete(ours, nameless(operation))
		switch {
		case served && excused:
			problems = append(problems, operation+" is served, and notServed says why it is not")
		case served:
			fmt.Fprintf(&b, "| `%s` | yes | %s | %s |\n", operation, names(d.reached[name].success), names(d.reached[name].failure))
		case excused:
			fmt.Fprintf(&b, "| `%s` | no: %s | | |\n", operation, reason)
		default:
			problems = append(problems, operation+" is not served, and notServed does not say why")
		}
	}
	for operation := range reasons {
		problems = append(problems, operation+" in notServed is no route of the reference")
	}
	b.WriteString("\n## What we serve beyond them\n\n| Operation | Succeeds in | Refuses in |\n|---|---|---|\n")
	for _, name := range slices.SortedFunc(maps.Values(ours), func(a, b string) int { return strings.Compare(sortable(a), sortable(b)) }) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, names(d.reached[name].success), names(d.reached[name].failure))
	}
	slices.Sort(problems)
	return b.String(), problems
}

func marks(operation contractOperation) string {
	switch {
	case operation.Deprecated:
		return " deprecated"
	case operation.Unstable:
		return " unstable"
	}
	return ""
}

func names(tests map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(tests)), ", ")
}
