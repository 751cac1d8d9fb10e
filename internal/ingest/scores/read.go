package scores

import (
	"errors"
	"math"
	"strings"

	"github.com/google/uuid"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// Size limits of a score, in characters as JavaScript counts them.
const (
	maxID   = 800 // of a score and of everything it refers to
	maxName = 1000
	maxText = 500 // of a value of data type TEXT
)

// Messages for rules that involve several fields.
const (
	oneSubject = "Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId " +
		"requires traceId."
	needConfig = "configId is required when source is ANNOTATION (except for CORRECTION scores)."
	zeroOrOne  = "Value must be a number equal to either 0 or 1 for data type BOOLEAN"
	noReturn   = "ID must not contain carriage returns"
	ofTrace    = "A score of data type CORRECTION belongs to a trace or an observation, not to a session or a dataset run"
)

// ReadRequest parses a score that a client sent on its own. Its time is the time of arrival, whatever the client says.
// The error is a *decode.Invalid.
func ReadRequest(v decode.Value, received domain.Micros) (Draft, error) {
	return read(v, func(d *Draft, b *decode.Object) {
		d.readRequest(b)
		d.At, d.Received = received, true
	})
}

// ReadListed parses a score that a client sent in a list of scores: like ReadRequest, but with the time of the score if
// it has one. The error is a *decode.Invalid.
func ReadListed(v decode.Value, received domain.Micros) (Draft, error) {
	return read(v, func(d *Draft, b *decode.Object) {
		d.readRequest(b)
		d.At, d.Received = received, true
		if at := decode.Nullish(b.Field("timestamp"), decode.Value.Instant); at != nil {
			d.At, d.Received = domain.MicrosOf(*at), false
		}
	})
}

func (d *Draft) readRequest(b *decode.Object) {
	if name := decode.Optional(b.Field("environment"), decode.Value.Text); name != nil {
		d.Environment = domain.NormalEnvironment(*name)
	}
	if source := decode.Optional(b.Field("source"), enum("API", "ANNOTATION")); source != nil {
		d.Source = *source
	}
}

// ReadEvent parses a score that a client sent in a batch of events. The error is a *decode.Invalid.
func ReadEvent(v decode.Value) (Draft, error) {
	return read(v, func(d *Draft, b *decode.Object) {
		if name := b.Field("environment"); name.Kind() == "string" {
			d.Environment = domain.NormalEnvironment(name.Text())
		}
		if source := decode.Optional(b.Field("source"), enum("API", "EVAL", "ANNOTATION")); source != nil {
			d.Source = *source
		}
		d.ExecutionTraceID = readChange(b.Field("executionTraceId"), maxID)
	})
}

// read parses the fields that all forms have in common; rest parses the others.
func read(v decode.Value, rest func(*Draft, *decode.Object)) (Draft, error) {
	d := Draft{Source: "API", Environment: domain.DefaultEnvironment, path: v.Path()}
	b := v.Object()
	if !d.readDataType(b.Field("dataType")) {
		return d, v.Err()
	}
	d.readID(b.Field("id"))
	d.Name = b.Field("name").TextLen(1, maxName)
	d.TraceID = readChange(b.Field("traceId"), maxID).Text
	d.SessionID = readChange(b.Field("sessionId"), maxID)
	d.ExperimentID = readChange(b.Field("datasetRunId"), maxID)
	d.ObservationID = readChange(b.Field("observationId"), maxID)
	d.Comment = readChange(b.Field("comment"), math.MaxInt)
	d.Metadata = readMetadata(b.Field("metadata"))
	d.QueueID = readChange(b.Field("queueId"), maxID).Text
	rest(&d, b)
	d.readValue(b.Field("value"))
	d.readConfigID(b.Field("configId"))
	if continues(v.Err()) {
		d.checkWhole(v)
	}
	return d, v.Err()
}

// continues reports whether rules about the whole score are checked in spite of these issues.
func continues(err error) bool {
	var invalid *decode.Invalid
	return !errors.As(err, &invalid) || invalid.AllowsFurtherChecks()
}

func (d *Draft) readDataType(v decode.Value) bool {
	switch v.Kind() {
	case "undefined":
		return true
	case "string":
		switch t := v.Text(); t {
		case domain.ScoreNumeric, domain.ScoreBoolean, domain.ScoreCategorical, domain.ScoreText, domain.ScoreCorrection:
			d.DataType = t
			return true
		}
	}
	v.Reject(decode.NoDiscriminator(v.Path(), "dataType"))
	return false
}

// readID reads the score's id, or generates one.
func (d *Draft) readID(v decode.Value) {
	if id := decode.Nullish(v, func(v decode.Value) string { return v.TextLen(0, maxID) }); id != nil {
		d.ID = *id
	}
	if strings.Contains(d.ID, "\r") {
		v.Reject(decode.Violation(v.Path(), noReturn))
	}
	if d.ID == "" {
		d.ID, d.fresh = uuid.NewString(), true
	}
}

// DeriveID gives a score that was sent without an id one that is derived from its event, so that sending the event
// again results in the same score.
func (d *Draft) DeriveID(event []byte) {
	if d.fresh {
		d.ID, d.fresh = uuid.NewSHA1(uuid.NameSpaceOID, event).String(), false
	}
}

// readValue reads the value as the data type requires.
func (d *Draft) readValue(v decode.Value) {
	d.IsText = v.Kind() == "string"
	switch d.DataType {
	case domain.ScoreNumeric:
		d.Number = v.Number()
	case domain.ScoreBoolean:
		if d.Number = v.Number(); v.Kind() == "number" && d.Number != 0 && d.Number != 1 {
			v.Reject(decode.Violation(v.Path(), zeroOrOne))
		}
	case domain.ScoreCategorical:
		d.Text = v.TextLen(1, math.MaxInt)
	case domain.ScoreText:
		d.Text = v.TextLen(1, maxText)
	case domain.ScoreCorrection:
		d.Text = v.Text()
	default:
		switch v.Kind() {
		case "string":
			d.Text = v.TextLen(1, math.MaxInt)
		case "number":
			d.Number = v.Number()
		default:
			v.Reject(decode.NoVariant(v.Path(),
				[]decode.Issue{decode.WrongType(nil, "string", v.Kind())}, []decode.Issue{decode.WrongType(nil, "number", v.Kind())}))
		}
	}
}

func (d *Draft) readConfigID(v decode.Value) {
	if d.DataType == domain.ScoreCorrection && v.Kind() != "undefined" && v.Kind() != "null" {
		v.Reject(decode.WrongType(v.Path(), "null", v.Kind()))
		return
	}
	d.ConfigID = readChange(v, maxID)
}

// checkWhole checks the rules that involve several fields.
func (d *Draft) checkWhole(v decode.Value) {
	subjects := 0
	for _, id := range [...]string{d.TraceID, d.SessionID.Text, d.ExperimentID.Text} {
		if id != "" {
			subjects++
		}
	}
	if subjects != 1 || d.ObservationID.Text != "" && d.TraceID == "" {
		v.Reject(decode.Violation(append(d.in("traceId"), "sessionId", "datasetRunId", "observationId"), oneSubject))
	} else if d.DataType == domain.ScoreCorrection && d.TraceID == "" {
		v.Reject(decode.Violation(d.in("dataType"), ofTrace))
	}
	if d.Source == "ANNOTATION" && d.ConfigID.Text == "" && d.DataType != domain.ScoreCorrection {
		v.Reject(decode.Violation(d.in("configId"), needConfig))
	}
}

// readChange reads a string that may be absent or null.
func readChange(v decode.Value, longest int) Change {
	c := Change{Sent: v.Kind() != "undefined"}
	if text := decode.Nullish(v, func(v decode.Value) string { return v.TextLen(0, longest) }); text != nil {
		c.Text = *text
	}
	return c
}

func enum(allowed ...string) func(decode.Value) string {
	return func(v decode.Value) string { return v.Enum(allowed...) }
}
