package demo

import (
	"bytes"
	_ "embed" // for the recording
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

//go:embed recording.jsonl.zst
var recording []byte

// visit is a recorded use of an application by somebody, for a while.
type visit struct {
	Name          string // of its traces
	Staging       bool   // not in production
	Renewed       bool   // made with the new version of the application, which replaces the old one during a workload
	Tier          string // of the customer, if any
	User, Session string // templates; empty for none
	Traces        []recordedTrace
}

// recordedTrace holds templates of spans and scores.
type recordedTrace struct {
	Kinds         []string // of observations, by span
	Failed        int      // number of spans with an error
	ResourceSpans json.RawMessage
	Scores        []json.RawMessage
}

// recorded returns all recorded visits. A test verifies that they can be read.
var recorded = sync.OnceValue(func() []*visit {
	var visits []*visit
	z, err := zstd.NewReader(bytes.NewReader(recording))
	if err == nil {
		defer z.Close()
		for lines := json.NewDecoder(z); err == nil; {
			v := new(visit)
			if err = lines.Decode(v); err == nil {
				visits = append(visits, v)
			}
		}
	}
	if err != io.EOF { //nolint:errorlint // the decoder returns it as it is
		panic(fmt.Sprintf("BUG: the recording cannot be read: %v", err))
	}
	return visits
})

// Trace is the trace of one request to an application.
type Trace struct {
	ID, Name      string
	User, Session string   // empty for none
	Kinds         []string // of the observations
	Failed        int      // number of observations with an error

	resourceSpans string
	scores        []string
}

// values replace the placeholders of a trace.
type values struct {
	facts map[string]string
	spans []string // ids
	end   time.Time
	pace  float64 // duration relative to the recorded one
}

func (v *values) in(text string) string { return os.Expand(text, v.get) }

// get returns the value of a placeholder: the id of a span by its number, a time by its distance in microseconds from
// the end of the trace, or a fact.
func (v *values) get(name string) string {
	name, argument, _ := strings.Cut(name, " ")
	number, _ := strconv.Atoi(argument)
	at := v.end.Add(-time.Duration(float64(number) * v.pace * float64(time.Microsecond)))
	switch name {
	case "ns":
		return strconv.FormatInt(at.UnixNano(), 10)
	case "iso":
		return at.UTC().Format("2006-01-02T15:04:05.000000Z")
	case "span":
		return v.spans[number]
	}
	return v.facts[name]
}

// Export returns traces as a request of OTLP in JSON.
func Export(traces []*Trace) []byte {
	parts := make([]string, len(traces))
	for n, t := range traces {
		parts[n] = t.resourceSpans
	}
	return []byte(`{"resourceSpans":[` + strings.Join(parts, ",") + `]}`)
}

// Scores returns the scores of traces as events: verdicts of evaluators, what a judge says about the tone of the support
// agent, and feedback of customers who press a button. The id of a score depends only on the trace and its name.
func Scores(traces []*Trace) []string {
	var events []string
	for _, t := range traces {
		events = append(events, t.scores...)
	}
	return events
}

// Batch returns events as a batch, as client libraries send them.
func Batch(events []string) []byte { return []byte(`{"batch":[` + strings.Join(events, ",") + `]}`) }
