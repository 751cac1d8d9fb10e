// Package wire has the objects of the Langfuse API in JSON: as this server answers with them, and as the import reads
// them from another installation, from its API or from the rows of its databases.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/domain"
)

// Time is a time in the format of the API. Other formats of the source are understood as well.
type Time time.Time

const timeLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON returns the time in quotes.
func (t Time) MarshalJSON() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(make([]byte, 0, len(timeLayout)+2), `"`+timeLayout+`"`), nil
}

// String returns the time as it is written, without quotes.
func (t Time) String() string { return time.Time(t).UTC().Format(timeLayout) }

// readLayouts are the formats of the API and of files, which are in UTC.
var readLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", time.DateOnly}

// UnmarshalJSON reads a time in any format, to microseconds. It is the zero time for null and "".
func (t *Time) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	if *t = (Time{}); text == "" {
		return nil
	}
	for _, layout := range readLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			*t = Time(domain.MicrosOf(at).Time())
			return nil
		}
	}
	return fmt.Errorf("%q is not a time", text)
}

// OptionalTime converts t; nil stays nil, which is written as null.
func OptionalTime(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return new(Time(*t))
}

// Stamps are the times at which an object was created and last changed.
type Stamps struct {
	CreatedAt Time `json:"createdAt"`
	UpdatedAt Time `json:"updatedAt"`
}

func stamps(created, updated time.Time) Stamps { return Stamps{Time(created), Time(updated)} }

func (s Stamps) times() (created, updated time.Time) {
	return time.Time(s.CreatedAt), time.Time(s.UpdatedAt)
}

// OptionalRaw returns JSON without white space between tokens, or nil for null.
func OptionalRaw(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
