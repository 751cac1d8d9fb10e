package domain

import "strings"

// The sources of observations: how they were sent.
const (
	SourceOTel = "otel"
	// SourceIngestion: events of the batch ingestion endpoint.
	SourceIngestion = "ingestion"
	// SourceIngestionEarly: the same, but so far only updates came, so when it started is a guess.
	SourceIngestionEarly = "ingestion-early"
	// SourceIngestionTrace: the row stands for a whole trace that was sent to the batch ingestion endpoint.
	SourceIngestionTrace = "ingestion-trace"
)

// standInPrefix makes the id of a trace the id of the row that stands for it. Ids of spans are hexadecimal digits.
const standInPrefix = "t-"

// StandInID returns the id of the row that stands for a trace, if there is one.
func StandInID(traceID string) string { return standInPrefix + traceID }

// IsTraceRecord reports whether the row is no observation but stands for its trace: the trace was sent on its own, as older
// clients do. Reads that know traces show it as the trace, and not as an observation.
func (o *Observation) IsTraceRecord() bool { return o.Source == SourceIngestionTrace }

// IsIngested reports whether the row is an observation that was sent to the batch ingestion endpoint.
func (o *Observation) IsIngested() bool {
	return o.Source == SourceIngestion || o.Source == SourceIngestionEarly
}

// SentParentID returns the parent that the client named. The row that stands for the trace is the parent of those that
// were sent without one.
func (o *Observation) SentParentID() string {
	if trace, ok := strings.CutPrefix(o.ParentID, standInPrefix); ok && trace == o.TraceID && o.IsIngested() {
		return ""
	}
	return o.ParentID
}
