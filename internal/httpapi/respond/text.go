package respond

import (
	"almanac/internal/jsontext"
)

// The functions of this package that append a member of an object take its name as JSON, including the punctuation
// around it: `,"id":`. Most are small enough to be inlined, so that this is a single constant.

// appendText appends a string.
func appendText(dst []byte, name, text string) []byte {
	return jsontext.AppendString(append(dst, name...), text)
}

func appendNull(dst []byte, name string) []byte { return append(append(dst, name...), "null"...) }

// appendTextOrNull appends a string, or null if it is empty.
func appendTextOrNull(dst []byte, name, text string) []byte {
	return appendOrNull(append(dst, name...), text)
}

func appendOrNull(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return jsontext.AppendString(dst, text)
}

// appendTexts appends a list of strings.
func appendTexts(dst []byte, name string, texts []string) []byte {
	dst = append(append(dst, name...), '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, text)
	}
	return append(dst, ']')
}
