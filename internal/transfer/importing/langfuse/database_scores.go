package langfuse

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/transfer/importing"
)

// Tables of version 3 in ClickHouse, and those of both versions: scores and run items.

// mapped returns a map column as two lists, of names and values.
func mapped(column string) []eventColumn {
	return []eventColumn{{column, "mapKeys(x." + column + ")", "metadataNames"}, {column, "mapValues(x." + column + ")", "metadataValues"}}
}

// untilEvents returns when the version 4 table begins for a project. Rows of version 3 are used until then.
func (d *Database) untilEvents(ctx context.Context, project string) (int64, error) {
	if d.inEvents["events_full"] == nil {
		return 0, nil
	}
	var first struct{ First int64 }
	for row, err := range d.events.Rows(ctx, `SELECT toUnixTimestamp64Micro(toDateTime64(min(start_time), 6)) AS first, count() AS rows
		FROM events_full WHERE project_id = {p0:String} HAVING rows > 0`, project) {
		if err == nil {
			err = json.Unmarshal(row, &first)
		}
		if err != nil {
			return 0, fmt.Errorf("cannot read when the table events_full begins: %w", err)
		}
	}
	return first.First / 1000 * 1000, nil // version 3 has milliseconds
}

type storedTrace struct {
	lists
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Environment string    `json:"environment"`
	Version     string    `json:"version"`
	Release     string    `json:"release"`
	UserID      string    `json:"userId"`
	SessionID   string    `json:"sessionId"`
	Tags        []string  `json:"tags"`
	Public      bool      `json:"public"`
	Bookmarked  bool      `json:"bookmarked"`
	Timestamp   Timestamp `json:"timestamp"`
	CreatedAt   Timestamp `json:"createdAt"`
	UpdatedAt   Timestamp `json:"updatedAt"`
	Input       string    `json:"input"`
	Output      string    `json:"output"`
}

func (d *Database) traces(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	t := eventTable{
		table: "traces", time: "timestamp", ids: []string{"id"}, until: d.untilEvents,
		columns: slices.Concat(
			same("id", "name", "environment", "version", "release", "user_id", "session_id", "tags", "public", "bookmarked",
				"input", "output"),
			mapped("metadata"), times("timestamp", "created_at", "updated_at"),
		),
		add: func(page *importing.Page, raw json.RawMessage) error {
			var row storedTrace
			if err := json.Unmarshal(raw, &row); err != nil {
				return err
			}
			addRow(page, importing.TraceRecord(&domain.TraceSummary{
				ID: row.ID, Name: row.Name, Environment: cmp.Or(row.Environment, "default"), Version: row.Version, Release: row.Release,
				UserID:    row.UserID,
				SessionID: row.SessionID, Tags: row.Tags, Public: row.Public, Bookmarked: row.Bookmarked, Timestamp: row.Timestamp.micros(),
				CreatedAt: row.CreatedAt.micros(), UpdatedAt: row.UpdatedAt.micros(), Input: row.Input, Output: row.Output,
				Metadata: d.rows.metadata(pairs(row.MetadataNames, row.MetadataValues)),
			}))
			return nil
		},
	}
	return t.pages(ctx, d, cursor)
}

func (d *Database) observations(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	t := eventTable{
		table: "observations", time: "start_time", ids: []string{"trace_id", "id"}, until: d.untilEvents,
		columns: slices.Concat(
			same("id", "trace_id", "parent_observation_id", "type", "name", "environment", "version", "level", "status_message",
				"provided_model_name",
				"internal_model_id", "usage_details", "cost_details", "provided_usage_details", "provided_cost_details",
				"usage_pricing_tier_id",
				"usage_pricing_tier_name", "prompt_id", "prompt_name", "prompt_version", "input inputText", "output outputText",
				"model_parameters modelParametersText"),
			mapped("metadata"), times("start_time", "end_time", "completion_start_time", "created_at", "updated_at"),
		),
		add: func(page *importing.Page, raw json.RawMessage) error {
			page.InheritTrace = true
			before := len(page.Observations)
			if err := d.addEvent(page, raw); err != nil {
				return err
			}
			for n := range page.Observations[before:] {
				page.Observations[before+n].Source = domain.SourceIngestion
			}
			return nil
		},
	}
	return t.pages(ctx, d, cursor)
}

// loadScoreContext loads what scores refer to: categories, and runs, whose ids differ in the target.
func (d *Database) loadScoreContext(ctx context.Context) error {
	if d.configs != nil {
		return nil
	}
	configs, runs := make(map[string]domain.ScoreConfig), make(map[string]string)
	for page, err := range scoreConfigRows.pages(ctx, d, "") {
		if err != nil {
			return err
		}
		for _, record := range page.Records {
			if config, ok := record.(domain.ScoreConfig); ok {
				configs[config.ID] = config
			}
		}
	}
	if d.columns["dataset_runs"] != nil {
		found, err := d.postgres.QueryContext(ctx, "SELECT id, project_id, dataset_id, name FROM dataset_runs")
		if err != nil {
			return err
		}
		defer found.Close() //nolint:errcheck // only read
		for found.Next() {
			var id, project, dataset, name string
			if err := found.Scan(&id, &project, &dataset, &name); err != nil {
				return err
			}
			runs[id] = domain.ExperimentID(project, dataset, name)
		}
		if err := found.Err(); err != nil {
			return err
		}
	}
	d.configs, d.runs = configs, runs
	return nil
}

func (d *Database) scores(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	t := eventTable{
		table: "scores", time: "timestamp", ids: []string{"id"},
		columns: slices.Concat(
			same("id", "name", "data_type", "value", "string_value", "long_string_value", "source", "environment", "comment", "config_id",
				"author_user_id",
				"queue_id", "execution_trace_id", "trace_id", "observation_id", "session_id", "dataset_run_id"),
			mapped("metadata"), times("timestamp", "created_at", "updated_at"),
		),
		add: func(page *importing.Page, raw json.RawMessage) error {
			var s struct {
				scoreRow
				lists
				LongText string `json:"longStringValue"`
			}
			if err := json.Unmarshal(raw, &s); err != nil {
				return err
			}
			s.Metadata, s.StringValue = pairs(s.MetadataNames, s.MetadataValues), cmp.Or(s.LongText, s.StringValue)
			if s.DataType != domain.ScoreNumeric && s.DataType != domain.ScoreBoolean {
				s.Value = nil // these have 0 for no value
			}
			s.RunID = cmp.Or(d.runs[s.RunID], s.RunID)
			score, reason := s.score(d.configs)
			if reason != "" {
				skip(page, reason, s.ID)
				return nil
			}
			page.Scores = append(page.Scores, score)
			return nil
		},
	}
	return func(yield func(*importing.Page, error) bool) {
		if err := d.loadScoreContext(ctx); err != nil {
			yield(nil, err)
			return
		}
		t.pages(ctx, d, cursor)(yield)
	}
}

type storedRunItem struct {
	wire.RunItem
	DatasetID string `json:"datasetId"`
	ProjectID string `json:"projectId"`
}

func addRunItem(page *importing.Page, i *storedRunItem) {
	run := domain.ExperimentID(page.ProjectID, i.DatasetID, i.RunName)
	page.Records = append(page.Records, i.Domain(run, i.RunName))
}

// runItems reads run items from where the installation has them: ClickHouse, or PostgreSQL in older ones.
func (d *Database) runItems(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	if d.events == nil || d.inEvents["dataset_run_items_rmt"] == nil {
		return relation[storedRunItem]{
			table: "dataset_run_items", columns: "id project_id dataset_run_id dataset_item_id trace_id observation_id created_at",
			keys: projectKeys,
			query: fixed(`SELECT i.*, r.name AS dataset_run_name, r.dataset_id FROM dataset_run_items i
				JOIN dataset_runs r ON r.id = i.dataset_run_id AND r.project_id = i.project_id`),
			add: func(_ *Database, page *importing.Page, i *storedRunItem) { addRunItem(page, i) },
		}.pages(ctx, d, cursor)
	}
	t := eventTable{
		table: "dataset_run_items_rmt", time: "created_at", ids: []string{"id"},
		columns: slices.Concat(same("dataset_run_name", "dataset_id", "dataset_item_id", "trace_id", "observation_id"),
			times("created_at")),
		add: func(page *importing.Page, raw json.RawMessage) error {
			var i storedRunItem
			if err := json.Unmarshal(raw, &i); err != nil {
				return err
			}
			addRunItem(page, &i)
			return nil
		},
	}
	return t.pages(ctx, d, cursor)
}
