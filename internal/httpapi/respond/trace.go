package respond

import (
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// AppendTrace appends a trace as the deprecated list of traces returns it.
func AppendTrace(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields, flush Flush) []byte {
	dst = appendTraceMembers(dst, t, projectID, fields, flush)
	dst = append(dst, `,"observations":`...)
	dst = appendIDs(dst, t.ObservationIDs, fields.Has(TraceObservations))
	dst = append(dst, `,"scores":`...)
	dst = appendIDs(dst, t.ScoreIDs, fields.Has(TraceScores))
	dst = appendTraceMetrics(dst, t, projectID, fields)
	return append(dst, '}')
}

// AppendTraceDetail appends a trace as the deprecated read of a single trace returns it. The functions append what is
// between the brackets of the lists of observations and of scores, and are called if these groups are among the fields.
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

// AppendTraceOfSession appends a trace as the deprecated read of a session returns it.
func AppendTraceOfSession(dst []byte, t *domain.TraceSummary, projectID string, flush Flush) []byte {
	dst = appendTraceMembers(dst, t, projectID, AllTraceFields, flush)
	return append(dst, '}')
}

// appendTraceMembers appends what all forms of a trace have in common, without the brace at the end.
func appendTraceMembers(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields, flush Flush) []byte {
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, t.ID)
	dst = append(dst, `,"projectId":`...)
	dst = jsontext.AppendString(dst, projectID)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, t.Name)
	dst = append(dst, `,"timestamp":`...)
	dst = appendDate(dst, t.Timestamp)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, t.Environment, defaultEnvironment)
	dst = append(dst, `,"tags":`...)
	dst = appendTexts(dst, t.Tags)
	dst = append(dst, `,"bookmarked":`...)
	dst = strconv.AppendBool(dst, t.Bookmarked)
	dst = append(dst, `,"release":`...)
	dst = appendTextOrNull(dst, t.Release)
	dst = append(dst, `,"version":`...)
	dst = appendTextOrNull(dst, t.Version)
	dst = append(dst, `,"userId":`...)
	dst = appendTextOrNull(dst, t.UserID)
	dst = append(dst, `,"sessionId":`...)
	dst = appendTextOrNull(dst, t.SessionID)
	dst = append(dst, `,"public":`...)
	dst = strconv.AppendBool(dst, t.Public)
	if fields.Has(TraceIO) {
		dst = append(dst, `,"input":`...)
		dst = appendParsed(dst, t.Input, flush)
		dst = append(dst, `,"output":`...)
		dst = appendParsed(dst, t.Output, flush)
		dst = append(dst, `,"metadata":`...)
		dst = appendNestedMetadata(dst, t.Metadata, flush)
	} else {
		dst = append(dst, `,"input":null,"output":null,"metadata":{}`...)
	}
	dst = append(dst, `,"createdAt":`...)
	dst = appendDate(dst, t.CreatedAt)
	dst = append(dst, `,"updatedAt":`...)
	dst = appendDate(dst, t.UpdatedAt)
	return append(dst, `,"externalId":null`...)
}

func appendIDs(dst []byte, ids []string, wanted bool) []byte {
	if !wanted {
		ids = nil
	}
	return appendTexts(dst, ids)
}

// appendTraceMetrics appends cost and latency, -1 where they are not asked for, and the address of the trace's page.
func appendTraceMetrics(dst []byte, t *domain.TraceSummary, projectID string, fields TraceFields) []byte {
	if fields.Has(TraceMetrics) {
		dst = append(dst, `,"totalCost":`...)
		dst = jsontext.AppendNumber(dst, t.TotalCost)
		dst = append(dst, `,"latency":`...)
		dst = appendSeconds(dst, t.LatencyMillis)
	} else {
		dst = append(dst, `,"totalCost":-1,"latency":-1`...)
	}
	dst = append(dst, `,"htmlPath":`...)
	return jsontext.AppendString(dst, "/project/"+projectID+"/traces/"+t.ID)
}
