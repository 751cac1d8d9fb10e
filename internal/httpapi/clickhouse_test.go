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

// On the store on ClickHouse (ALMANAC_TEST_STORE=clickhouse) each route that uses events is to be seen working once: package storetest
// holds the store to its contract, and all else is the API's doing, which the embedded store shows sooner. What is left out is
//
//   - every test that is not in clickhouseTests,
//   - every scenario of routes that the catalog answers alone (usesEvents),
//   - of the others all but the first success, and the first answer that something is not there, which the store knows.
//
// With -every-scenario, or if tests are named with -run, nothing is.

// clickhouseTests are those in which all routes that use events succeed. checkClickHouse says which is missing, and which is not needed.
const clickhouseTests = `
	TestHealth
	TestListObservations TestListObservationsV1 TestGetObservation TestListTraces TestGetTrace TestListSessions TestGetSession
	TestMetricsV2 TestMetricsV1 TestDailyMetrics TestTail TestPublicQueries
	TestUIQueryCounts TestUITrace TestUIObservation TestUIModels
	TestIngestion TestDeletions TestDeleteTraces
	TestListScoresRows TestDeprecatedScores TestCreateScore TestDeleteScore TestCreateComment
	TestListExperiments TestListExperimentItems TestDatasetsV1 TestDatasetRuns`

// others are the routes that use events beside those of which the table of routes says that they read them: they write, look something
// up that they belong to or count, or ask whether the store is there. One that is in neither list is found when the failures of its
// calls are walked through; see checkUses.
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

// onClickHouse reports whether the tests run on the store on ClickHouse.
func onClickHouse() bool { return os.Getenv("ALMANAC_TEST_STORE") == "clickhouse" }

// chosen is what runs on ClickHouse if nobody says what shall.
var chosen = sample{taken: map[string]bool{}}

type sample struct {
	on    bool
	mu    sync.Mutex
	taken map[string]bool // by operation and kind of answer
	left  int
}

// start leaves tests out.
func (c *sample) start() error {
	c.on = true
	return flag.Set("test.run", "^("+strings.Join(strings.Fields(clickhouseTests), "|")+")$")
}

// take reports whether a scenario runs.
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

// usesEvents returns the operations of the public API that need the event store, and those of pages that the public API does not have.
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

// checkUses returns where usesEvents is wrong, after the failures of all calls were walked through.
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

// checkClickHouse returns what is missing after a run on ClickHouse, and what is too much.
func checkClickHouse() (problems []string) {
	seen := map[string]bool{} // tests that show some route
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

// touchesEvents reports whether a call that failed was one of the event store.
var touchesEvents = regexp.MustCompile(`^(observations|scores|store): `).MatchString
