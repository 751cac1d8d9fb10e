// Package importing brings what another installation has into this one. A Source yields records, table after table and page after
// page; a Target keeps them below the layer of HTTP, with the ids, times, costs, authors and version numbers that they have. Importing
// the same again changes nothing, and an import that was killed goes on behind the last page that is safe.
package importing

import (
	"context"
	"io"
	"iter"

	"almanac/internal/domain"
)

// The tables, in the order in which sources should have them: what is referred to comes first. Sources may have others.
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

// Source is where records come from.
type Source interface {
	// Identity names the source: where it is, and of which project, without secrets. An import that was interrupted goes on if the
	// identity is the same.
	Identity() string
	// Tables returns the tables that there are, in the order in which they are to be imported.
	Tables(ctx context.Context) ([]string, error)
	// Pages reads a table, from the beginning or, if a cursor is given, behind the page that had it. Pages are read ahead of their
	// use: what a page holds must stay valid. An error ends the table.
	Pages(ctx context.Context, table, cursor string) iter.Seq2[*Page, error]
}

// Page is some records of a table that belong to one project. They are kept together: all of them, or none if the import is killed.
type Page struct {
	// ProjectID is the project as the source calls it; empty for what belongs to no project.
	ProjectID string

	Observations []domain.Observation
	Scores       []domain.Score
	// Traces are what traces say of themselves. Their observations, if there are some, were imported before.
	Traces []domain.TraceSummary
	// GoneObservations and GoneScores are rows that were deleted; they are deleted before the others are kept.
	GoneObservations, GoneScores []domain.RowKey
	// Things are records of the catalog, of the types that catalog.Import knows.
	Things []any
	// Experiments say to which items of experiments rows belong that were imported before.
	Experiments []ExperimentItem
	// Files are media that are fetched when the page is imported.
	Files []File

	// InheritTrace says that the observations know nothing of their traces, whose records (see TraceRecord) were imported before:
	// they get name, user, session, tags and release from there.
	InheritTrace bool
	// Adopt says that observations without a parent may belong below the row that stands for their trace.
	Adopt bool

	// Skipped are those records of the source that the page cannot hold.
	Skipped []Skip
	// Note is something to know about the table, such as that the source does not have it.
	Note string
	// Cursor is where the table goes on.
	Cursor string
}

// Skip says why records were left out.
type Skip struct {
	Reason  string // the same for all records with the same problem
	Example string // the id of one of them
	Count   int64  // 0 stands for 1
}

// File is a medium of the source.
type File struct {
	ID    string // as texts refer to it
	Links []domain.MediumLink
	// Open fetches it. A file that is not there any more is fs.ErrNotExist.
	Open func(ctx context.Context) (*OpenFile, error)
}

// OpenFile is a medium that is being read.
type OpenFile struct {
	io.ReadCloser
	ContentType string
	Length      int64 // must be known
}

// ExperimentItem is the span that stands for an item of an experiment. Its members with the names of those of domain.Observation are
// given to that span and to those below it.
type ExperimentItem struct {
	TraceID    string
	RootSpanID string

	ID, Name, Description, DatasetID string
	Metadata                         string // JSON object
	ItemID, ItemVersion              string
	ItemExpectedOutput               string
	ItemMetadata                     string // JSON object
}
