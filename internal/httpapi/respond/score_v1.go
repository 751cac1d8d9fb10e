package respond

import (
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// AppendScoreV1 appends a score as the first version of the API shows it: flat, and without the subjects that it does
// not know.
func AppendScoreV1(dst []byte, s *domain.Score, projectID string, flush Flush) []byte {
	return append(appendFlatScore(dst, s, projectID, false, flush), '}')
}

// AppendScoreV2 appends a score as the second version of the API shows it.
func AppendScoreV2(dst []byte, s *domain.Score, projectID string, flush Flush) []byte {
	return append(appendFlatScore(dst, s, projectID, true, flush), '}')
}

// AppendListedScoreV1 appends a score of a list, with what is known of its trace, which may be nil.
func AppendListedScoreV1(dst []byte, s *domain.Score, projectID string, trace *domain.TraceSummary, flush Flush) []byte {
	return append(appendTraceOfScore(appendFlatScore(dst, s, projectID, false, flush), trace, false), '}')
}

// AppendListedScoreV2 is AppendListedScoreV1 of the second version.
func AppendListedScoreV2(dst []byte, s *domain.Score, projectID string, trace *domain.TraceSummary, flush Flush) []byte {
	return append(appendTraceOfScore(appendFlatScore(dst, s, projectID, true, flush), trace, true), '}')
}

func appendFlatScore(dst []byte, s *domain.Score, projectID string, second bool, flush Flush) []byte {
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, s.ID)
	dst = append(dst, `,"projectId":`...)
	dst = jsontext.AppendString(dst, projectID)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, s.Environment, defaultEnvironment)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, s.Name)
	if s.DataType != domain.ScoreText {
		dst = append(dst, `,"value":`...)
		dst = jsontext.AppendNumber(dst, s.Value.Value)
	}
	dst = append(dst, `,"source":`...)
	dst = jsontext.AppendString(dst, s.Source)
	dst = append(dst, `,"authorUserId":`...)
	dst = appendTextOrNull(dst, s.AuthorUserID)
	dst = append(dst, `,"comment":`...)
	dst = appendLongTextOrNull(dst, s.Comment, flush)
	dst = append(dst, `,"metadata":`...)
	dst = appendObject(dst, s.Metadata, flush)
	dst = append(dst, `,"configId":`...)
	dst = appendTextOrNull(dst, s.ConfigID)
	dst = append(dst, `,"queueId":`...)
	dst = appendTextOrNull(dst, s.QueueID)
	dst = append(dst, `,"executionTraceId":`...)
	dst = appendTextOrNull(dst, s.ExecutionTraceID)
	dst = append(dst, `,"createdAt":`...)
	dst = appendDate(dst, s.CreatedAt)
	dst = append(dst, `,"updatedAt":`...)
	dst = appendDate(dst, s.UpdatedAt)
	dst = append(dst, `,"timestamp":`...)
	dst = appendDate(dst, s.Timestamp)
	dst = append(dst, `,"traceId":`...)
	dst = appendTextOrNull(dst, s.TraceID)
	dst = append(dst, `,"observationId":`...)
	dst = appendTextOrNull(dst, s.ObservationID)
	if second {
		dst = append(dst, `,"sessionId":`...)
		dst = appendTextOrNull(dst, s.SessionID)
		dst = append(dst, `,"datasetRunId":`...)
		dst = appendTextOrNull(dst, s.ExperimentID)
	}
	dst = append(dst, `,"stringValue":`...)
	dst = appendStringValue(dst, s, flush)
	dst = append(dst, `,"dataType":`...)
	return jsontext.AppendString(dst, s.DataType)
}

// appendStringValue appends what a score says as a text; a number is none.
func appendStringValue(dst []byte, s *domain.Score, flush Flush) []byte {
	switch {
	case s.DataType == domain.ScoreNumeric:
		return append(dst, "null"...)
	case s.DataType != domain.ScoreBoolean:
		return jsontext.AppendLongString(dst, s.StringValue, flush)
	case s.Value.Value == 1:
		return append(dst, `"True"`...)
	}
	return append(dst, `"False"`...)
}

// appendTraceOfScore appends the trace of a score in a list.
func appendTraceOfScore(dst []byte, trace *domain.TraceSummary, second bool) []byte {
	if trace == nil {
		return append(dst, `,"trace":null`...)
	}
	dst = append(dst, `,"trace":{"userId":`...)
	dst = appendTextOrNull(dst, trace.UserID)
	dst = append(dst, `,"tags":`...)
	dst = appendTexts(dst, trace.Tags)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, trace.Environment, defaultEnvironment)
	if second {
		dst = append(dst, `,"sessionId":`...)
		dst = appendTextOrNull(dst, trace.SessionID)
	}
	return append(dst, '}')
}
