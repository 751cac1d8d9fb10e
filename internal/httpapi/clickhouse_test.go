package httpapi

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// On ClickHouse (ALMANAC_TEST_STORE=clickhouse), each route that uses events needs to succeed only once: package
// storetest checks the store against its contract, and everything else is up to the API, which is tested faster on the
// embedded store. Skipped are
//
//   - every test that is not in clickhouseTests,
//   - every scenario of routes that use only the catalog (see usesEvents),
//   - all other scenarios except the first success and the first 404 of each operation.
//
// With -every-scenario, or if tests are named with -run, nothing is skipped.

// clickhouseTests are tests in which together every route that uses events succeeds. checkClickHouse reports missing
// and superfluous ones.
const clickhouseTests = `
	TestHealth
	TestListObservations TestListObservationsV1 TestGetObservation TestListTraces TestGetTrace TestListSessions TestGetSession
	TestMetricsV2 TestMetricsV1 TestDailyMetrics TestTail TestPublicQueries
	TestUISearchRequests TestUIQueryCounts TestUITrace TestUIObservation TestUIModels
	TestIngestion TestDeletions TestDeleteTraces
	TestListScoresRows TestDeprecatedScores TestCreateScore TestDeleteScore TestCreateComment
	TestListExperiments TestListExperimentItems TestDatasetsV1 TestDatasetRuns`

// others are the routes that use events but are not marked in the route table as reading them: they write, look up or
// count related objects, or check that the store is available. The failure walk detects routes in neither list; see
// checkUses.
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

// onClickHouse reports whether the tests run on ClickHouse.
func onClickHouse() bool { return os.Getenv("ALMANAC_TEST_STORE") == "clickhouse" }

// chosen is the sample of scenarios that runs on ClickHouse by default.
var chosen = sample{taken: map[string]bool{}}

type sample struct {
	on    bool
	mu    sync.Mutex
	taken map[string]bool // by operation and outcome
	left  int
}

// start restricts the run to clickhouseTests.
func (c *sample) start() error {
	c.on = true
	return flag.Set("test.run", "^("+strings.Join(strings.Fields(clickhouseTests), "|")+")$")
}

// take reports whether to run a scenario.
func (c *sample) take(s scenario) bool {
	if !c.on {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := s.request()
	operation := r.Method + " " + infoPath(r)
	key := fmt.Sprint(operation, " ", s.status < http.StatusBadRequest)
	if !usesEvents()[operation] || c.taken[key] || s.status >= http.StatusBadRequest && s.status != http.StatusNotFound {
		c.left++
		return false
	}
	c.taken[key] = true
	return true
}

// usesEvents returns the operations that use the event store: those of the public API, and those of the web application
// that are not mirrored.
var usesEvents = sync.OnceValue(func() map[string]bool {
	used := map[string]bool{}
	for _, operation := range others {
		used[operation] = true
	}
	of := uiDescription().operations()
	for _, rt := range slices.Concat(new(API).routes(), new(API).uiRoutes()) {
		operation := rt.method + " " + rt.path
		if _, own := of[operation]; rt.rules.heavy && (own || !strings.HasPrefix(rt.path, "/api/ui/")) {
			used[operation] = true
		}
	}
	return used
})

// checkUses returns the errors in usesEvents, according to the calls seen in the failure walks.
func checkUses() (problems []string) {
	walks.Lock()
	defer walks.Unlock()
	for name := range description().operations() {
		method, path, _ := strings.Cut(name, " ")
		switch uses, ought := walks.events[name] || walks.events[method+" "+muxPattern(path)], usesEvents()[name]; {
		case uses && !ought:
			problems = append(problems, name+" uses events: it belongs to the routes that run on ClickHouse")
		case ought && !uses:
			problems = append(problems, name+" uses no events: it need not run on ClickHouse")
		}
	}
	return problems
}

// checkClickHouse returns the missing and superfluous tests after a run on ClickHouse.
func checkClickHouse() (problems []string) {
	seen := map[string]bool{} // tests in which some route succeeded
	for _, operation := range slices.Sorted(maps.Keys(usesEvents())) {
		d := description()
		if strings.Contains(operation, " /api/ui/") {
			d = uiDescription()
		}
		tests := slices.Sorted(maps.Keys(d.reached[operation].success))
		if len(tests) == 0 {
			problems = append(problems, "no test in clickhouseTests gets a success on ClickHouse from "+operation)
		}
		for _, test := range tests {
			seen[test] = true
		}
	}
	for test := range strings.FieldsSeq(clickhouseTests) {
		if !seen[test] {
			problems = append(problems, test+" is in clickhouseTests and gets no success from a route that uses events")
		}
	}
	fmt.Printf("%d routes that use events were seen on ClickHouse. %d scenarios of the same tests were left out, and all other tests\n",
		len(usesEvents()), chosen.left)
	return problems
}

// touchesEvents reports whether a failed call was to the event store.
var touchesEvents = regexp.MustCompile(`^(observations|scores|store): `).MatchString
