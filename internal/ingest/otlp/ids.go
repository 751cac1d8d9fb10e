package otlp

import (
	"encoding/hex"
	"fmt"
	"strings"

	"almanac/internal/jsontext"
)

// maxIDBytes is the maximum length of a trace or span id as a string. In the protocol, they have 32 and 16 digits.
const maxIDBytes = 200

// identifier is an id of a span, or what is wrong with it.
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

// Lengths of ids in the protocol, in bytes.
const (
	traceIDBytes = 16
	spanIDBytes  = 8
)

// idOfProtobuf reads an id that must be empty or have exactly length bytes.
func (e *Export) idOfProtobuf(b []byte, length int) identifier {
	if len(b) != length && len(b) != 0 {
		return identifier{defect: fmt.Sprintf("%s (%d bytes, not %d)", wrongLength, len(b), length)}
	}
	return e.idOfBytes(b)
}

// idOfBytes encodes bytes in hexadecimal.
func (e *Export) idOfBytes(b []byte) identifier {
	if n := hex.EncodedLen(len(b)); n > maxIDBytes {
		return identifier{defect: tooLong + exceeds(n, maxIDBytes)}
	}
	digits := e.build.texts.take(hex.EncodedLen(len(b)))
	hex.Encode(digits, b)
	return identifier{text: jsontext.View(digits)}
}

// idOfText uses a string as is.
func idOfText(text string) identifier {
	if len(text) > maxIDBytes {
		return identifier{defect: tooLong + exceeds(len(text), maxIDBytes)}
	}
	return identifier{text: text}
}

// require returns a mandatory id of a span and records what is wrong with it. In JSON, ids may be strings of any
// length, but those of the protocol's length must not be all zeros.
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

// allow does the same for an optional id.
func (e *Export) allow(name string, id identifier) string {
	if id.defect != "" {
		e.fault(name + ":" + id.defect)
	}
	return id.text
}
