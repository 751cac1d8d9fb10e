package langfuse

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
)

// Tables in ClickHouse. They are read project by project in time order, in windows of whole minutes with about
// eventsAtOnce rows each, so that ClickHouse never sorts much.

// eventsAtOnce is the number of rows read at a time.
const eventsAtOnce = 2000

// eventTable defines how a ClickHouse table is read.
type eventTable struct {
	table string
	// time is the column that orders rows, and ids are those that distinguish rows of the same time.
	time string
	ids  []string
	// columns are expressions with their names; those whose column the source lacks are left out.
	columns []eventColumn
	// until, if set, returns the time in microseconds from which rows of a project are left out; 0 for none.
	until func(ctx context.Context, project string) (int64, error)
	add   func(page *importing.Page, row json.RawMessage) error
}

type eventColumn struct{ column, expression, name string }

// same returns columns that are read as they are. A second word is the name, if it differs from the default.
func same(lines ...string) (columns []eventColumn) {
	for _, line := range lines {
		column, name, _ := strings.Cut(line, " ")
		name = cmp.Or(name, string(appendCamel(nil, column)))
		columns = append(columns, eventColumn{column, "x." + column, name})
	}
	return columns
}

// times returns columns that are read as strings, in UTC.
func times(lines ...string) (columns []eventColumn) {
	for _, c := range same(lines...) {
		c.expression = "toString(toTimeZone(x." + c.column + ", 'UTC'))"
		columns = append(columns, c)
	}
	return columns
}

// eventCursor identifies the row after which reading continues.
type eventCursor struct {
	Project string   `json:"project"`
	Time    int64    `json:"time"` // in microseconds
	IDs     []string `json:"ids"`
}

func (t *eventTable) pages(ctx context.Context, d *Database, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		if d.events == nil {
			yield(&importing.Page{Note: "--clickhouse is not set: its rows are left out"}, nil)
			return
		}
		there, known := d.inEvents[t.table]
		if !known {
			yield(&importing.Page{Note: "the source has no table " + t.table + " in ClickHouse"}, nil)
			return
		}
		var from eventCursor
		if cursor != "" {
			if err := json.Unmarshal([]byte(cursor), &from); err != nil {
				yield(nil, fmt.Errorf("%q is not a cursor", cursor))
				return
			}
		}
		if note := t.missing(there); note != "" && !yield(&importing.Page{Note: note, Cursor: cursor}, nil) {
			return
		}
		first, _ := slices.BinarySearch(d.projects, from.Project)
		for _, project := range d.projects[first:] {
			if project != from.Project {
				from = eventCursor{Project: project}
			}
			here, err := d.options.Here(ctx, project)
			if err != nil {
				yield(nil, err)
				return
			}
			if !here {
				if !yield(&importing.Page{Note: "rows of the project " + project + " are left out: it does not exist here", Cursor: cursor},
					nil) {
					return
				}
				continue
			}
			for page, err := range t.project(ctx, d, there, from) {
				if err != nil {
					err = fmt.Errorf("cannot read the table %s of the source: %w", t.table, err)
				}
				if !yield(page, err) || err != nil {
					return
				}
				cursor = page.Cursor
			}
		}
	}
}

func (t *eventTable) missing(there []string) string {
	var missing []string
	for _, c := range t.columns {
		if !slices.Contains(there, c.column) {
			missing = append(missing, c.column)
		}
	}
	if missing == nil {
		return ""
	}
	return "the source has no columns " + strings.Join(missing, ", ") + " in " + t.table
}

// micros returns an SQL expression for the time of a row in microseconds.
func (t *eventTable) micros() string {
	return "toUnixTimestamp64Micro(toDateTime64(x." + t.time + ", 6))"
}

// project reads the rows of a project after a cursor.
func (t *eventTable) project(ctx context.Context, d *Database, there []string, from eventCursor) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		until := int64(0)
		if t.until != nil {
			var err error
			if until, err = t.until(ctx, from.Project); err != nil {
				yield(nil, err)
				return
			}
		}
		windows, err := t.windows(ctx, d, from, until)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, w := range windows {
			for {
				rows := 0
				for page, err := range t.window(ctx, d, there, from, w, &rows) {
					if err == nil {
						if err = json.Unmarshal([]byte(page.Cursor), &from); err != nil {
							yield(nil, err)
							return
						}
					}
					if !yield(page, err) || err != nil {
						return
					}
				}
				if rows < eventsAtOnce {
					break
				}
			}
		}
	}
}

// window is a time range in microseconds, with an exclusive end.
type window struct{ from, to int64 }

// windows divides the time from a cursor on into windows.
func (t *eventTable) windows(ctx context.Context, d *Database, from eventCursor, until int64) (list []window, err error) {
	const minute = 60 * 1_000_000
	question := "SELECT intDiv(" + t.micros() + ", 60000000) AS minute, count() AS rows FROM " + t.table +
		" AS x WHERE x.project_id = {p0:String} AND x." + t.time + " >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')"
	parameters := []string{from.Project, strconv.FormatInt(from.Time, 10)}
	if until > 0 {
		question += " AND x." + t.time + " < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')"
		parameters = append(parameters, strconv.FormatInt(until, 10))
	}
	var open *window
	rows := int64(0)
	for row, err := range d.events.Rows(ctx, question+" GROUP BY minute ORDER BY minute", parameters...) {
		var bucket struct{ Minute, Rows int64 }
		if err == nil {
			err = json.Unmarshal(row, &bucket)
		}
		if err != nil {
			return nil, err
		}
		if open == nil || rows+bucket.Rows > eventsAtOnce {
			list = append(list, window{from: bucket.Minute * minute})
			open, rows = &list[len(list)-1], 0
		}
		open.to, rows = (bucket.Minute+1)*minute, rows+bucket.Rows
		if until > 0 {
			open.to = min(open.to, until)
		}
	}
	return list, nil
}

// window reads up to eventsAtOnce rows of a window after a cursor.
func (t *eventTable) window(
	ctx context.Context, d *Database, there []string, from eventCursor, w window, rows *int,
) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		question, parameters := t.question(there, from, w)
		page, bytes := &importing.Page{ProjectID: from.Project}, 0
		d.rows.begin()
		for row, err := range d.events.Rows(ctx, question, parameters...) {
			var place struct {
				Time int64    `json:"_time"`
				IDs  []string `json:"_ids"`
			}
			if err == nil {
				err = json.Unmarshal(row, &place)
			}
			if err == nil {
				err = t.add(page, row)
			}
			if err == nil {
				var cursor []byte
				cursor, err = json.Marshal(eventCursor{from.Project, place.Time, place.IDs})
				page.Cursor = string(cursor)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			*rows++
			if bytes += len(row); bytes >= pageBytes {
				if !yield(page, nil) {
					return
				}
				page, bytes = &importing.Page{ProjectID: from.Project}, 0
				d.rows.begin()
			}
		}
		if page.Cursor != "" {
			yield(page, nil)
		}
	}
}

func (t *eventTable) question(there []string, from eventCursor, w window) (string, []string) {
	selected := []string{t.micros() + " AS _time", "[x." + strings.Join(t.ids, ", x.") + "] AS _ids"}
	for _, c := range t.columns {
		if slices.Contains(there, c.column) {
			selected = append(selected, c.expression+" AS `"+c.name+"`")
		}
	}
	parameters := []string{from.Project, strconv.FormatInt(max(w.from, from.Time), 10), strconv.FormatInt(w.to, 10)}
	where := " WHERE x.project_id = {p0:String} AND x." + t.time + " >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')" +
		" AND x." + t.time + " < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')"
	if slices.Contains(there, "is_deleted") {
		where += " AND x.is_deleted = 0"
	}
	if from.IDs != nil && from.Time >= w.from {
		places := []string{"{p1:Int64}"}
		for _, id := range from.IDs {
			places, parameters = append(places, "{p"+strconv.Itoa(len(parameters))+":String}"), append(parameters, id)
		}
		where += " AND (_time, x." + strings.Join(t.ids, ", x.") + ") > (" + strings.Join(places, ", ") + ")"
	}
	return "SELECT " + strings.Join(selected, ", ") + " FROM " + t.table + " AS x FINAL" + where +
		" ORDER BY _time, x." + strings.Join(t.ids, ", x.") + " LIMIT " + strconv.Itoa(eventsAtOnce), parameters
}

// lists are objects stored as lists of names and values.
type lists struct {
	MetadataNames            []string `json:"metadataNames"`
	MetadataValues           []string `json:"metadataValues"`
	ExperimentMetadataNames  []string `json:"experimentMetadataNames"`
	ExperimentMetadataValues []string `json:"experimentMetadataValues"`
	ItemMetadataNames        []string `json:"experimentItemMetadataNames"`
	ItemMetadataValues       []string `json:"experimentItemMetadataValues"`
}

// storedEvent is a row of events_full. The fields that it shares with the API are in observationRow.
type storedEvent struct {
	observationRow
	lists
	IsAppRoot                    bool            `json:"isAppRoot"`
	Source                       string          `json:"source"`
	ProvidedUsage                json.RawMessage `json:"providedUsageDetails"`
	ProvidedCost                 json.RawMessage `json:"providedCostDetails"`
	InputText                    string          `json:"inputText"`
	OutputText                   string          `json:"outputText"`
	ExperimentID                 string          `json:"experimentId"`
	ExperimentName               string          `json:"experimentName"`
	ExperimentDescription        string          `json:"experimentDescription"`
	ExperimentDatasetID          string          `json:"experimentDatasetId"`
	ExperimentItemID             string          `json:"experimentItemId"`
	ExperimentItemVersion        string          `json:"experimentItemVersion"`
	ExperimentItemRootSpanID     string          `json:"experimentItemRootSpanId"`
	ExperimentItemExpectedOutput string          `json:"experimentItemExpectedOutput"`
	ServiceName                  string          `json:"serviceName"`
	ServiceVersion               string          `json:"serviceVersion"`
	ScopeName                    string          `json:"scopeName"`
	ScopeVersion                 string          `json:"scopeVersion"`
	TelemetryLanguage            string          `json:"telemetrySdkLanguage"`
	TelemetryName                string          `json:"telemetrySdkName"`
	TelemetryVersion             string          `json:"telemetrySdkVersion"`
	IngestionKey                 string          `json:"ingestionApiKey"`
	SDKName                      string          `json:"ingestionSdkName"`
	SDKVersion                   string          `json:"ingestionSdkVersion"`
}

var eventColumns = slices.Concat(
	same("span_id id", "trace_id", "parent_span_id parentObservationId", "name", "type", "environment", "version", "release", "trace_name",
		"user_id", "session_id", "tags", "level", "status_message", "is_app_root", "bookmarked", "public", "prompt_id", "prompt_name",
		"prompt_version",
		"model_id", "provided_model_name", "usage_details", "cost_details", "provided_usage_details", "provided_cost_details",
		"usage_pricing_tier_id", "usage_pricing_tier_name", "input inputText", "output outputText", "metadata_names", "metadata_values",
		"experiment_id", "experiment_name", "experiment_description", "experiment_dataset_id", "experiment_item_id",
		"experiment_item_expected_output", "experiment_item_root_span_id", "experiment_metadata_names", "experiment_metadata_values",
		"experiment_item_metadata_names", "experiment_item_metadata_values", "source", "service_name", "service_version", "scope_name",
		"scope_version",
		"telemetry_sdk_language", "telemetry_sdk_name", "telemetry_sdk_version", "ingestion_api_key", "ingestion_sdk_name",
		"ingestion_sdk_version"),
	same("model_parameters modelParametersText"),
	times("start_time", "end_time", "completion_start_time", "created_at", "updated_at", "experiment_item_version"),
)

func (d *Database) eventRows(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	t := eventTable{table: "events_full", time: "start_time", ids: []string{"trace_id", "span_id"}, columns: eventColumns, add: d.addEvent}
	return t.pages(ctx, d, cursor)
}

func (d *Database) addEvent(page *importing.Page, raw json.RawMessage) error {
	var e struct {
		storedEvent
		ParametersText string `json:"modelParametersText"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	e.Input, e.Output = textJSON(e.InputText), textJSON(e.OutputText)
	e.Metadata, e.ModelParameters = pairs(e.MetadataNames, e.MetadataValues), storedJSON(e.ParametersText)
	row := d.rows.observation(&e.observationRow)
	if usage := object(e.ProvidedUsage, isInteger); usage != "" {
		row.ProvidedUsage = usage
	}
	if cost := object(e.ProvidedCost, isNumber); cost != "" {
		row.ProvidedCost = cost
	}
	row.IsAppRoot = e.IsAppRoot
	if row.Source == domain.SourceOTel && e.Source != "" && !strings.HasPrefix(e.Source, "otel") {
		row.Source = domain.SourceIngestion
	}
	row.ExperimentID, row.ExperimentName, row.ExperimentDescription = e.ExperimentID, e.ExperimentName, e.ExperimentDescription
	row.ExperimentDatasetID, row.ExperimentItemID, row.ExperimentItemRootSpanID = e.ExperimentDatasetID, e.ExperimentItemID,
		e.ExperimentItemRootSpanID
	row.ExperimentItemExpectedOutput, row.ExperimentItemVersion = e.ExperimentItemExpectedOutput, isoTime(e.ExperimentItemVersion)
	row.ExperimentMetadata = string(pairs(e.ExperimentMetadataNames, e.ExperimentMetadataValues))
	row.ExperimentItemMetadata = string(pairs(e.ItemMetadataNames, e.ItemMetadataValues))
	row.ServiceName, row.ServiceVersion, row.ScopeName, row.ScopeVersion = e.ServiceName, e.ServiceVersion, e.ScopeName, e.ScopeVersion
	row.TelemetryLanguage, row.TelemetryName, row.TelemetryVersion = e.TelemetryLanguage, e.TelemetryName, e.TelemetryVersion
	row.IngestionKey, row.SDKName, row.SDKVersion = e.IngestionKey, known(e.SDKName), known(e.SDKVersion)
	addRow(page, row)
	return nil
}

// known returns "" for "unknown".
func known(text string) string {
	if text == "unknown" {
		return ""
	}
	return text
}

// isoTime converts a ClickHouse time to the form that clients send.
func isoTime(text string) string {
	date, clock, ok := strings.Cut(text, " ")
	if !ok {
		return text
	}
	return date + "T" + clock + "Z"
}

// addRow adds an observation, unless it lacks an id, trace or start time.
func addRow(page *importing.Page, row domain.Observation) {
	if row.ID == "" || row.TraceID == "" || row.StartTime == 0 {
		skip(page, "it has no id, no trace or no start time", row.ID)
		return
	}
	page.Observations = append(page.Observations, row)
}

// textJSON returns a string, which may itself contain JSON, as a JSON string.
func textJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	quoted, _ := json.Marshal(text) // a string cannot fail
	return quoted
}

// storedJSON returns JSON that is stored as text.
func storedJSON(text string) json.RawMessage {
	if text == "" || !json.Valid([]byte(text)) {
		return textJSON(text)
	}
	return json.RawMessage(text)
}
