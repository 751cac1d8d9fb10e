package domain

import (
	"slices"
	"strings"
	"time"
)

// Medium is a file attached to traces or dataset items: an image, a recording, a document.
type Medium struct {
	// ID is derived from the hash, so that clients can compute it.
	ID            string
	SHA256        string // base64, as clients send it
	ContentType   string
	ContentLength int64
	CreatedAt     time.Time
	// BlobKey locates the content; empty until it is stored.
	BlobKey  string
	StoredAt *time.Time
	// The client's report about its upload.
	UploadedAt   *time.Time
	UploadStatus int // HTTP status; 0 if nothing was reported
	UploadError  string
}

// Stored reports whether the content is stored.
func (m *Medium) Stored() bool { return m.BlobKey != "" }

// MediumLink attaches a medium to a field of a trace, of an observation in it, or of a dataset item.
type MediumLink struct {
	TraceID       string
	ObservationID string // empty for the trace itself
	DatasetID     string
	DatasetItemID string
	Field         string
}

// The fields that media can be attached to.
const (
	FieldInput          = "input"
	FieldOutput         = "output"
	FieldExpectedOutput = "expectedOutput"
	FieldMetadata       = "metadata"
)

// mediaIDLen is the number of characters of the hash used for the id.
const mediaIDLen = 22

// MediaID returns the id of the medium with the given hash, in base64. Clients derive ids the same way and give up if
// the server returns a different one.
func MediaID(sha256 string) string {
	return strings.NewReplacer("+", "-", "/", "_").Replace(sha256[:min(mediaIDLen, len(sha256))])
}

// MediaReference returns the string that replaces an extracted medium.
func MediaReference(contentType, id, source string) string {
	return MediaReferenceStart + "type=" + contentType + "|id=" + id + "|source=" + source + mediaReferenceEnd
}

// MediaReferenceStart is the prefix of media references.
const MediaReferenceStart = "@@@langfuseMedia:"

const mediaReferenceEnd = "@@@"

// ReferredMedium returns the id of the medium if the whole string is a reference.
func ReferredMedium(text string) (id string, ok bool) {
	inner, ok := strings.CutPrefix(text, MediaReferenceStart)
	if !ok {
		return "", false
	}
	if inner, ok = strings.CutSuffix(inner, mediaReferenceEnd); !ok {
		return "", false
	}
	parts := strings.Split(inner, "|")
	if len(parts) != 3 {
		return "", false
	}
	for n, name := range []string{"type=", "id=", "source="} {
		value, ok := strings.CutPrefix(parts[n], name)
		if !ok || value == "" {
			return "", false
		}
		if name == "id=" {
			id = value
		}
	}
	return id, true
}

// mediaTypes are the content types allowed for media, in the order of the API, with their file extensions.
var mediaTypes = []struct{ name, ending string }{
	{"image/png", "png"},
	{"image/jpeg", "jpeg"},
	{"image/jpg", "jpg"},
	{"image/webp", "webp"},
	{"image/gif", "gif"},
	{"image/svg+xml", "svg"},
	{"image/tiff", "tiff"},
	{"image/bmp", "bmp"},
	{"image/avif", "avif"},
	{"image/heic", "heic"},
	{"audio/mpeg", "mp3"},
	{"audio/mp3", "mp3"},
	{"audio/wav", "wav"},
	{"audio/ogg", "ogg"},
	{"audio/oga", "oga"},
	{"audio/aac", "aac"},
	{"audio/mp4", "m4a"},
	{"audio/flac", "flac"},
	{"audio/opus", "opus"},
	{"audio/webm", "weba"},
	{"video/mp4", "mp4"},
	{"video/webm", "webm"},
	{"video/ogg", "ogv"},
	{"video/mpeg", "mpeg"},
	{"video/quicktime", "mov"},
	{"video/x-msvideo", "avi"},
	{"video/x-matroska", "mkv"},
	{"text/plain", "txt"},
	{"text/html", "html"},
	{"text/css", "css"},
	{"text/csv", "csv"},
	{"text/markdown", "md"},
	{"text/x-python", "py"},
	{"application/javascript", "js"},
	{"text/x-typescript", "ts"},
	{"application/x-yaml", "yaml"},
	{"application/pdf", "pdf"},
	{"application/msword", "doc"},
	{"application/vnd.ms-excel", "xls"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
	{"application/zip", "zip"},
	{"application/json", "json"},
	{"application/xml", "xml"},
	{"application/octet-stream", "bin"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"},
	{"application/rtf", "rtf"},
	{"application/x-ndjson", "jsonl"},
	{"application/vnd.apache.parquet", "parquet"},
	{"application/gzip", "gz"},
	{"application/x-tar", "tar"},
	{"application/x-7z-compressed", "7z"},
}

// MediaTypes returns the content types allowed for media.
func MediaTypes() []string {
	names := make([]string, len(mediaTypes))
	for n, t := range mediaTypes {
		names[n] = t.name
	}
	return names
}

// IsMediaType reports whether a content type is allowed for media.
func IsMediaType(contentType string) bool { return MediaFileExtension(contentType) != "" }

// MediaFileExtension returns the file extension for a content type, without the dot; empty if media cannot have that
// type.
func MediaFileExtension(contentType string) string {
	n := slices.IndexFunc(mediaTypes, func(t struct{ name, ending string }) bool { return t.name == contentType })
	if n < 0 {
		return ""
	}
	return mediaTypes[n].ending
}

// MediaTotals is how many media a project has, and how many bytes.
type MediaTotals struct{ Files, Bytes int64 }
