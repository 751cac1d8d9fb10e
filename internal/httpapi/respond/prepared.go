package respond

import (
	"bytes"
	"net/http"
	"strconv"
)

// Prepared is a response that is sent many times. Its entity tag and compressed form are computed once, and clients that
// receive it at the same time share its memory.
type Prepared struct {
	contentType   string
	plain, packed []byte // packed is nil if compression does not pay
	tag           string // the entity tag, without its closing quote
}

// Prepare returns the prepared response of a JSON body, which must not be modified afterwards.
func Prepare(body []byte) *Prepared { return PrepareAs(jsonContent, body) }

// PrepareAs is Prepare for a body of any content type.
func PrepareAs(contentType string, body []byte) *Prepared {
	p := &Prepared{contentType: contentType, plain: body, tag: bodyTag(body)}
	if len(body) >= minCompressed {
		p.packed = bytes.Clone(pack(body))
	}
	return p
}

// Size returns its size in memory, in bytes.
func (p *Prepared) Size() int { return cap(p.plain) + cap(p.packed) + len(p.tag) }

// Send sends the response.
func (p *Prepared) Send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	body := p.plain
	compress := p.packed != nil && acceptsGzip(r.Header.Get("Accept-Encoding"))
	if compress {
		body = p.packed
	}
	if setTag(h, r, p.tag, compress) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", p.contentType)
	h.Add("Vary", "Accept-Encoding")
	if compress {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // if this fails, the client is gone
}
