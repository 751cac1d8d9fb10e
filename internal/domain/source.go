package domain

import "strings"

// The sources of observations: how they were sent.
const (
	SourceOTel = "otel"
	// SourceIngestion: events of the batch ingestion endpoint.
	SourceIngestion = "ingestion"
	// SourceIngestionEarly: the same, but only updates have arrived so far, so the start time is a guess.
	SourceIngestionEarly = "ingestion-early"
	// SourceIngestionTrace: the row represents a whole trace sent to the batch ingestion endpoint.
	SourceIngestionTrace = "ingestion-trace"
	// SourceServer: the server itself called a model.
	SourceServer = "server"
)

// traceRecordPrefix turns the id of a trace into the id of its record. It cannot collide with span ids, which are
// hexadecimal.
const traceRecordPrefix = "t-"

// TraceRecordID returns the id of the record of a trace, if there is one.
func TraceRecordID(traceID string) string { return traceRecordPrefix + traceID }

// IsTraceRecord reports whether the row is not an observation but represents its trace, which older clients send
// separately. Reads that know traces show it as the trace and not as an observation.
func (o *Observation) IsTraceRecord() bool { return o.Source == SourceIngestionTrace }

// IsIngested reports whether the row is an observation that was sent to the batch ingestion endpoint.
func (o *Observation) IsIngested() bool {
	return o.Source == SourceIngestion || o.Source == SourceIngestionEarly
}

// SentParentID returns the parent sent by the client. Rows sent without one have the record of the trace as
// parent.
func (o *Observation) SentParentID() string {
	if trace, ok := strings.CutPrefix(o.ParentID, traceRecordPrefix); ok && trace == o.TraceID && o.IsIngested() {
		return ""
	}
	return o.ParentID
}
