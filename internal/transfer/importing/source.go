// Package importing imports data from another installation. A Source yields records table by table and page by page; a
// Target stores them below the HTTP layer, with their original ids, times, costs, authors and version numbers.
// Importing the same data again changes nothing, and an import that was killed continues after the last page that was
// saved.
package importing

import (
	"context"
	"io"
	"iter"

	"almanac/internal/domain"
)

// Tables, in the order in which sources should list them: tables that others refer to come first. Sources may have
// others.
const (
	Organizations     = "organizations"
	Projects          = "projects"
	Users             = "users"
	Members           = "members"
	Keys              = "api_keys"
	ScoreConfigs      = "score_configs"
	Models            = "models"
	LLMConnections    = "llm_connections"
	Prompts           = "prompts"
	Datasets          = "datasets"
	DatasetItems      = "dataset_items"
	Traces            = "traces"
	Observations      = "observations"
	Experiments       = "experiment_items"
	DatasetRuns       = "dataset_runs"
	DatasetRunItems   = "dataset_run_items"
	Scores            = "scores"
	AnnotationQueues  = "annotation_queues"
	AnnotationItems   = "annotation_queue_items"
	Comments          = "comments"
	Widgets           = "dashboard_widgets"
	Dashboards        = "dashboards"
	Evaluators        = "evaluators"
	EvaluationRules   = "evaluation_rules"
	Media             = "media"
	BlobStorage       = "blob_storage_integrations"
	AuditLog          = "audit_log"
	AnnotationMembers = "annotation_queue_assignments"
)

// Source is the origin of records.
type Source interface {
	// Identity identifies the source: its location and project, without secrets. An interrupted import continues if the
	// identity is the same.
	Identity() string
	// Tables returns the existing tables, in import order.
	Tables(ctx context.Context) ([]string, error)
	// Pages reads a table from the beginning or, if a cursor is given, from after the page with that cursor. Pages are
	// read ahead, so what a page holds must stay valid. An error ends the table.
	Pages(ctx context.Context, table, cursor string) iter.Seq2[*Page, error]
}

// Page is a set of records of a table that belong to one project. The import advances past a page only once all of it
// is stored; if it is killed before, the page is imported again.
type Page struct {
	// ProjectID is the id of the project in the source; empty for records that belong to no project.
	ProjectID string

	Observations []domain.Observation
	Scores       []domain.Score
	// Traces are the fields of traces themselves. Their observations, if any, must have been imported before.
	Traces []domain.TraceSummary
	// GoneObservations and GoneScores are rows that were deleted; they are deleted before the others are stored.
	GoneObservations, GoneScores []domain.RowKey
	// Records are catalog records, of the types that catalog.Import accepts.
	Records []any
	// Experiments assign rows that were imported before to experiment items.
	Experiments []ExperimentItem
	// Files are media files that are fetched when the page is imported.
	Files []File

	// InheritTrace means that the observations lack the fields of their traces, whose records (see TraceRecord) were
	// imported before: they inherit name, user, session, tags, release and the public flag from there.
	InheritTrace bool
	// Adopt means that observations without a parent may belong below the row that stands for their trace.
	Adopt bool

	// Skipped are records of the source that the page cannot hold.
	Skipped []Skip
	// Note is a remark about the table, such as that the source does not have it.
	Note string
	// Cursor is where the table continues after this page.
	Cursor string
}

// Skip says why records were left out.
type Skip struct {
	Reason  string // identical for all records with the same problem
	Example string // the id of one of them
	Count   int64  // 0 means 1
}

// File is a media file of the source.
type File struct {
	ID    string // as referenced in texts
	Links []domain.MediumLink
	// Open fetches the file. It returns fs.ErrNotExist if the file no longer exists.
	Open func(ctx context.Context) (*OpenFile, error)
}

// OpenFile is a media file being read.
type OpenFile struct {
	io.ReadCloser
	ContentType string
	Length      int64 // must be known
}

// ExperimentItem is the span that stands for an item of an experiment. The experiment fields are copied to that span
// and its descendants.
type ExperimentItem struct {
	TraceID    string
	RootSpanID string

	ID, Name, Description, DatasetID string
	Metadata                         string // JSON object
	ItemID, ItemVersion              string
	ItemExpectedOutput               string
	ItemMetadata                     string // JSON object
}
