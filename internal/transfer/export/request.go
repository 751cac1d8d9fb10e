package export

import (
	"almanac/internal/domain"
	"almanac/internal/query/explore"
)

// The tables.
const (
	Observations    = "observations"
	Traces          = "traces"
	Sessions        = "sessions"
	Users           = "users"
	Scores          = "scores"
	DatasetItems    = "dataset_items"
	DatasetRunItems = "dataset_run_items"
	AuditLogs       = "audit_logs"
)

// Tables returns the names of all tables.
func Tables() []string {
	return []string{Observations, Traces, Sessions, Users, Scores, DatasetItems, DatasetRunItems, AuditLogs}
}

// Request describes the contents of a file.
type Request struct {
	Table  string `json:"table"`
	Format string `json:"format"`
	// Compressed means that the file is compressed with gzip. Parquet files, which are compressed in themselves, are not.
	Compressed bool `json:"compressed,omitempty"`
	explore.Choice
	// DatasetName is the dataset whose items to export; empty for all.
	DatasetName string `json:"datasetName,omitempty"`
	// Additional columns, if the requester may read them.
	WithScores   bool `json:"withScores,omitempty"`
	WithComments bool `json:"withComments,omitempty"`
	WithTraces   bool `json:"withTraces,omitempty"`
}

// Readable are the permissions of which an API key needs at least one to use exports.
const Readable = domain.TracesRead | domain.ScoresRead | domain.DatasetsRead

// TablePermission returns the permission needed to export a table.
func TablePermission(table string) domain.Permission {
	switch table {
	case Scores:
		return domain.ScoresRead
	case DatasetItems, DatasetRunItems:
		return domain.DatasetsRead
	case AuditLogs:
		return domain.AuditRead
	}
	return domain.TracesRead
}

// Include adds the columns that the requester may read.
func (r *Request) Include(may func(domain.Permission) bool) {
	switch r.Table {
	case Observations, Traces, Sessions:
		r.WithScores, r.WithComments = may(domain.ScoresRead), may(domain.CommentsRead)
	case Scores:
		r.WithTraces = may(domain.TracesRead)
	}
}

// Needs returns the permissions needed to download the file: those for everything in it.
func (r *Request) Needs() []domain.Permission {
	needs := []domain.Permission{TablePermission(r.Table)}
	for _, more := range []struct {
		has bool
		p   domain.Permission
	}{{r.WithScores, domain.ScoresRead}, {r.WithComments, domain.CommentsRead}, {r.WithTraces, domain.TracesRead}} {
		if more.has {
			needs = append(needs, more.p)
		}
	}
	return needs
}

// Check validates the filter, whose path in the request is place, before anything is read.
func (r *Request) Check(place ...any) error {
	var err error
	switch r.Table {
	case Scores:
		_, err = r.Scores(place...)
	case Observations, Traces, Sessions, Users:
		_, err = r.Observations(place...)
	}
	return err
}
