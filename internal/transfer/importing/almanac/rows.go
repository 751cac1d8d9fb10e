package almanac

import (
	"bytes"
	"context"
	"encoding/json"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/langfuse"
)

func skip(page *importing.Page, reason, id string) {
	page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: id})
}

// moreOfObservation holds the fields of an observation that files have and the API does not show.
type moreOfObservation struct {
	TotalCost           *float64        `json:"totalCost"`
	ToolDefinitions     json.RawMessage `json:"toolDefinitions"`
	ToolCalls           json.RawMessage `json:"toolCalls"`
	ToolCallNames       []string        `json:"toolCallNames"`
	ExperimentID        string          `json:"experimentId"`
	ExperimentName      string          `json:"experimentName"`
	ExperimentDatasetID string          `json:"experimentDatasetId"`
	ExperimentItemID    string          `json:"experimentItemId"`
	AsRoot              bool            `json:"asRoot"`

	ExperimentDescription string          `json:"experimentDescription"`
	ExperimentMetadata    json.RawMessage `json:"experimentMetadata"`
	ItemVersion           string          `json:"experimentItemVersion"`
	ItemRootSpanID        string          `json:"experimentItemRootSpanId"`
	ItemExpectedOutput    string          `json:"experimentItemExpectedOutput"`
	ItemMetadata          json.RawMessage `json:"experimentItemMetadata"`
	TraceInput            string          `json:"traceInput"`
	TraceOutput           string          `json:"traceOutput"`
	TraceMetadata         json.RawMessage `json:"traceMetadata"`
	SDKName               string          `json:"sdkName"`
	SDKVersion            string          `json:"sdkVersion"`
	ServiceName           string          `json:"serviceName"`
	ServiceVersion        string          `json:"serviceVersion"`
	ScopeName             string          `json:"scopeName"`
	ScopeVersion          string          `json:"scopeVersion"`
	TelemetryLanguage     string          `json:"telemetrySdkLanguage"`
	TelemetryName         string          `json:"telemetrySdkName"`
	TelemetryVersion      string          `json:"telemetrySdkVersion"`
}

func (s *Source) addObservation(_ context.Context, f *file, raw []byte, page *importing.Page) error {
	if f.layout.Table == export.Deletions {
		return addDeletion(raw, export.ScheduledObservations, &page.GoneObservations)
	}
	row, err := s.rows.Observation(raw)
	if err != nil {
		return err
	}
	var more moreOfObservation
	if err := json.Unmarshal(raw, &more); err != nil {
		return err
	}
	more.give(&row)
	if row.ID == "" || row.TraceID == "" || row.StartTime == 0 {
		skip(page, "it has no id, no trace or no start time", row.ID)
		return nil
	}
	if key := (domain.RowKey{TraceID: row.TraceID, ID: row.ID}); s.wasDeleted(f, export.ScheduledObservations, key, row.StartTime) {
		skip(page, reasonDeleted, row.ID)
		page.GoneObservations = append(page.GoneObservations, key) // an earlier version may exist, or one from an earlier import
		return nil
	}
	if row.StartTime < s.Since {
		return nil
	}
	if row.CreatedAt == 0 { // not in batch exports of earlier versions
		row.CreatedAt, row.UpdatedAt = row.StartTime, max(row.StartTime, row.EndTime)
	}
	page.Observations, page.Adopt = append(page.Observations, row), true
	return nil
}

// reasonDeleted is the reason for leaving out rows that were deleted after they were exported.
const reasonDeleted = "it was deleted later"

func (m *moreOfObservation) give(row *domain.Observation) {
	if m.TotalCost != nil && *m.TotalCost != 0 && !row.TotalCost.Set {
		row.TotalCost = domain.FloatOf(*m.TotalCost)
	}
	if m.ToolDefinitions != nil {
		row.ToolDefinitions, row.ToolNames = "", nil
		if text := string(m.ToolDefinitions); text != "{}" && text != "null" {
			row.ToolDefinitions = text
			for tool := jsontext.CheckedMembersOf(text); tool.Next(); {
				var name string
				if json.Unmarshal([]byte(`"`+tool.Name+`"`), &name) == nil {
					row.ToolNames = append(row.ToolNames, name)
				}
			}
		}
	}
	if m.ToolCalls != nil {
		row.ToolCalls, row.ToolCallNames = "", m.ToolCallNames
		if text := string(m.ToolCalls); text != "[]" && text != "null" {
			row.ToolCalls = text
		}
	}
	row.ExperimentID, row.ExperimentName = m.ExperimentID, m.ExperimentName
	row.ExperimentDatasetID, row.ExperimentItemID = m.ExperimentDatasetID, m.ExperimentItemID
	row.AsRoot = m.AsRoot
	row.ExperimentDescription, row.ExperimentMetadata = m.ExperimentDescription, string(optional(m.ExperimentMetadata))
	row.ExperimentItemVersion, row.ExperimentItemRootSpanID = m.ItemVersion, m.ItemRootSpanID
	row.ExperimentItemExpectedOutput, row.ExperimentItemMetadata = m.ItemExpectedOutput, string(optional(m.ItemMetadata))
	row.TraceInput, row.TraceOutput, row.TraceMetadata = m.TraceInput, m.TraceOutput, string(optional(m.TraceMetadata))
	row.SDKName, row.SDKVersion = m.SDKName, m.SDKVersion
	row.ServiceName, row.ServiceVersion, row.ScopeName, row.ScopeVersion = m.ServiceName, m.ServiceVersion, m.ScopeName, m.ScopeVersion
	row.TelemetryLanguage, row.TelemetryName, row.TelemetryVersion = m.TelemetryLanguage, m.TelemetryName, m.TelemetryVersion
}

// addDeletion adds the key of a row that was deleted.
func addDeletion(raw []byte, table string, gone *[]domain.RowKey) error {
	var d deletedRow
	if err := json.Unmarshal(raw, &d); err != nil {
		return err
	}
	if d.Table == table && d.ID != "" {
		*gone = append(*gone, domain.RowKey{TraceID: d.TraceID, ID: d.ID})
	}
	return nil
}

func (s *Source) addScore(_ context.Context, f *file, raw []byte, page *importing.Page) error {
	if f.layout.Table == export.Deletions {
		return addDeletion(raw, export.Scores, &page.GoneScores)
	}
	row, reason, err := s.rows.Score(raw)
	key := domain.RowKey{ID: row.ID}
	switch {
	case err != nil:
		return err
	case reason != "":
		skip(page, reason, row.ID)
	case s.wasDeleted(f, export.Scores, key, row.Timestamp):
		skip(page, reasonDeleted, row.ID)
		page.GoneScores = append(page.GoneScores, key)
	case row.Timestamp >= s.Since:
		page.Scores = append(page.Scores, row)
	}
	return nil
}

func (s *Source) addTrace(_ context.Context, _ *file, raw []byte, page *importing.Page) error {
	trace, err := s.rows.Trace(raw)
	if err != nil {
		return err
	}
	if trace.ID == "" || trace.Timestamp == 0 {
		skip(page, "it has no id or no time", trace.ID)
		return nil
	}
	if trace.Timestamp >= s.Since {
		page.Traces = append(page.Traces, trace)
	}
	return nil
}

// commentRow is a comment in a row's comments column.
type commentRow struct {
	ID        string             `json:"id"`
	Content   string             `json:"content"`
	Author    string             `json:"author_email"`
	CreatedAt langfuse.Timestamp `json:"created_at"`
}

// hasComments reports whether a row has comments, which most do not.
func hasComments(row []byte) bool { return bytes.Contains(row, []byte(`"`+commentsColumn+`":[{`)) }

func (s *Source) addComments(ctx context.Context, f *file, raw []byte, page *importing.Page) error {
	var row struct {
		ID       string       `json:"id"`
		Comments []commentRow `json:"comments"`
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return err
	}
	on := map[string]string{export.Observations: "OBSERVATION", export.Traces: "TRACE", export.Sessions: "SESSION"}[f.layout.Table]
	for _, c := range row.Comments {
		author, err := s.Here.Author(ctx, c.Author)
		if err != nil {
			return err
		}
		page.Records = append(page.Records, domain.Comment{
			ID: c.ID, ObjectType: on, ObjectID: row.ID, Content: c.Content, AuthorUserID: author, CreatedAt: c.CreatedAt.Time(),
			UpdatedAt: c.CreatedAt.Time(),
		})
	}
	return nil
}
