package mcp

import (
	"bytes"
	"encoding/json"
)

// Pretty returns JSON with a line for each of its parts, as people and assistants read it best, unless that takes more
// than most bytes: deeply nested values grow many times over. Then, and if it is no JSON, it is returned as it is.
func Pretty(value []byte, most int) string {
	if size, ok := prettySize(value, most); ok {
		var b bytes.Buffer
		b.Grow(size)
		if json.Indent(&b, value, "", "  ") == nil {
			return b.String()
		}
	}
	return string(value)
}

// prettySize returns the most room that the lines can take, and whether that is not too much. What closes more than it opens
// has no lines.
func prettySize(value []byte, most int) (size int, ok bool) {
	depth, inString := 0, false
	for i := 0; i < len(value); i++ {
		size++
		switch c := value[i]; {
		case inString:
			switch c {
			case '\\':
				i++
				size++
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '[' || c == '{':
			depth++
			size += 1 + 2*depth
		case c == ']' || c == '}':
			if depth--; depth < 0 { // no JSON
				return 0, false
			}
			size += 1 + 2*depth
		case c == ',':
			size += 1 + 2*depth
		case c == ':':
			size++
		}
		if size > most {
			return size, false
		}
	}
	return size, true
}
