package respond

import (
	"cmp"

	"almanac/internal/jsontext"
)

// appendTextOrNull appends null for an unset text.
func appendTextOrNull(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return jsontext.AppendString(dst, text)
}

// appendTextOr appends another text for an unset one.
func appendTextOr(dst []byte, text, otherwise string) []byte {
	return jsontext.AppendString(dst, cmp.Or(text, otherwise))
}

// appendTexts appends a list of texts.
func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, text)
	}
	return append(dst, ']')
}
