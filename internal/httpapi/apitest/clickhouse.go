package apitest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/httpapi"
)

// On ClickHouse (ALMANAC_TEST_STORE=clickhouse), each route that uses events needs to succeed only once: package
// storetest checks the store against its contract, and everything else is up to the API, which is tested faster on the
// embedded store. Skipped are
//
//   - every test but one for each operation that uses events, which is chosen from what the tests reach (see testsOf),
//   - every scenario of routes that use only the catalog (see usesEvents),
//   - all other scenarios except the first success and the first 404 of each operation.
//
// With -every-scenario, or if tests are named with -run, nothing is skipped.

// others are the routes that use events but are not marked in the route table as reading them: they write, look up or
// count related objects, or check that the store is available. The failure walk detects routes in neither list; see
// checkCoverage and CheckUses.
var others = []string{
	"GET /api/public/ready",
	"POST /api/public/ingestion",
	"POST /api/public/scores",
	"DELETE /api/public/scores/{scoreId}",
	"POST /api/public/deletions",
	"DELETE /api/public/traces",
	"DELETE /api/public/traces/{traceId}",
	"GET /api/public/datasets",
	"GET /api/public/datasets/{datasetName}",
	"DELETE /api/public/datasets/{datasetName}/runs/{runName}",
	"POST /api/public/comments",
}

var everyScenario = flag.Bool("every-scenario", false, "run all tests and all scenarios on ClickHouse, too")

// OnClickHouse reports whether the tests run on ClickHouse.
func OnClickHouse() bool { return os.Getenv("ALMANAC_TEST_STORE") == "clickhouse" }

// chosen is the sample of scenarios that runs on ClickHouse by default.
var chosen = sample{taken: map[string]bool{}}

type sample struct {
	on         bool
	operations map[string]string // that this package runs, with the test
	mu         sync.Mutex
	taken      map[string]bool // by operation and outcome
	left       int
}

// start restricts the run to the tests of this package that were chosen.
func (c *sample) start() error {
	all, err := ReadCoverage()
	if err != nil {
		return err
	}
	c.on, c.operations = true, testsOf(here(), all, usesEvents())
	tests := slices.Compact(slices.Sorted(maps.Values(c.operations)))
	return flag.Set("test.run", "^("+strings.Join(tests, "|")+")$")
}

// testsOf returns the operations that are to succeed in a package, with the test in which they do: of all tests of the
// handlers in which it succeeds, the one that needs the fewest operations. Tests of the whole table are only taken where
// there is no other.
func testsOf(of string, all map[string]map[string]Coverage, operations map[string]bool) map[string]string {
	type test struct{ where, name string }
	needs := map[test]int{}
	for where, covered := range all {
		for _, c := range covered {
			for name := range c.Success {
				needs[test{where, name}]++
			}
		}
	}
	found := map[string]string{}
	for operation := range operations {
		var candidates []test
		for where, covered := range all {
			for name := range covered[operation].Success {
				candidates = append(candidates, test{where, name})
			}
		}
		if len(candidates) == 0 {
			found[operation] = "TestNothing" // which check reports
			continue
		}
		best := slices.MinFunc(candidates, func(a, b test) int {
			return cmp.Or(cmp.Compare(weight(a.where), weight(b.where)), cmp.Compare(needs[a], needs[b]),
				cmp.Compare(a.where, b.where), cmp.Compare(a.name, b.name))
		})
		if best.where == of {
			found[operation] = best.name
		}
	}
	return found
}

// weight prefers the tests of handlers to those of the whole table.
func weight(where string) int {
	if where == "." {
		return 1
	}
	return 0
}

// take reports whether to run a scenario.
func (c *sample) take(s Scenario) bool {
	if !c.on {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := s.Request()
	operation := r.Method + " " + infoPath(r)
	key := fmt.Sprint(operation, " ", s.Status < http.StatusBadRequest)
	if !usesEvents()[operation] || c.taken[key] || s.Status >= http.StatusBadRequest && s.Status != http.StatusNotFound {
		c.left++
		return false
	}
	c.taken[key] = true
	return true
}

// check returns the operations without the success that was expected on ClickHouse.
func (c *sample) check() (problems []string) {
	covered := reached()
	for _, operation := range slices.Sorted(maps.Keys(c.operations)) {
		if len(covered[operation].Success) == 0 {
			problems = append(problems, c.operations[operation]+" gets no success on ClickHouse from "+operation)
		}
	}
	fmt.Printf("%d routes that use events were seen on ClickHouse. %d scenarios of the same tests were left out, and all other tests\n",
		len(c.operations), c.left)
	return problems
}

// usesEvents returns the operations that use the event store: those of the public API, and those of the web application
// that are not mirrored.
var usesEvents = sync.OnceValue(func() map[string]bool {
	used := map[string]bool{}
	for _, operation := range others {
		used[operation] = true
	}
	of := UIDescription().Operations()
	for _, o := range slices.Concat(httpapi.Operations(), httpapi.WebOperations()) {
		operation := o.Method + " " + o.Path
		if _, own := of[operation]; o.ReadsEvents && (own || !strings.HasPrefix(o.Path, "/api/ui/")) {
			used[operation] = true
		}
	}
	return used
})

// CheckUses returns the operations that are said to use events, and of which no failure walk saw a call to the event
// store.
func CheckUses(all map[string]map[string]Coverage) (problems []string) {
	for operation := range Description().Operations() {
		if usesEvents()[operation] && !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(c map[string]Coverage) bool {
			return c[operation].Events
		}) {
			problems = append(problems, operation+" uses no events: it need not run on ClickHouse")
		}
	}
	return problems
}

// touchesEvents reports whether a failed call was to the event store.
var touchesEvents = regexp.MustCompile(`^(observations|scores|store): `).MatchString
