package semconv

import (
	"math"
	"strconv"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// appendValue writes an attribute value as JSON. Lists nested too deeply become null; decoders refuse them anyway.
func appendValue(dst []byte, v *otlp.Value) []byte { return appendNested(dst, v, jsontext.MaxDepth) }

func appendNested(dst []byte, v *otlp.Value, depth int) []byte {
	switch {
	case v.Kind == otlp.KindText || v.Kind == otlp.KindJSON:
		return jsontext.AppendString(dst, v.Text)
	case v.Kind == otlp.KindInt:
		return strconv.AppendInt(dst, v.Int, 10)
	case v.Kind == otlp.KindFloat:
		return jsontext.AppendNumber(dst, v.Float)
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

// appendName writes a member name, preceded by a comma if needed.
func appendName(dst []byte, name string) []byte {
	dst = appendComma(dst)
	dst = jsontext.AppendString(dst, name)
	return append(dst, ':')
}

// appendComma writes a comma unless dst ends with the start of a list or object.
func appendComma(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' && dst[n-1] != '[' {
		dst = append(dst, ',')
	}
	return dst
}
