package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

const (
	coveragePage = "../../docs/api-coverage.md"
	contractFile = "../../api/testdata/contract.json"
)

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
		return strings.Compare(apitest.Sortable(a.name), apitest.Sortable(b.name))
	})
	return operations, contract.Undocumented, nil
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
		"GET /api/public/mcp": streams, "DELETE /api/public/mcp": streams,
		"OPTIONS /api/public/mcp": "the server answers preflights of all routes itself",
		"POST /api/public/traces": older, "POST /api/public/events": older, "POST /api/public/spans": older,
		"PATCH /api/public/spans":      older,
		"POST /api/public/generations": older, "PATCH /api/public/generations": older,
		"GET /api/admin/bullmq": queues, "POST /api/admin/bullmq": queues, "POST /api/admin/ingestion-replay": queues,
		"GET /api/traces/{traceId}/download":                                session,
		"GET /api/traces/{traceId}/observations/{observationId}/io/{field}": session,
	}
}

func TestMain(m *testing.M) { apitest.Main(m, checkCoverage) }

// checkCoverage returns what a full run, together with what those of the handlers' tests left in their files, lacks:
// operations without a success or an error; and whether the page of the coverage is outdated.
func checkCoverage() (problems []string) {
	all, err := apitest.ReadCoverage()
	if err != nil {
		return []string{err.Error()}
	}
	page, problems := describeCoverage(merged(all))
	problems = append(problems, apitest.CheckUses(all)...)
	if *apitest.Update {
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

// merged returns the coverage of all packages together.
func merged(all map[string]map[string]apitest.Coverage) map[string]apitest.Coverage {
	whole := map[string]apitest.Coverage{}
	for _, covered := range all {
		for operation, c := range covered {
			w, ok := whole[operation]
			if !ok {
				w = apitest.Coverage{Success: map[string]bool{}, Failure: map[string]bool{}}
			}
			maps.Copy(w.Success, c.Success)
			maps.Copy(w.Failure, c.Failure)
			w.Walked = w.Walked || c.Walked
			whole[operation] = w
		}
	}
	return whole
}

func describeCoverage(reached map[string]apitest.Coverage) (page string, problems []string) {
	operations, undocumented, err := readContract()
	if err != nil {
		return "", []string{err.Error()}
	}
	ours := map[string]string{}
	for name := range apitest.Description().Operations() {
		ours[nameless(name)] = name
		if c := reached[name]; len(c.Success) == 0 {
			problems = append(problems, "no scenario gets a success from "+name)
		}
		if !reached[name].Walked {
			problems = append(problems, "no scenario lets the calls fail that this makes: "+name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Coverage of the API

This page is generated (`+"`make generate`"+`) from the contract, the route table and what the scenario tests in `+
		"`internal/httpapi`"+` and below it did. Each
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
		c := reached[name]
		if len(c.Failure) == 0 {
			problems = append(problems, "no scenario gets an error from "+name)
		}
		if operation.Group != group {
			group = operation.Group
			fmt.Fprintf(&b, "| **%s** | | | | |\n", group)
		}
		fmt.Fprintf(&b, "| `%s` |%s | yes | %s | %s |\n", operation.name, marks(operation), names(c.Success), names(c.Failure))
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
			fmt.Fprintf(&b, "| `%s` | yes | %s | %s |\n", operation, names(reached[name].Success), names(reached[name].Failure))
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
	bySortable := func(a, b string) int { return strings.Compare(apitest.Sortable(a), apitest.Sortable(b)) }
	for _, name := range slices.SortedFunc(maps.Values(ours), bySortable) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, names(reached[name].Success), names(reached[name].Failure))
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
