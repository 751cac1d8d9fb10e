package export

import (
	"almanac/internal/domain"
	"almanac/internal/explore"
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

// Tables are the names of all tables.
func Tables() []string {
	return []string{Observations, Traces, Sessions, Users, Scores, DatasetItems, DatasetRunItems, AuditLogs}
}

// Request says what a file has.
type Request struct {
	Table  string `json:"table"`
	Format string `json:"format"`
	explore.Choice
	// DatasetName is the dataset whose items are wanted; empty for all.
	DatasetName string `json:"datasetName,omitempty"`
	// What is shown beside the rows of the table, if whoever asks may read it.
	WithScores   bool `json:"withScores,omitempty"`
	WithComments bool `json:"withComments,omitempty"`
	WithTraces   bool `json:"withTraces,omitempty"`
}

// Readable are the permissions of which whoever exports something with a key has one.
const Readable = domain.TracesRead | domain.ScoresRead | domain.DatasetsRead

// TablePermission returns what whoever exports a table must be allowed to read.
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

// Include adds to the file what whoever asks for it may read.
func (r *Request) Include(may func(domain.Permission) bool) {
	switch r.Table {
	case Observations, Traces:
		r.WithScores, r.WithComments = may(domain.ScoresRead), may(domain.CommentsRead)
	case Sessions:
		r.WithComments = may(domain.CommentsRead)
	case Scores:
		r.WithTraces = may(domain.TracesRead)
	}
}

// Needs returns what one must be allowed to read to get the file: everything that is in it.
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

// Check reports what is wrong with the filter, which stands at a place, before anything is read.
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
