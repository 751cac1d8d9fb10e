package semconv

import (
	"math"
	"strconv"

	"almanac/internal/otlp"
)

const hexDigits = "0123456789abcdef"

// plainByte says which bytes of a JSON string need no escape.
var plainByte = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return table
}()

// skipPlain returns the position of the next byte that needs an escape, from i on. It looks at eight bytes at once.
func skipPlain(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, backslash := x^ones*'"', x^ones*'\\'
		control := (x - ones*0x20) &^ x
		quote, backslash = (quote-ones)&^quote, (backslash-ones)&^backslash
		if (control|quote|backslash)&highs != 0 {
			break
		}
	}
	for i < len(s) && plainByte[s[i]] {
		i++
	}
	return i
}

// appendText writes a JSON string.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, s)
	return append(dst, '"')
}

// appendEscaped writes what stands between the quotes of a JSON string.
func appendEscaped(dst []byte, s string) []byte {
	for {
		n := skipPlain(s, 0)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		c := s[n]
		s = s[n+1:]
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
}

// appendFloat writes the shortest number that reads back the same, without an exponent from 1e-6 up to 1e21.
func appendFloat(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case !isFinite(f):
		return append(dst, "null"...)
	case abs == 0:
		return append(dst, '0')
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// The exponent has two digits at least; one will do.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// appendValue writes an attribute value as JSON. Lists that are nested too deeply end in null; decoders refuse them.
func appendValue(dst []byte, v *otlp.Value) []byte { return appendNested(dst, v, maxDepth) }

func appendNested(dst []byte, v *otlp.Value, depth int) []byte {
	switch {
	case v.Kind == otlp.KindText || v.Kind == otlp.KindJSON:
		return appendText(dst, v.Text)
	case v.Kind == otlp.KindInt:
		return strconv.AppendInt(dst, v.Int, 10)
	case v.Kind == otlp.KindFloat:
		return appendFloat(dst, v.Float)
	case v.Kind == otlp.KindBool:
		return strconv.AppendBool(dst, v.Int != 0)
	case v.Kind == otlp.KindList && depth > 0:
		dst = append(dst, '[')
		for i := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNested(dst, &v.List[i], depth-1)
		}
		return append(dst, ']')
	default:
		return append(dst, "null"...)
	}
}

// appendName writes a comma if one is needed, and the name of a member.
func appendName(dst []byte, name string) []byte {
	dst = appendComma(dst)
	dst = appendText(dst, name)
	return append(dst, ':')
}

// appendComma writes a comma unless a list or an object was just begun.
func appendComma(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' && dst[n-1] != '[' {
		dst = append(dst, ',')
	}
	return dst
}
