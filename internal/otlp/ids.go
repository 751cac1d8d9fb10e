package otlp

import "encoding/hex"

// maxIDBytes bounds the text of a trace or span id. The protocol's are 32 and 16 digits long.
const maxIDBytes = 200

// identifier is an id of a span that was read, or what is wrong with it.
type identifier struct {
	text   string
	defect string // empty for none
}

const (
	notAnID = "not_an_id"
	tooLong = "too_long"
)

// idOfBytes writes bytes as hexadecimal digits.
func (e *Export) idOfBytes(b []byte) identifier {
	if n := hex.EncodedLen(len(b)); n > maxIDBytes {
		return identifier{defect: tooLong + exceeds(n, maxIDBytes)}
	}
	digits := e.build.texts.take(hex.EncodedLen(len(b)))
	hex.Encode(digits, b)
	return identifier{text: view(digits)}
}

// idOfText keeps a text as it is.
func idOfText(text string) identifier {
	if len(text) > maxIDBytes {
		return identifier{defect: tooLong + exceeds(len(text), maxIDBytes)}
	}
	return identifier{text: text}
}

// use returns the text of an id and records what is wrong with it.
func (e *Export) use(name string, id identifier, required bool) string {
	switch {
	case id.defect != "":
		e.fault(name + ":" + id.defect)
	case id.text == "" && required:
		e.fault(name + absent)
	}
	return id.text
}
