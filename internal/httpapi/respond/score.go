package respond

import (
	"cmp"
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// ScoreFields is a set of field groups of scores. The core group is part of every set.
type ScoreFields uint16

// The groups.
const (
	ScoreCore       ScoreFields = 1 << iota // part of every score
	ScoreDetails                            // comment, config, metadata
	ScoreSubject                            // what the score is about
	ScoreAnnotation                         // author, queue
)

// scoreGroups are the names of the groups, each at the position of its bit.
var scoreGroups = []string{"core", "details", "subject", "annotation"}

// ParseScoreFields parses group names, each of which must exist.
func ParseScoreFields(names []string) (ScoreFields, *Error) {
	set, refused := parseGroups(names, scoreGroups)
	return ScoreFields(set) | ScoreCore, refused
}

// Has reports whether the set contains all of these groups.
func (f ScoreFields) Has(groups ScoreFields) bool { return f&groups == groups }

// CanAppendScore reports whether a score has a value that its data type requires. Lists omit scores that do not.
func CanAppendScore(s *domain.Score) bool {
	switch s.DataType {
	case domain.ScoreNumeric:
		return s.Value.Set && !math.IsNaN(s.Value.Value) && !math.IsInf(s.Value.Value, 0)
	case domain.ScoreBoolean:
		return s.Value.Set
	case domain.ScoreCategorical, domain.ScoreText:
		return s.StringValue != ""
	}
	return s.DataType == domain.ScoreCorrection // a correction may be empty
}

// AppendScore appends a score as version 3 of the API returns it, with the core fields and those of the given groups.
// CanAppendScore must hold for the score. Nothing is allocated except to grow dst.
func AppendScore(dst []byte, s *domain.Score, projectID string, fields ScoreFields, flush Flush) []byte {
	dst = appendText(dst, `{"id":`, s.ID)
	dst = appendText(dst, `,"projectId":`, projectID)
	dst = appendText(dst, `,"name":`, s.Name)
	dst = appendText(dst, `,"dataType":`, s.DataType)
	dst = append(dst, `,"value":`...)
	dst = appendScoreValue(dst, s, flush)
	dst = appendText(dst, `,"source":`, s.Source)
	dst = appendDate(dst, `,"timestamp":`, s.Timestamp)
	dst = appendText(dst, `,"environment":`, cmp.Or(s.Environment, defaultEnvironment))
	dst = appendDate(dst, `,"createdAt":`, s.CreatedAt)
	dst = appendDate(dst, `,"updatedAt":`, s.UpdatedAt)
	if fields.Has(ScoreDetails) {
		dst = appendLongTextOrNull(dst, `,"comment":`, s.Comment, flush)
		dst = appendTextOrNull(dst, `,"configId":`, s.ConfigID)
		dst = appendObject(dst, `,"metadata":`, s.Metadata, flush)
	}
	if fields.Has(ScoreAnnotation) {
		dst = appendTextOrNull(dst, `,"authorUserId":`, s.AuthorUserID)
		dst = appendTextOrNull(dst, `,"queueId":`, s.QueueID)
	}
	if fields.Has(ScoreSubject) {
		dst = append(dst, `,"subject":`...)
		dst = appendSubject(dst, s)
	}
	return append(dst, '}')
}

// appendScoreValue appends the value of a score in the JSON type of its data type.
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
		dst = appendText(dst, `{"kind":"experiment","id":`, s.ExperimentID)
	case s.ObservationID != "":
		dst = appendText(dst, `{"kind":"observation","id":`, s.ObservationID)
		if s.TraceID != "" {
			dst = appendText(dst, `,"traceId":`, s.TraceID)
		}
	case s.SessionID != "":
		dst = appendText(dst, `{"kind":"session","id":`, s.SessionID)
	default:
		dst = appendText(dst, `{"kind":"trace","id":`, s.TraceID)
	}
	return append(dst, '}')
}

// appendObject appends a stored JSON object unchanged, or an empty one if it is unset or damaged.
func appendObject(dst []byte, name, text string, flush Flush) []byte {
	dst = append(dst, name...)
	if i := jsontext.SkipSpace(text, 0); i == len(text) || text[i] != '{' || !jsontext.Valid(text) {
		return append(dst, "{}"...)
	}
	return jsontext.AppendLongUTF8(dst, text, flush)
}
