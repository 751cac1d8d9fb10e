package sdk

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/test/harness"
)

const (
	tracingKey    = "pk-lf-1234567890"
	tracingSecret = "sk-lf-1234567890"
)

// startForTraces starts a server with a known project and known keys, and returns the environment for a client.
func startForTraces(t *testing.T) (s *harness.Server, environment []string) {
	t.Helper()
	s = harness.Start(t, "--init-org-id=acme", "--init-project-id=bot",
		"--init-project-public-key="+tracingKey, "--init-project-secret-key="+tracingSecret)
	return s, []string{
		"ALMANAC_URL=" + s.URL, "ALMANAC_PUBLIC_KEY=" + tracingKey, "ALMANAC_SECRET_KEY=" + tracingSecret,
		// Without it the client generates an id for each process.
		"OTEL_RESOURCE_ATTRIBUTES=service.version=9.9,service.instance.id=here", "OTEL_SERVICE_NAME=shop",
	}
}

// storedRows stops a server and returns its rows.
func storedRows(t *testing.T, s *harness.Server) []domain.Observation {
	t.Helper()
	s.Stop(t)
	events, err := segment.Open(datadir.EventsDir(s.Data), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	var rows []domain.Observation
	all := store.Query[domain.Observation]{Want: store.WantAll}
	for row, err := range events.Observations().Scan(t.Context(), domain.OfProject("bot"), all) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, harness.CopyRow(row))
	}
	return rows
}

// sentID holds the ids of an observation, as far as the client knows them.
type sentID struct {
	TraceID string `json:"traceId"`
	ID      string `json:"id"`
}

// sentIDs parses the last line of a client's output: the ids by name.
func sentIDs(t *testing.T, output string) map[string]sentID {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(output), "\n")
	ids := make(map[string]sentID)
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &ids); err != nil {
		t.Fatalf("the client printed no ids: %v\n%s", err, output)
	}
	return ids
}

// expectation is what should be stored of what a client sent.
type expectation struct {
	// program is the program that ran the client.
	program string
	// rows are complete except for ids and times, by name. ParentID is the name of the parent if that is stored, else
	// an id or unknownParent. Metadata is the part of it set by the client's user.
	rows map[string]domain.Observation
	// shared is the part of the metadata that describes the resource and the scope, for all rows except those in own.
	shared string
	own    map[string]string
	// ids are those assigned by the client.
	ids map[string]sentID
	// began is when the client was started.
	began time.Time
	// durations are those of rows for which the client set one.
	durations map[string]time.Duration
}

// unknownParent stands for a parent that was not sent, with an unknown id.
const unknownParent = "unknown"

// check compares what is stored with what was expected, field by field.
func (e *expectation) check(t *testing.T, rows []domain.Observation) {
	t.Helper()
	summary.count(e.program, func(c *counts) { c.rows += len(rows) })
	names := make(map[sentID]string)
	for i := range rows {
		names[sentID{rows[i].TraceID, rows[i].ID}] = rows[i].Name
	}
	seen := make(map[string]bool)
	for _, row := range rows {
		want, ok := e.rows[row.Name]
		if !ok || seen[row.Name] {
			t.Errorf("%q was not expected, or not twice: %+v", row.Name, row)
			continue
		}
		seen[row.Name] = true
		if sent := e.ids[row.Name]; sent.TraceID != "" && row.TraceID != sent.TraceID || sent.ID != "" && row.ID != sent.ID {
			t.Errorf("%q is %s in %s; the client says %s in %s", row.Name, row.ID, row.TraceID, sent.ID, sent.TraceID)
		}
		e.checkTimes(t, &row)
		e.checkShared(t, &row)
		if parent := names[sentID{row.TraceID, row.ParentID}]; parent != "" {
			row.ParentID = parent
		} else if want.ParentID == unknownParent && row.ParentID != "" {
			row.ParentID = unknownParent
		}
		row.TraceID, row.ID, row.StartTime, row.EndTime, row.CreatedAt, row.UpdatedAt = "", "", 0, 0, 0, 0
		want.Name = row.Name
		// A span that began before the user was known has what its trace hands down.
		if row.Name == "before propagation" && (row.UserID != "user-1" || row.SessionID != "session-1") {
			t.Errorf("%q inherits the user %q and the session %q", row.Name, row.UserID, row.SessionID)
		}
		if diff := cmp.Diff(want, *row.Sent()); diff != "" {
			t.Errorf("%q (- expected, + stored)\n%s", row.Name, diff)
		}
	}
	for name := range e.rows {
		if !seen[name] {
			t.Errorf("%q is not stored", name)
		}
	}
}

func (e *expectation) checkTimes(t *testing.T, row *domain.Observation) {
	t.Helper()
	now := domain.MicrosOf(time.Now())
	if row.StartTime%1000 != 0 || row.EndTime%1000 != 0 {
		t.Errorf("%q: times are not whole milliseconds: %d, %d", row.Name, row.StartTime, row.EndTime)
	}
	if row.StartTime < domain.MicrosOf(e.began.Truncate(time.Millisecond)) || row.StartTime > now {
		t.Errorf("%q starts at %v, not between %v and now", row.Name, row.StartTime.Time(), e.began)
	}
	if row.CreatedAt != row.UpdatedAt || row.CreatedAt < row.StartTime || row.CreatedAt > now {
		t.Errorf("%q was created at %v, updated at %v", row.Name, row.CreatedAt.Time(), row.UpdatedAt.Time())
	}
	took := row.EndTime.Time().Sub(row.StartTime.Time())
	if want, ok := e.durations[row.Name]; ok {
		if took != want {
			t.Errorf("%q took %v, not %v", row.Name, took, want)
		}
	} else if took < 0 || row.EndTime > now {
		t.Errorf("%q ends at %v, %v after its start", row.Name, row.EndTime.Time(), took)
	}
}

// checkShared checks the metadata that all rows share and removes it from the row.
func (e *expectation) checkShared(t *testing.T, row *domain.Observation) {
	t.Helper()
	want := e.shared
	if own, ok := e.own[row.Name]; ok {
		want = own
	}
	wanted, shared := make(map[string]string), make(map[string]string)
	for _, m := range members(t, want) {
		wanted[m.name] = m.value
	}
	var rest strings.Builder
	for _, m := range members(t, row.Metadata) {
		if _, ok := wanted[m.name]; ok {
			shared[m.name] = m.value
		} else {
			fmt.Fprintf(&rest, ",%s:%s", m.name, m.value)
		}
	}
	if diff := cmp.Diff(wanted, shared); diff != "" {
		t.Errorf("%q: metadata of the resource and the scope (- expected, + stored)\n%s", row.Name, diff)
	}
	row.Metadata = ""
	if rest.Len() > 0 {
		row.Metadata = "{" + rest.String()[1:] + "}"
	}
}

// member is a member of a JSON object: its quoted name and its raw value.
type member struct{ name, value string }

// members returns the members of a JSON object in order.
func members(t *testing.T, object string) []member {
	t.Helper()
	var list []member
	d := json.NewDecoder(strings.NewReader(object))
	_, err := d.Token()
	for err == nil && d.More() {
		var (
			name  json.Token
			value json.RawMessage
		)
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		list = append(list, member{fmt.Sprintf("%q", name), string(value)})
	}
	if err != nil {
		t.Fatalf("metadata %s: %v", object, err)
	}
	return list
}

// attributes returns metadata with attributes of a span, given as one line each with the name and the value as JSON.
func attributes(lines string) string {
	var text strings.Builder
	for line := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			fmt.Fprintf(&text, ",\"attributes.%s\":%s", name, value)
		}
	}
	return "{" + strings.TrimPrefix(text.String(), ",") + "}"
}
