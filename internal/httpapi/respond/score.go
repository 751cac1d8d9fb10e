package respond

import (
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// ScoreFields is a set of groups of fields that a score is returned with, beside those that it always has.
type ScoreFields uint8

// The groups.
const (
	ScoreDetails    ScoreFields = 1 << iota // comment, config, metadata
	ScoreAnnotation                         // author, queue
	ScoreSubject                            // what the score is about
)

// Has reports whether all of these groups are in the set.
func (f ScoreFields) Has(groups ScoreFields) bool { return f&groups == groups }

// CanAppendScore reports whether a score can be shown: it has a value of the type that its data type asks for. Lists leave
// out those that cannot.
func CanAppendScore(s *domain.Score) bool {
	switch s.DataType {
	case domain.ScoreNumeric:
		return s.Value.Set && !math.IsNaN(s.Value.Value) && !math.IsInf(s.Value.Value, 0)
	case domain.ScoreBoolean:
		return s.Value.Set
	case domain.ScoreCategorical, domain.ScoreText:
		return s.StringValue != ""
	}
	return s.DataType == domain.ScoreCorrection // which may say that the right output is none
}

// AppendScore appends a score as rows are since version 3 of the API: an object of the fields that it always has and of
// those of these groups. The score is one of which CanAppendScore says true. It allocates nothing but the memory that the
// slice grows by.
func AppendScore(dst []byte, s *domain.Score, projectID string, fields ScoreFields, flush Flush) []byte {
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, s.ID)
	dst = append(dst, `,"projectId":`...)
	dst = jsontext.AppendString(dst, projectID)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, s.Name)
	dst = append(dst, `,"dataType":`...)
	dst = jsontext.AppendString(dst, s.DataType)
	dst = append(dst, `,"value":`...)
	dst = appendScoreValue(dst, s, flush)
	dst = append(dst, `,"source":`...)
	dst = jsontext.AppendString(dst, s.Source)
	dst = append(dst, `,"timestamp":`...)
	dst = appendDate(dst, s.Timestamp)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, s.Environment, defaultEnvironment)
	dst = append(dst, `,"createdAt":`...)
	dst = appendDate(dst, s.CreatedAt)
	dst = append(dst, `,"updatedAt":`...)
	dst = appendDate(dst, s.UpdatedAt)
	if fields.Has(ScoreDetails) {
		dst = append(dst, `,"comment":`...)
		dst = appendLongTextOrNull(dst, s.Comment, flush)
		dst = append(dst, `,"configId":`...)
		dst = appendTextOrNull(dst, s.ConfigID)
		dst = append(dst, `,"metadata":`...)
		dst = appendObject(dst, s.Metadata, flush)
	}
	if fields.Has(ScoreAnnotation) {
		dst = append(dst, `,"authorUserId":`...)
		dst = appendTextOrNull(dst, s.AuthorUserID)
		dst = append(dst, `,"queueId":`...)
		dst = appendTextOrNull(dst, s.QueueID)
	}
	if fields.Has(ScoreSubject) {
		dst = append(dst, `,"subject":`...)
		dst = appendSubject(dst, s)
	}
	return append(dst, '}')
}

// appendScoreValue appends what a score says, in the type that its data type asks for.
func appendScoreValue(dst []byte, s *domain.Score, flush Flush) []byte {
	switch s.DataType {
	case domain.ScoreNumeric:
		return jsontext.AppendNumber(dst, s.Value.Value)
	case domain.ScoreBoolean:
		return strconv.AppendBool(dst, s.Value.Value == 1)
	}
	return jsontext.AppendLongString(dst, s.StringValue, flush)
}

// appendSubject appends what a score is about.
func appendSubject(dst []byte, s *domain.Score) []byte {
	switch {
	case s.ExperimentID != "":
		dst = append(dst, `{"kind":"experiment","id":`...)
		dst = jsontext.AppendString(dst, s.ExperimentID)
	case s.ObservationID != "":
		dst = append(dst, `{"kind":"observation","id":`...)
		dst = jsontext.AppendString(dst, s.ObservationID)
		if s.TraceID != "" {
			dst = append(dst, `,"traceId":`...)
			dst = jsontext.AppendString(dst, s.TraceID)
		}
	case s.SessionID != "":
		dst = append(dst, `{"kind":"session","id":`...)
		dst = jsontext.AppendString(dst, s.SessionID)
	default:
		dst = append(dst, `{"kind":"trace","id":`...)
		dst = jsontext.AppendString(dst, s.TraceID)
	}
	return append(dst, '}')
}

// appendObject appends a stored JSON object as it is. What is unset or damaged becomes an empty one.
func appendObject(dst []byte, text string, flush Flush) []byte {
	if i := jsontext.SkipSpace(text, 0); i == len(text) || text[i] != '{' || !jsontext.Valid(text) {
		return append(dst, "{}"...)
	}
	return jsontext.AppendLongUTF8(dst, text, flush)
}
