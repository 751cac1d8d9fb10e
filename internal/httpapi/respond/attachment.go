package respond

import (
	"mime"
	"net/http"
)

// passiveTypes are the content types in which browsers run nothing and which no page can load as a script, a style sheet
// or a document. All other types are sent as plain bytes.
var passiveTypes = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/jpg": true, "image/webp": true, "image/gif": true, "image/tiff": true,
	"image/bmp": true, "image/avif": true, "image/heic": true,

	"audio/mpeg": true, "audio/mp3": true, "audio/wav": true, "audio/ogg": true, "audio/oga": true, "audio/aac": true,
	"audio/mp4": true, "audio/flac": true, "audio/opus": true, "audio/webm": true,

	"video/mp4": true, "video/webm": true, "video/ogg": true, "video/mpeg": true, "video/quicktime": true,
	"video/x-msvideo": true, "video/x-matroska": true,

	"text/plain": true, "text/csv": true, "application/json": true, "application/x-ndjson": true,
	"application/vnd.apache.parquet": true, "application/zip": true, "application/gzip": true,
}

// SetUserContent sets the headers of a response whose content was written by users or their programs. It comes from the
// server's own origin, so no browser may run it, whatever it contains.
func SetUserContent(h http.Header, contentType string) {
	if base, _, err := mime.ParseMediaType(contentType); err != nil || !passiveTypes[base] {
		contentType = "application/octet-stream"
	}
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
}

// SetAttachment sets the headers of a user's file, which browsers save under the given name instead of showing it. The
// name is ours: it contains no quotes.
func SetAttachment(h http.Header, contentType, name string) {
	SetUserContent(h, contentType)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
