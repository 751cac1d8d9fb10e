package formats

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Keys of the project whose rows an archive holds.
const (
	PublicKey = "pk-lf-formats"
	SecretKey = "sk-lf-formats" //nolint:gosec // it opens nothing but the archives
)

// Row is an observation as it is sent, and as it must be read.
type Row struct {
	ID, TraceID, ParentID string
	Name, Type            string
	Session, User         string
	Input, Output         string
	Tenant, Request       string
	Model                 string
	Tokens                int
	Start, End            time.Time
}

// The rows of an archive, by number. The first part is in one segment, the second in another, the last in the log. Some
// rows of the first part are replaced in the second and the last, and one of its traces is deleted.
const (
	inFirst, inSecond, inLog = 600, 640, 650
	// DeletedTrace is the number of the trace that is deleted, if the program supported that.
	DeletedTrace = 4
	rowsOfTrace  = 5
)

var topics = []string{"refunds", "shipping", "größen", "invoices", "返金", "warranty", "passwords", "returns"}

// TraceID returns the id of a trace.
func TraceID(number int) string { return fmt.Sprintf("%032x", 0xf0+number) }

// rowOf returns a row, as it was first sent or as it was replaced.
func rowOf(n, edition int) Row {
	first := n - n%rowsOfTrace
	r := Row{
		ID: spanID(n), TraceID: TraceID(n / rowsOfTrace), Name: fmt.Sprintf("step %d", n%9), Type: "SPAN",
		Session: fmt.Sprintf("session-%d", n/20), User: fmt.Sprintf("user-%d", n/rowsOfTrace%31),
		Input: fmt.Sprintf("Question %d about %s, marked unique%d", n, topics[n%len(topics)], n),
		Output: fmt.Sprintf("Edition %d. The answer to question %d is that %s are handled within %d days.", edition, n,
			topics[n*3%len(topics)], n%13),
		Tenant: fmt.Sprintf("tenant-%d", n%4), Request: fmt.Sprintf("request-%d", n),
		Start: time.Date(2025, 6, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(n) * 1003 * time.Millisecond),
	}
	if n >= inFirst+inFirst/30 { // some of the second part are on another day, and so in their own segment
		r.Start = r.Start.AddDate(0, 0, 1)
	}
	r.End = r.Start.Add(time.Duration(100+n) * time.Millisecond)
	if n != first {
		r.ParentID = spanID(first)
	}
	if n%rowsOfTrace == 1 {
		r.Type, r.Model, r.Tokens = "GENERATION", "gpt-4o", 1+n%97
	}
	return r
}

func spanID(n int) string { return fmt.Sprintf("%016x", (n+1)*7919) }

// Part returns the rows sent together in part 1, 2 or 3.
func Part(number int) []Row {
	var rows []Row
	switch number {
	case 1:
		for n := range inFirst {
			rows = append(rows, rowOf(n, 1))
		}
	case 2:
		for n := inFirst; n < inSecond; n++ {
			rows = append(rows, rowOf(n, 1))
		}
		for n := 100; n < 110; n++ {
			rows = append(rows, rowOf(n, 2))
		}
	case 3:
		for n := inSecond; n < inLog; n++ {
			rows = append(rows, rowOf(n, 1))
		}
		for n := 108; n < 112; n++ {
			rows = append(rows, rowOf(n, 3))
		}
	}
	return rows
}

// Rows returns the rows that must be read, by id.
func Rows(deleted bool) map[string]Row {
	rows := make(map[string]Row)
	for number := 1; number <= 3; number++ {
		for _, r := range Part(number) {
			rows[r.ID] = r
		}
	}
	if deleted {
		for n := DeletedTrace * rowsOfTrace; n < (DeletedTrace+1)*rowsOfTrace; n++ {
			delete(rows, spanID(n))
		}
	}
	return rows
}

// Export encodes rows as an OTLP/JSON export.
func Export(rows []Row) (string, error) {
	type object map[string]any
	text := func(key, value string) object { return object{"key": key, "value": object{"stringValue": value}} }
	spans := make([]object, len(rows))
	for n, r := range rows {
		attributes := []object{
			text("langfuse.observation.type", strings.ToLower(r.Type)), text("langfuse.observation.input", r.Input),
			text("langfuse.observation.output", r.Output), text("langfuse.observation.metadata.tenant", r.Tenant),
			text("langfuse.observation.metadata.request", r.Request), text("session.id", r.Session), text("user.id", r.User),
		}
		if r.Model != "" {
			attributes = append(attributes, text("langfuse.observation.model.name", r.Model),
				text("langfuse.observation.usage_details", fmt.Sprintf(`{"input":%d,"output":1}`, r.Tokens)))
		}
		spans[n] = object{
			"traceId": r.TraceID, "spanId": r.ID, "parentSpanId": r.ParentID, "name": r.Name, "attributes": attributes,
			"startTimeUnixNano": strconv.FormatInt(r.Start.UnixNano(), 10), "endTimeUnixNano": strconv.FormatInt(r.End.UnixNano(), 10),
		}
	}
	body, err := json.Marshal(object{"resourceSpans": []object{{
		"resource":   object{"attributes": []object{text("service.name", "formats")}},
		"scopeSpans": []object{{"scope": object{"name": "langfuse-sdk", "version": "4.0.0"}, "spans": spans}},
	}}})
	return string(body), err
}

// The scores of an archive, by number: the first ones are in a segment, the others in the log.
const (
	ScoresInSegment = 30
	Scores          = 33
)

// ScoreValue returns the value of a score.
func ScoreValue(n int) float64 { return float64(n) / 8 }

// Other content of an archive, if the program supported it.
const (
	PromptName  = "greeting"
	PromptText  = "Greet {{name}} warmly."
	DatasetName = "golden"
	ItemID      = "item-1"
	MediaText   = "a file that belongs to a trace"
)
