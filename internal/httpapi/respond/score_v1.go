package respond

import (
	"cmp"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// AppendScoreV1 appends a score as version 1 of the API returns it: flat, and without sessions and dataset runs, which
// it does not know.
func AppendScoreV1(dst []byte, s *domain.Score, projectID string, flush Flush) []byte {
	return append(appendFlatScore(dst, s, projectID, false, flush), '}')
}

// AppendScoreV2 appends a score as version 2 of the API returns it.
func AppendScoreV2(dst []byte, s *domain.Score, projectID string, flush Flush) []byte {
	return append(appendFlatScore(dst, s, projectID, true, flush), '}')
}

// AppendListedScoreV1 appends a score of a list, with a summary of its trace, which may be nil.
func AppendListedScoreV1(dst []byte, s *domain.Score, projectID string, trace *domain.TraceSummary, flush Flush) []byte {
	return append(appendTraceOfScore(appendFlatScore(dst, s, projectID, false, flush), trace, false), '}')
}

// AppendListedScoreV2 is AppendListedScoreV1 for version 2 of the API.
func AppendListedScoreV2(dst []byte, s *domain.Score, projectID string, trace *domain.TraceSummary, flush Flush) []byte {
	return append(appendTraceOfScore(appendFlatScore(dst, s, projectID, true, flush), trace, true), '}')
}

func appendFlatScore(dst []byte, s *domain.Score, projectID string, second bool, flush Flush) []byte {
	dst = appendText(dst, `{"id":`, s.ID)
	dst = appendText(dst, `,"projectId":`, projectID)
	dst = appendText(dst, `,"environment":`, cmp.Or(s.Environment, defaultEnvironment))
	dst = appendText(dst, `,"name":`, s.Name)
	if s.DataType != domain.ScoreText {
		dst = appendNumber(dst, `,"value":`, s.Value.Value)
	}
	dst = appendText(dst, `,"source":`, s.Source)
	dst = appendTextOrNull(dst, `,"authorUserId":`, s.AuthorUserID)
	dst = appendLongTextOrNull(dst, `,"comment":`, s.Comment, flush)
	dst = appendObject(dst, `,"metadata":`, s.Metadata, flush)
	dst = appendTextOrNull(dst, `,"configId":`, s.ConfigID)
	dst = appendTextOrNull(dst, `,"queueId":`, s.QueueID)
	dst = appendTextOrNull(dst, `,"executionTraceId":`, s.ExecutionTraceID)
	dst = appendDate(dst, `,"createdAt":`, s.CreatedAt)
	dst = appendDate(dst, `,"updatedAt":`, s.UpdatedAt)
	dst = appendDate(dst, `,"timestamp":`, s.Timestamp)
	dst = appendTextOrNull(dst, `,"traceId":`, s.TraceID)
	dst = appendTextOrNull(dst, `,"observationId":`, s.ObservationID)
	if second {
		dst = appendTextOrNull(dst, `,"sessionId":`, s.SessionID)
		dst = appendTextOrNull(dst, `,"datasetRunId":`, s.ExperimentID)
	}
	dst = append(dst, `,"stringValue":`...)
	dst = appendStringValue(dst, s, flush)
	return appendText(dst, `,"dataType":`, s.DataType)
}

// appendStringValue appends the value of a score as a string, or null if it is numeric.
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

// appendTraceOfScore appends the trace of a listed score.
func appendTraceOfScore(dst []byte, trace *domain.TraceSummary, second bool) []byte {
	if trace == nil {
		return append(dst, `,"trace":null`...)
	}
	dst = appendTextOrNull(dst, `,"trace":{"userId":`, trace.UserID)
	dst = appendTexts(dst, `,"tags":`, trace.Tags)
	dst = appendText(dst, `,"environment":`, cmp.Or(trace.Environment, defaultEnvironment))
	if second {
		dst = appendTextOrNull(dst, `,"sessionId":`, trace.SessionID)
	}
	return append(dst, '}')
}
