package apitest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// mostFailures is the maximum number of calls of one request that are made to fail. Some requests make a call for each
// of a thousand objects.
const mostFailures = 100

// walksOfOperation is the number of successful scenarios of each operation that are walked.
const walksOfOperation = 3

// walks counts the failure walks by operation, and records which operations used events.
var walks = struct {
	sync.Mutex
	of     map[string]int
	events map[string]bool
}{of: map[string]int{}, events: map[string]bool{}}

// serveAfterFailures serves the request of a scenario after a failure walk: if the request should succeed, it is
// repeated, and each time another of its calls to the catalog, the event store or the blob store fails. Every failure
// must lead to an error response and leave the stored state unchanged. In the last attempt no call fails; its response
// is returned and shows that nothing was broken.
func (f *Fixture) serveAfterFailures(t *testing.T, s Scenario) (*http.Request, *http.Response) {
	t.Helper()
	operation := operationOf(s.Request())
	if !s.Once && s.Status < http.StatusBadRequest && takeWalk(operation) {
		defer f.failures.Reset()
		watched := f.watch(t)
		for range mostFailures {
			before := watched.state(t)
			f.failures.Arm()
			r, answer, aborted := f.try(s)
			failed := f.failures.Disarm()
			if failed == "" {
				return r, answer
			}
			noteWalk(operation, failed)
			if !aborted && answer.StatusCode < http.StatusInternalServerError && !tellsOfFailure(answer) && !isTolerated(failed) {
				t.Errorf("%s: answered %d although this call failed: %s", operation, answer.StatusCode, failed)
			}
			if after := watched.state(t); after != before && !mayRemain(operation) {
				t.Errorf("%s: a failure of %s left something behind:\n%s", operation, failed, difference(before, after))
			}
		}
	}
	r, answer, _ := f.try(s)
	return r, answer
}

// walking reports whether failure walks are enabled. Handling failures is up to the API, so the fastest store is
// enough. Under the race detector a walk would take a quarter of an hour and find nothing, since its requests are
// sequential.
func walking() bool { return os.Getenv("ALMANAC_TEST_STORE") == "" && !raced }

func takeWalk(operation string) bool {
	if !walking() {
		return false
	}
	walks.Lock()
	defer walks.Unlock()
	walks.of[operation]++
	return walks.of[operation] <= walksOfOperation
}

func noteWalk(operation, failed string) {
	if touchesEvents(failed) {
		walks.Lock()
		defer walks.Unlock()
		walks.events[operation] = true
	}
}

// try serves a request. A client cannot mistake an aborted response for a complete one, since the connection is closed.
func (f *Fixture) try(s Scenario) (r *http.Request, answer *http.Response, aborted bool) {
	r = s.Request()
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			answer, aborted = w.Result(), true
		}
	}()
	f.ServeHTTP(w, r)
	return r, w.Result(), false
}

// onlooker reads everything that is stored. It reads the catalog again only after a write.
type onlooker struct {
	*Fixture
	db      *sql.DB // a single connection, on which SQLite reports writes by others
	version string
	catalog string
}

func (f *Fixture) watch(t *testing.T) *onlooker {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(f.CatalogFile)+"?_pragma=busy_timeout(10000)&_pragma=query_only(ON)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return &onlooker{Fixture: f, db: db}
}

// state returns everything that is stored.
func (o *onlooker) state(t *testing.T) string {
	t.Helper()
	if version := textsOf(t, o.db, "PRAGMA data_version")[0]; version != o.version {
		o.version, o.catalog = version, dumpCatalog(t, o.db)
	}
	var b strings.Builder
	b.WriteString(o.catalog)
	for _, project := range []string{"project-a", "project-a2", "project-b"} {
		scope := domain.OfProject(project)
		for row, err := range o.Store.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s observation %+v\n", project, *row)
		}
		for row, err := range o.Store.Scores().Scan(t.Context(), scope, store.Query[domain.Score]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s score %+v\n", project, *row)
		}
	}
	fmt.Fprintf(&b, "exported %v\n", o.Rows.Rows)
	return b.String()
}

// dumpCatalog returns all rows of all tables.
func dumpCatalog(t *testing.T, db *sql.DB) string {
	t.Helper()
	var b strings.Builder
	for _, table := range textsOf(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
		columns := textsOf(t, db, fmt.Sprintf("SELECT 'quote(' || name || ')' FROM pragma_table_info('%s')", table))
		for _, row := range textsOf(t, db, fmt.Sprintf("SELECT %s FROM %s", strings.Join(columns, " || '|' || "), table)) {
			fmt.Fprintf(&b, "%s %s\n", table, row)
		}
	}
	return b.String()
}

func textsOf(t *testing.T, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// difference returns the lines that occur in only one of two strings.
func difference(before, after string) string {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	var b strings.Builder
	for _, line := range was {
		if !slices.Contains(is, line) {
			fmt.Fprintf(&b, "\t- %.300s\n", line)
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			fmt.Fprintf(&b, "\t+ %.300s\n", line)
		}
	}
	return b.String()
}

// tellsOfFailure reports whether a response with status 200 reports a failure, as those of MCP tools and tails do.
func tellsOfFailure(answer *http.Response) bool {
	text, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return err == nil && (bytes.Contains(text, []byte(`"isError":true`)) || bytes.Contains(text, []byte(`"reason":"failed"`)))
}

// isTolerated reports whether a request may succeed although a call failed: the last known prices are used if newer
// ones cannot be read.
func isTolerated(call string) bool { return strings.Contains(call, "SELECT models_revision") }

// mayRemain reports whether a failed operation may have done part of its work. Only deletions of events may: rows,
// scores and files are stored in several places, and a retry, as in the walk, completes the deletion. The audit log has
// an entry for every attempt, which is written first.
func mayRemain(operation string) bool {
	switch operation {
	case "DELETE /api/public/traces", "DELETE /api/public/traces/{traceId}", "DELETE /api/public/scores/{scoreId}",
		"POST /api/public/deletions":
		return true
	}
	return false
}

// operationOf returns the operation that a request is for: its method and the path of its route.
func operationOf(r *http.Request) string {
	if path := infoPath(r); path != "" {
		return r.Method + " " + path
	}
	_, path := uiPatterns().Handler(r)
	return r.Method + " " + path
}
