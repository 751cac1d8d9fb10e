package otlp

import (
	"encoding/binary"
	"strconv"

	"almanac/internal/jsontext"
)

// AppendPartialSuccessProtobuf writes an ExportTraceServiceResponse in protobuf. It writes nothing if no spans were
// rejected and the message is empty.
func AppendPartialSuccessProtobuf(dst []byte, rejected int, message string) []byte {
	// Tags: the field number, and wire type 2 for length-delimited fields.
	const (
		partialSuccess = 1<<3 | 2
		rejectedSpans  = 1 << 3
		errorMessage   = 2<<3 | 2
	)
	message = validUTF8(message)
	var content []byte
	if rejected > 0 {
		content = append(content, rejectedSpans)
		content = binary.AppendUvarint(content, uint64(rejected))
	}
	if message != "" {
		content = append(content, errorMessage)
		content = binary.AppendUvarint(content, uint64(len(message)))
		content = append(content, message...)
	}
	if len(content) == 0 {
		return dst
	}
	dst = append(dst, partialSuccess)
	dst = binary.AppendUvarint(dst, uint64(len(content)))
	return append(dst, content...)
}

// AppendPartialSuccessJSON writes the same in OTLP's JSON encoding, where 64-bit integers are strings.
func AppendPartialSuccessJSON(dst []byte, rejected int, message string) []byte {
	if rejected <= 0 && message == "" {
		return append(dst, "{}"...)
	}
	dst = append(dst, `{"partialSuccess":{`...)
	if rejected > 0 {
		dst = append(dst, `"rejectedSpans":"`...)
		dst = strconv.AppendInt(dst, int64(rejected), 10)
		dst = append(dst, '"')
	}
	if message != "" {
		if rejected > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"errorMessage":`...)
		dst = jsontext.AppendString(dst, validUTF8(message))
	}
	return append(dst, "}}"...)
}
