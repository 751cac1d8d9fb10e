package langfuse

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/ingest/pricing"
	"almanac/internal/ingest/semconv"
	"almanac/internal/jsontext"
)

// Timestamp is a time in any of the source's formats; 0 if unset.
type Timestamp domain.Micros

// UnmarshalJSON reads a time, or null.
func (m *Timestamp) UnmarshalJSON(raw []byte) error {
	var at wire.Time
	err := at.UnmarshalJSON(raw)
	*m = Timestamp(domain.MicrosOf(time.Time(at)))
	return err
}

func (m Timestamp) micros() domain.Micros { return domain.Micros(m) }

// Time returns the time, or the zero time if it is unset.
func (m Timestamp) Time() time.Time { return domain.Micros(m).Time() }

// observationRow is an observation as returned by the API of version 3 or 4.
type observationRow struct {
	ID                  string          `json:"id"`
	TraceID             string          `json:"traceId"`
	ParentID            string          `json:"parentObservationId"`
	Type                string          `json:"type"`
	Name                string          `json:"name"`
	Level               string          `json:"level"`
	StatusMessage       string          `json:"statusMessage"`
	Version             string          `json:"version"`
	Environment         string          `json:"environment"`
	Bookmarked          bool            `json:"bookmarked"`
	Public              bool            `json:"public"`
	UserID              string          `json:"userId"`
	SessionID           string          `json:"sessionId"`
	IsRoot              bool            `json:"isRootObservation"`
	StartTime           Timestamp       `json:"startTime"`
	EndTime             Timestamp       `json:"endTime"`
	CompletionStartTime Timestamp       `json:"completionStartTime"`
	CreatedAt           Timestamp       `json:"createdAt"`
	UpdatedAt           Timestamp       `json:"updatedAt"`
	Input               json.RawMessage `json:"input"`
	Output              json.RawMessage `json:"output"`
	Metadata            json.RawMessage `json:"metadata"`
	Model               string          `json:"model"`
	ProvidedModel       string          `json:"providedModelName"`
	InternalModelID     string          `json:"internalModelId"`
	ModelID             string          `json:"modelId"`
	ModelParameters     json.RawMessage `json:"modelParameters"`
	Usage               json.RawMessage `json:"usageDetails"`
	Cost                json.RawMessage `json:"costDetails"`
	TierID              string          `json:"usagePricingTierId"`
	TierName            string          `json:"usagePricingTierName"`
	PromptID            string          `json:"promptId"`
	PromptName          string          `json:"promptName"`
	PromptVersion       *int64          `json:"promptVersion"`
	Tags                []string        `json:"tags"`
	Release             string          `json:"release"`
	TraceName           string          `json:"traceName"`
}

// rows turns rows of the source into ours. It is not safe for concurrent use.
type rows struct{ mapper semconv.Mapper }

// begin releases what was needed for the last page.
func (r *rows) begin() { r.mapper.Begin(semconv.Source{}, 0) }

// observation converts an observation, with its original cost.
func (r *rows) observation(o *observationRow) domain.Observation {
	row := domain.Observation{
		TraceID: o.TraceID, ID: o.ID, ParentID: o.ParentID, IsAppRoot: o.IsRoot && o.ParentID != "",
		Type: o.Type, Name: o.Name, Environment: cmp.Or(o.Environment, "default"), Version: o.Version, Release: o.Release,
		Level: cmp.Or(o.Level, "DEFAULT"), StatusMessage: o.StatusMessage,
		StartTime: o.StartTime.micros(), EndTime: o.EndTime.micros(), CompletionStartTime: o.CompletionStartTime.micros(),
		CreatedAt: o.CreatedAt.micros(), UpdatedAt: o.UpdatedAt.micros(),
		TraceName: o.TraceName, UserID: o.UserID, SessionID: o.SessionID, Tags: o.Tags, Public: o.Public, Bookmarked: o.Bookmarked,
		Input: r.text(o.Input), Output: r.text(o.Output), Metadata: r.metadata(o.Metadata),
		Model: cmp.Or(o.Model, o.ProvidedModel), ModelID: cmp.Or(o.InternalModelID, o.ModelID), ModelParameters: rawText(o.ModelParameters),
		Usage: object(o.Usage, isInteger), Cost: object(o.Cost, isNumber), PricingTierID: o.TierID, PricingTierName: o.TierName,
		PromptID: o.PromptID, PromptName: o.PromptName, Source: domain.SourceOTel,
	}
	if o.PromptVersion != nil {
		row.PromptVersion = domain.IntOf(*o.PromptVersion)
	}
	if row.TraceName == row.Name && row.IsRoot() { // the root only lends its name to the trace
		row.TraceName = ""
	}
	// Observations of the batch endpoint are below a row that stands for their trace.
	switch record := domain.TraceRecordID(o.TraceID); record {
	case o.ID:
		row.Source, row.TraceName = domain.SourceIngestionTrace, cmp.Or(o.TraceName, o.Name)
	case o.ParentID:
		row.Source = domain.SourceIngestion
	}
	// Usage and cost computed by the source count as provided: nothing is priced again, whatever happens to the row.
	row.ProvidedUsage, row.ProvidedCost = row.Usage, row.Cost
	pricing.SumStored(&row)
	if row.Input != "" || row.Output != "" {
		r.mapper.FindTools(&row)
		row.ToolDefinitions, row.ToolCalls = strings.Clone(row.ToolDefinitions), strings.Clone(row.ToolCalls)
		row.ToolNames, row.ToolCallNames = cloneTexts(row.ToolNames), cloneTexts(row.ToolCallNames)
	}
	return row
}

func cloneTexts(texts []string) []string {
	texts = slices.Clone(texts)
	for n := range texts {
		texts[n] = strings.Clone(texts[n])
	}
	return texts
}

// text returns an input or output: a string as it is, JSON in a normalised form.
func (r *rows) text(raw json.RawMessage) string {
	if len(raw) == 0 || isNull(raw) {
		return ""
	}
	if raw[0] == '"' {
		return unquoted(raw)
	}
	return strings.Clone(r.mapper.PlainText(string(raw)))
}

// metadata returns metadata as an object with dotted keys.
func (r *rows) metadata(raw json.RawMessage) string {
	if len(raw) == 0 || isNull(raw) {
		return ""
	}
	flat, empty := true, true
	m := jsontext.CheckedMembersOf(string(raw))
	for m.Next() {
		empty = false
		flat = flat && m.Value[0] != '{'
	}
	switch {
	case m.Whole && empty:
		return ""
	case m.Whole && flat:
		return compact(raw)
	}
	return strings.Clone(r.mapper.PlainMetadata(string(raw)))
}

// object returns an object without its invalid values, or "" if none is left.
func object(raw json.RawMessage, valid func(value string) bool) string {
	text := string(raw)
	if text == "" || text == "{}" || isNull(raw) {
		return ""
	}
	all, some := true, false
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
		ok := valid(m.Value)
		all, some = all && ok, some || ok
	}
	switch {
	case !m.Whole || !some:
		return ""
	case all:
		return compact(raw)
	}
	kept := []byte{'{'}
	for m := jsontext.CheckedMembersOf(text); m.Next(); {
		if valid(m.Value) {
			if len(kept) > 1 {
				kept = append(kept, ',')
			}
			kept = append(append(append(append(kept, '"'), m.Name...), `":`...), m.Value...)
		}
	}
	return string(append(kept, '}'))
}

func isInteger(value string) bool {
	_, err := strconv.ParseInt(value, 10, 64)
	return err == nil
}

func isNumber(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err == nil && jsontext.StartsNumber(value[0])
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// rawText returns JSON as it is, a string without its quotes, and "" for null and for an empty object.
func rawText(raw json.RawMessage) string {
	switch {
	case len(raw) == 0, isNull(raw), string(raw) == "{}":
		return ""
	case raw[0] == '"':
		return unquoted(raw)
	}
	return compact(raw)
}

func unquoted(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// compact returns JSON without whitespace between tokens.
func compact(raw json.RawMessage) string {
	var out bytes.Buffer
	out.Grow(len(raw))
	if json.Compact(&out, raw) != nil {
		return string(raw)
	}
	return out.String()
}

// scoreRow is a score as returned by version 2 or 3 of the scores API.
type scoreRow struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	DataType         string          `json:"dataType"`
	Value            json.RawMessage `json:"value"`
	StringValue      string          `json:"stringValue"`
	Source           string          `json:"source"`
	Timestamp        Timestamp       `json:"timestamp"`
	Environment      string          `json:"environment"`
	CreatedAt        Timestamp       `json:"createdAt"`
	UpdatedAt        Timestamp       `json:"updatedAt"`
	Comment          string          `json:"comment"`
	ConfigID         string          `json:"configId"`
	Metadata         json.RawMessage `json:"metadata"`
	AuthorUserID     string          `json:"authorUserId"`
	QueueID          string          `json:"queueId"`
	ExecutionTraceID string          `json:"executionTraceId"`
	TraceID          string          `json:"traceId"`
	ObservationID    string          `json:"observationId"`
	SessionID        string          `json:"sessionId"`
	RunID            string          `json:"datasetRunId"`
	Subject          *scoreSubject   `json:"subject"`
}

type scoreSubject struct {
	Kind    string `json:"kind"`
	ID      string `json:"id"`
	TraceID string `json:"traceId"`
}

// score converts a score. A category gets a number if the config of the score defines it. If the score is unusable,
// reason says why.
func (s *scoreRow) score(configs map[string]domain.ScoreConfig) (row domain.Score, reason string) {
	row = domain.Score{
		ID: s.ID, TraceID: s.TraceID, ObservationID: s.ObservationID, SessionID: s.SessionID, ExperimentID: s.RunID,
		Name: s.Name, Source: s.Source, DataType: s.DataType, Environment: cmp.Or(s.Environment, "default"), Comment: s.Comment,
		ConfigID: s.ConfigID, QueueID: s.QueueID, AuthorUserID: s.AuthorUserID, ExecutionTraceID: s.ExecutionTraceID,
		Timestamp: s.Timestamp.micros(), CreatedAt: s.CreatedAt.micros(), UpdatedAt: s.UpdatedAt.micros(), EventAt: s.UpdatedAt.micros(),
	}
	if text := rawText(s.Metadata); strings.HasPrefix(text, "{") {
		row.Metadata = text
	}
	if s.Subject != nil {
		switch s.Subject.Kind {
		case "trace":
			row.TraceID = s.Subject.ID
		case "observation":
			row.ObservationID, row.TraceID = s.Subject.ID, s.Subject.TraceID
		case "session":
			row.SessionID = s.Subject.ID
		case "experiment":
			row.ExperimentID = s.Subject.ID
		}
	}
	if row.ID == "" || row.Timestamp == 0 {
		return row, "it has no id or no time"
	}
	value := string(s.Value)
	switch s.DataType {
	case domain.ScoreNumeric:
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return row, "it is numeric and has no number"
		}
		row.Value = domain.FloatOf(number)
	case domain.ScoreBoolean:
		row.Value, row.StringValue = domain.FloatOf(0), "False"
		if value == "true" || value == "1" || s.StringValue == "True" {
			row.Value, row.StringValue = domain.FloatOf(1), "True"
		}
	case domain.ScoreCategorical, domain.ScoreText, domain.ScoreCorrection:
		row.StringValue = s.StringValue
		if strings.HasPrefix(value, `"`) {
			row.StringValue = unquoted(s.Value)
		} else if number, err := strconv.ParseFloat(value, 64); err == nil && s.DataType == domain.ScoreCategorical {
			row.Value = domain.FloatOf(number)
		}
		if row.Value.Set || s.DataType != domain.ScoreCategorical {
			break
		}
		for _, category := range configs[s.ConfigID].Categories {
			if category.Label == row.StringValue {
				row.Value = domain.FloatOf(category.Value)
			}
		}
	default:
		return row, "its data type is unknown"
	}
	return row, ""
}
