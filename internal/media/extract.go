package media

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// The sources of extracted files, as named in references.
const (
	FromDataURI = "base64_data_uri"
	FromBytes   = "bytes"
)

// Take is called for a file found in a text. It returns what to replace it with, or "" to leave it in place.
type Take func(contentType, source string, data []byte) (reference string)

// maxDepth is the maximum depth at which JSON objects that describe files are recognized. Data URIs are found at any
// depth.
const maxDepth = 10

// Extract extracts files from a text: data URIs (data:image/png;base64,…), and in JSON also objects in which model SDKs
// send files. Everything else stays byte for byte the same.
func Extract(text string, take Take) string {
	x := extractor{take}
	return x.text(text, 0)
}

type extractor struct{ take Take }

// MayHold is a quick check whether a text can contain a file.
func MayHold(text string) bool {
	return strings.Contains(text, "base64") || strings.Contains(text, "mime") || strings.Contains(text, "mediaType")
}

func (x *extractor) text(text string, depth int) string {
	switch {
	case !MayHold(text):
		return text
	case depth <= maxDepth && jsontext.MayContainStrings(text) && json.Valid([]byte(text)):
		w := &walker{extractor: x, text: text}
		w.value(depth)
		return w.result()
	}
	return x.addresses(text)
}

const (
	dataScheme = "data:"
	dataMark   = ";base64,"
	// maxDataHead is the maximum length of a data URI before its data.
	maxDataHead = 256
)

// addresses extracts the data of data URIs in a text.
func (x *extractor) addresses(text string) string {
	var b strings.Builder
	done := 0 // number of bytes of text already in b
	for at := 0; ; {
		mark := strings.Index(text[at:], dataMark)
		if mark < 0 {
			break
		}
		mark += at
		at = mark + len(dataMark)
		start, contentType := dataHead(text[done:mark])
		if start < 0 {
			continue
		}
		end := at
		for end < len(text) && isBase64(text[end]) {
			end++
		}
		data := decodeBase64(text[at:end])
		at = end
		if len(data) == 0 || !endsAddress(text[end:]) {
			continue
		}
		if reference := x.take(contentType, FromDataURI, data); reference != "" {
			b.WriteString(text[done:done+start] + reference)
			done = end
		}
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// dataHead returns the start and the content type of the data URI whose data follows text; -1 if there is none, or if
// media cannot have its type.
func dataHead(text string) (start int, contentType string) {
	from := max(0, len(text)-maxDataHead)
	start = strings.LastIndex(text[from:], dataScheme)
	if start < 0 {
		return -1, ""
	}
	start += from
	if start > 0 && isWord(text[start-1]) {
		return -1, ""
	}
	contentType, parameters, _ := strings.Cut(text[start+len(dataScheme):], ";")
	if contentType = strings.ToLower(contentType); !domain.IsMediaType(contentType) {
		return -1, ""
	}
	if parameters == "" {
		return start, contentType
	}
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, ok := strings.Cut(parameter, "=")
		if !ok || name == "" || strings.ContainsAny(name+value, " \t\r\n,\"'<>") {
			return -1, ""
		}
	}
	return start, contentType
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

// endsAddress reports whether rest can follow a URI.
func endsAddress(rest string) bool {
	return rest == "" || strings.IndexByte("\t\n\r !\"'),.;>?]}", rest[0]) >= 0
}

// decodeBase64 returns nil if text is not base64.
func decodeBase64(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return data
}

// content returns the bytes of the file in a member; nil if there is none.
func content(value, contentType string) []byte {
	switch {
	case strings.HasPrefix(value, "http://"), strings.HasPrefix(value, "https://"), strings.HasPrefix(value, domain.MediaReferenceStart):
		return nil
	case strings.HasPrefix(value, dataScheme):
		_, data, _ := strings.Cut(value, dataMark)
		return decodeBase64(data)
	}
	if literal, ok := pythonBytes(value); ok {
		// The bytes of a file, or its base64 encoding as bytes. Text files are taken literally.
		if data := decodeBase64(string(literal)); len(data) > 0 && !strings.HasPrefix(contentType, "text/") {
			return data
		}
		return literal
	}
	return decodeBase64(value)
}

// pythonBytes parses a Python bytes literal such as b'\x89PNG'.
func pythonBytes(text string) (data []byte, ok bool) {
	if len(text) < len(`b''`) || text[0] != 'b' || text[1] != '\'' && text[1] != '"' || text[len(text)-1] != text[1] {
		return nil, false
	}
	quote, inner := text[1], text[2:len(text)-1]
	data = make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		switch {
		case c == quote, c < ' ', c > '~':
			return nil, false
		case c != '\\':
			data = append(data, c)
			continue
		}
		if i++; i == len(inner) {
			return nil, false
		}
		escapes := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '\'': '\'', '"': '"'}
		if plain, known := escapes[inner[i]]; known {
			data = append(data, plain)
			continue
		}
		if inner[i] != 'x' || i+2 >= len(inner) {
			return nil, false
		}
		b, err := strconv.ParseUint(inner[i+1:i+3], 16, 8)
		if err != nil {
			return nil, false
		}
		data = append(data, byte(b))
		i += 2
	}
	return data, true
}
