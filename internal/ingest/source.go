package ingest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"almanac/internal/ingest/semconv"
)

// Headers returns a request header, or a gRPC metadata value, by its lower-case name; "" if it was not sent.
type Headers func(name string) string

// servicePrefixes are the header prefixes that clients use for the service, in order of precedence.
var servicePrefixes = [...]string{"langfuse", "almanac"}

// find returns the first header sent among x-langfuse-<name>, x_langfuse_<name> and the same for the other prefixes,
// together with its hyphenated name.
func (get Headers) find(name string) (sentAs, value string) {
	for _, prefix := range servicePrefixes {
		full := "x-" + prefix + "-" + name
		for _, form := range [...]string{full, strings.ReplaceAll(full, "-", "_")} {
			if value := get(form); value != "" {
				return full, value
			}
		}
	}
	return "", ""
}

// SourceOf returns the source of an export: the public key and the client information in the headers.
func SourceOf(publicKey string, get Headers) semconv.Source {
	_, name := get.find("sdk-name")
	_, version := get.find("sdk-version")
	return semconv.Source{
		IngestionKey: publicKey, SDKName: orUnknown(name), SDKVersion: orUnknown(version),
	}
}

// orUnknown sanitizes a header value so that it can be stored with every row.
func orUnknown(text string) string {
	const longest = 200
	if text == "" {
		return "unknown"
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	return text
}

// Version is the version of the ingestion protocol that a client asks for.
type Version struct{ header, value string }

// VersionOf reads the version from the headers of an export.
func VersionOf(get Headers) Version {
	header, value := get.find("ingestion-version")
	return Version{header, value}
}

// maxVersion is the newest supported version.
const maxVersion = 4

// check refuses unsupported versions. All supported versions are handled alike: rows are readable as soon as the
// response is sent.
func (v Version) check() error {
	if v.value == "" {
		return nil
	}
	if n, ok := integerPrefix(v.value); ok && n <= maxVersion {
		return nil
	}
	const longest = 100
	return Refuse(fmt.Sprintf("Unsupported %s: \"%.*s\". Maximum supported: \"%d\".", v.header, longest, v.value, maxVersion), nil)
}

// integerPrefix parses the integer at the start of a string, like lenient parsers do. Huge numbers are capped at a
// value that is still above any version.
func integerPrefix(text string) (n int, ok bool) {
	const enough = 1 << 20
	text = strings.TrimSpace(text)
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			break
		}
		n, ok = min(10*n+int(c-'0'), enough), true
	}
	if negative {
		n = -n
	}
	return n, ok
}
