package mcp

import (
	"bytes"
	"encoding/json"
)

// Pretty returns indented JSON, which is easiest to read for people and assistants, unless that takes more than most
// bytes: deeply nested values grow many times over. In that case, and if value is not JSON, it is returned unchanged.
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

// prettySize returns an upper bound of the size of indented JSON and reports whether it is within the limit. It reports
// false if value closes more brackets than it opens.
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
			if depth--; depth < 0 { // not JSON
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
