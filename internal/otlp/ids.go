package otlp

import (
	"encoding/hex"
	"fmt"
	"strings"

	"almanac/internal/jsontext"
)

// maxIDBytes bounds the text of a trace or span id. The protocol's are 32 and 16 digits long.
const maxIDBytes = 200

// identifier is an id of a span that was read, or what is wrong with it.
type identifier struct {
	text   string
	defect string // empty for none
}

const (
	notAnID     = "not_an_id"
	tooLong     = "too_long"
	wrongLength = "wrong_length"
	allZero     = "all_zero"
)

// How many bytes ids have in the protocol.
const (
	traceIDBytes = 16
	spanIDBytes  = 8
)

// idOfProtobuf reads an id that must have so many bytes, or none.
func (e *Export) idOfProtobuf(b []byte, length int) identifier {
	if len(b) != length && len(b) != 0 {
		return identifier{defect: fmt.Sprintf("%s (%d bytes, not %d)", wrongLength, len(b), length)}
	}
	return e.idOfBytes(b)
}

// idOfBytes writes bytes as hexadecimal digits.
func (e *Export) idOfBytes(b []byte) identifier {
	if n := hex.EncodedLen(len(b)); n > maxIDBytes {
		return identifier{defect: tooLong + exceeds(n, maxIDBytes)}
	}
	digits := e.build.texts.take(hex.EncodedLen(len(b)))
	hex.Encode(digits, b)
	return identifier{text: jsontext.View(digits)}
}

// idOfText keeps a text as it is.
func idOfText(text string) identifier {
	if len(text) > maxIDBytes {
		return identifier{defect: tooLong + exceeds(len(text), maxIDBytes)}
	}
	return identifier{text: text}
}

// require returns the text of an id that a span must have, and records what is wrong with it. In JSON, clients may write
// ids of any length as they like; one that has the protocol's must not be all zeros.
func (e *Export) require(name string, id identifier, length int) string {
	switch {
	case id.defect != "":
		e.fault(name + ":" + id.defect)
	case id.text == "":
		e.fault(name + absent)
	case len(id.text) == hex.EncodedLen(length) && strings.Trim(id.text, "0") == "":
		e.fault(name + ":" + allZero)
	}
	return id.text
}

// allow does the same for an id that a span may do without.
func (e *Export) allow(name string, id identifier) string {
	if id.defect != "" {
		e.fault(name + ":" + id.defect)
	}
	return id.text
}
