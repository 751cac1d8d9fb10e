package experimenting

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/scores"
	"almanac/internal/jsontext"
	"almanac/internal/limits/usage"
	"almanac/internal/llm"
	"almanac/internal/llm/transcript"
)

const (
	// rootName is the name of the root span of an item, as SDKs have it.
	rootName = "experiment-item-run"
	// scoreSource is the source of the scores of checks.
	scoreSource = "EVAL"
)

// names are the ids of what a call leaves. A call that is repeated has the same, so that it replaces what is there.
type names struct{ trace, root, generation string }

func namesOf(runID string, call domain.ExperimentCall) names {
	id := func(kind string, bytes int) string {
		sum := sha256.Sum256([]byte(kind + "\x00" + runID + "\x00" + call.ItemID + "\x00" + strconv.Itoa(call.Repetition)))
		return hex.EncodeToString(sum[:bytes])
	}
	return names{id("trace", 16), id("root", 8), id("generation", 8)}
}

// scoreID returns the id of the score of a check.
func (n names) scoreID(check string) string {
	const version = 8 // a custom UUID
	return uuid.NewHash(sha256.New(), uuid.Nil, []byte(n.trace+"\x00"+check), version).String()
}

// answer is how a call of a model ended.
type answer struct {
	started, ended time.Time
	messages       []llm.Message
	result         *llm.Result
	err            error
}

func (a *answer) level() string {
	if a.err != nil {
		return "ERROR"
	}
	return "DEFAULT"
}

func (a *answer) message() string {
	if a.err != nil {
		return a.err.Error()
	}
	return ""
}

// rows returns the spans of a call: the item's, and the generation in it.
func (w *work) rows(item *domain.DatasetItem, n names, a *answer) []ingest.Row {
	run := &w.lease.ExperimentRun
	shared := domain.Observation{
		TraceID: n.trace, TraceName: cmp.Or(run.Prompt.Name, rootName), Environment: domain.ExperimentEnvironment, Level: a.level(),
		StatusMessage: a.message(), StartTime: domain.MicrosOf(a.started), EndTime: domain.MicrosOf(a.ended), Source: domain.SourceServer,
		ExperimentID: domain.ExperimentID(w.scope.ProjectID(), run.DatasetID, run.Name), ExperimentName: run.Name,
		ExperimentDatasetID: run.DatasetID, ExperimentMetadata: w.metadata, ExperimentItemID: item.ID,
		ExperimentItemVersion:    item.WrittenAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		ExperimentItemRootSpanID: n.root, ExperimentItemMetadata: flatMetadata(item.Metadata),
	}
	root, generation := shared, shared
	root.ID, root.Type, root.Name = n.root, "SPAN", rootName
	root.Input, root.Output = plainText(item.Input), transcript.Output(a.result)
	root.ExperimentItemExpectedOutput = plainText(item.ExpectedOutput)
	if a.messages == nil { // no model was called
		return []ingest.Row{{Observation: root}}
	}
	generation.ID, generation.ParentID, generation.Type = n.generation, n.root, "GENERATION"
	generation.Name = cmp.Or(run.Prompt.Name, "completion")
	generation.Model, generation.ModelParameters = run.Model, w.parameters
	generation.Input, generation.Output = conversation(a.messages), root.Output
	generation.Metadata = callMetadata(run, a.result)
	if run.Prompt.Name != "" {
		generation.PromptName, generation.PromptVersion = run.Prompt.Name, domain.IntOf(int64(run.Prompt.Version))
	}
	return []ingest.Row{{Observation: root}, {Observation: generation, Usage: llm.UsageEntries(a.result.Usage)}}
}

func conversation(messages []llm.Message) string {
	list := make([]transcript.Message, len(messages))
	for n, m := range messages {
		list[n] = transcript.Message{Role: string(m.Role), Content: m.Parts[0].Text}
	}
	return transcript.Text(list)
}

// callMetadata returns what else is known about a call, with dotted keys.
func callMetadata(run *domain.ExperimentRun, r *llm.Result) string {
	entries := map[string]any{"connection": run.Connection}
	if r.FinishReason != "" {
		entries["finishReason"] = r.FinishReason
	}
	if r.Model != "" && r.Model != run.Model {
		entries["answeredBy"] = r.Model
	}
	if r.ResponseID != "" {
		entries["responseId"] = r.ResponseID
	}
	if len(r.Dropped) > 0 {
		entries["droppedParameters"] = r.Dropped
	}
	return transcript.Text(entries)
}

// experimentMetadata returns what an experiment says about itself.
func experimentMetadata(run *domain.ExperimentRun, parameters string) string {
	entries := map[string]string{"model": run.Model, "connection": run.Connection}
	if run.Prompt.Name != "" {
		entries["prompt"], entries["promptVersion"] = run.Prompt.Name, strconv.Itoa(run.Prompt.Version)
	}
	if parameters != "" {
		entries["parameters"] = parameters
	}
	return transcript.Text(entries)
}

// flatMetadata returns the metadata of an item as spans have it: an object of dotted keys and texts.
func flatMetadata(raw json.RawMessage) string {
	entries := make(map[string]string)
	f := flattening{entries: entries, room: maxRepeatedNames}
	f.add("", string(raw), 0)
	if len(entries) == 0 {
		return ""
	}
	return transcript.Text(entries)
}

// The bounds of flattening: names repeat those around them. What is beyond them stays JSON.
const (
	maxRepeatedNames = 256 << 10 // bytes
	maxFlatDepth     = 20
)

type flattening struct {
	entries map[string]string
	room    int // for names that are repeated
}

func (f *flattening) add(prefix, object string, depth int) {
	for m := jsontext.MembersOf(object); m.Next(); {
		name := prefix + m.Key()
		switch {
		case m.Value[0] == '{' && depth < maxFlatDepth && f.fits(name, m.Value):
			f.add(name+".", m.Value, depth+1)
		case m.Value == "null":
			f.entries[name] = ""
		default:
			f.entries[name] = plainText(json.RawMessage(m.Value))
		}
	}
}

// fits reports whether there is room for repeating a name before each member of an object, and takes it.
func (f *flattening) fits(name, object string) bool {
	for m := jsontext.MembersOf(object); m.Next(); {
		if f.room -= len(name) + 1; f.room < 0 {
			return false
		}
	}
	return true
}

// drafts returns the scores of the checks of an output.
func (w *work) drafts(item *domain.DatasetItem, n names, a *answer) (drafts []scores.Draft) {
	if a.err != nil {
		return nil
	}
	for _, v := range w.checks.check(transcript.Output(a.result), item) {
		value := 0.0
		if v.passed {
			value = 1
		}
		drafts = append(drafts, scores.Draft{
			ID: n.scoreID(v.name), At: domain.MicrosOf(a.ended), Name: v.name, Source: scoreSource, DataType: domain.ScoreBoolean,
			Number: value, Environment: domain.ExperimentEnvironment, TraceID: n.trace,
			ObservationID: scores.Change{Text: n.root, Sent: true}, Comment: scores.Change{Text: v.comment, Sent: true},
		})
	}
	return drafts
}

// record stores what a call leaves, and returns how it ended.
func (w *work) record(ctx context.Context, item *domain.DatasetItem, n names, a *answer) (domain.ExperimentOutcome, error) {
	outcome := domain.ExperimentOutcome{Failed: a.err != nil}
	rows, err := w.store(ctx, w.rows(item, n, a))
	if err != nil {
		return outcome, fmt.Errorf("cannot store the trace of an item: %w", err)
	}
	last := &rows[len(rows)-1]
	outcome.Cost, outcome.InputTokens, outcome.OutputTokens = last.TotalCost, last.InputTokens, last.OutputTokens
	if a.messages == nil {
		outcome.Cost = domain.FloatOf(0) // nothing was called
	}
	drafts := w.drafts(item, n, a)
	if len(drafts) == 0 {
		return outcome, nil
	}
	storing, cancel := whileStoring(ctx)
	defer cancel()
	refusals, err := w.Scores.Write(storing, w.scope, drafts)
	if err = errors.Join(append(refusals, err)...); err != nil {
		return outcome, fmt.Errorf("cannot store the scores of an item: %w", err)
	}
	return outcome, nil
}

// store stores rows. If they exceed a limit of a minute, it waits for the next.
func (w *work) store(ctx context.Context, made []ingest.Row) ([]domain.Observation, error) {
	by := domain.Consumer{ProjectID: w.scope.ProjectID(), OrganizationID: w.lease.OrganizationID}
	for {
		storing, cancel := whileStoring(ctx)
		rows, err := w.Records.Rows(storing, w.scope, by, made)
		cancel()
		limit, ok := errors.AsType[*usage.Exceeded](err)
		if !ok || limit.Never || limit.Limit.Daily() {
			return rows, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(limit.RetryAfter):
		}
	}
}
