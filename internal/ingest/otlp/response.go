package otlp

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/VictoriaMetrics/easyproto"

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

// ReadPartialSuccess returns what a server says about spans that it did not accept: how many, and why. An answer that
// says nothing of the kind, or is not understood, gives 0.
func ReadPartialSuccess(answer []byte, asJSON bool) (rejected int, message string) {
	if asJSON {
		var told struct {
			PartialSuccess struct {
				RejectedSpans json.Number
				ErrorMessage  string
			}
		}
		if json.Unmarshal(answer, &told) != nil {
			return 0, ""
		}
		count, _ := told.PartialSuccess.RejectedSpans.Int64()
		return int(count), told.PartialSuccess.ErrorMessage
	}
	var field easyproto.FieldContext
	if _, err := field.NextField(answer); err != nil || field.FieldNum != 1 {
		return 0, ""
	}
	content, _ := field.MessageData()
	for len(content) > 0 {
		var err error
		if content, err = field.NextField(content); err != nil {
			return 0, ""
		}
		switch field.FieldNum {
		case 1:
			count, _ := field.Int64()
			rejected = int(count)
		case 2:
			text, _ := field.String()
			message = strings.Clone(text)
		}
	}
	return rejected, message
}
