package respond

import (
	"cmp"

	"almanac/internal/domain"
)

// AppendTrace appends a trace as the deprecated list of traces returns it.
func AppendTrace(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields, flush Flush) []byte {
	dst = appendTraceMembers(dst, t, projectID, fields, flush)
	dst = appendIDs(dst, `,"observations":`, t.ObservationIDs, fields.Has(TraceObservations))
	dst = appendIDs(dst, `,"scores":`, t.ScoreIDs, fields.Has(TraceScores))
	dst = appendTraceMetrics(dst, t, projectID, fields)
	return append(dst, '}')
}

// AppendTraceDetail appends a trace as the deprecated route for a single trace returns it. The functions append the
// elements of the lists of observations and scores, and are called only if fields includes those groups.
func AppendTraceDetail(
	dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields, observations, scores func(dst []byte) []byte, flush Flush,
) []byte {
	dst = appendTraceMembers(dst, t, projectID, fields, flush)
	dst = append(dst, `,"observations":[`...)
	if fields.Has(TraceObservations) {
		dst = observations(dst)
	}
	dst = append(dst, `],"scores":[`...)
	if fields.Has(TraceScores) {
		dst = scores(dst)
	}
	dst = append(dst, ']')
	dst = appendTraceMetrics(dst, t, projectID, fields)
	return append(dst, '}')
}

// AppendTraceOfSession appends a trace as the deprecated session route returns it.
func AppendTraceOfSession(dst []byte, t *domain.TraceSummary, projectID string, flush Flush) []byte {
	dst = appendTraceMembers(dst, t, projectID, AllTraceFields, flush)
	return append(dst, '}')
}

// appendTraceMembers appends the members common to all forms of a trace, without the closing brace.
func appendTraceMembers(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields, flush Flush) []byte {
	dst = appendText(dst, `{"id":`, t.ID)
	dst = appendText(dst, `,"projectId":`, projectID)
	dst = appendText(dst, `,"name":`, t.Name)
	dst = appendDate(dst, `,"timestamp":`, t.Timestamp)
	dst = appendText(dst, `,"environment":`, cmp.Or(t.Environment, defaultEnvironment))
	dst = appendTexts(dst, `,"tags":`, t.Tags)
	dst = appendBool(dst, `,"bookmarked":`, t.Bookmarked)
	dst = appendTextOrNull(dst, `,"release":`, t.Release)
	dst = appendTextOrNull(dst, `,"version":`, t.Version)
	dst = appendTextOrNull(dst, `,"userId":`, t.UserID)
	dst = appendTextOrNull(dst, `,"sessionId":`, t.SessionID)
	dst = appendBool(dst, `,"public":`, t.Public)
	if fields.Has(TraceIO) {
		dst = appendParsed(dst, `,"input":`, t.Input, flush)
		dst = appendParsed(dst, `,"output":`, t.Output, flush)
		dst = appendNestedMetadata(dst, `,"metadata":`, t.Metadata, flush)
	} else {
		dst = append(dst, `,"input":null,"output":null,"metadata":{}`...)
	}
	dst = appendDate(dst, `,"createdAt":`, t.CreatedAt)
	dst = appendDate(dst, `,"updatedAt":`, t.UpdatedAt)
	return append(dst, `,"externalId":null`...)
}

func appendIDs(dst []byte, name string, ids []string, wanted bool) []byte {
	if !wanted {
		ids = nil
	}
	return appendTexts(dst, name, ids)
}

// appendTraceMetrics appends cost and latency, which are -1 if not requested, and the path of the trace's page.
func appendTraceMetrics(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields) []byte {
	if fields.Has(TraceMetrics) {
		dst = appendNumber(dst, `,"totalCost":`, t.TotalCost)
		dst = appendSeconds(dst, `,"latency":`, t.LatencyMillis)
	} else {
		dst = append(dst, `,"totalCost":-1,"latency":-1`...)
	}
	return appendText(dst, `,"htmlPath":`, "/project/"+projectID+"/traces/"+t.ID)
}
