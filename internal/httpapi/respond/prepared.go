package respond

import (
	"bytes"
	"net/http"
	"strconv"
)

// Prepared is an answer in JSON that is sent many times: what every sending would have to work out is worked out once.
type Prepared struct {
	plain, packed []byte // packed is nil if compression does not pay
	tag           string // of the body, without its last quote
}

// Prepare makes a body ready. It must not be changed any more.
func Prepare(body []byte) *Prepared {
	p := &Prepared{plain: body, tag: bodyTag(body)}
	if len(body) >= minCompressed {
		p.packed = bytes.Clone(pack(body))
	}
	return p
}

// Size returns how many bytes of memory it takes.
func (p *Prepared) Size() int { return cap(p.plain) + cap(p.packed) + len(p.tag) }

// Send answers a request with it.
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
	h.Set("Content-Type", jsonContent)
	h.Add("Vary", "Accept-Encoding")
	if compress {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client is gone if this fails, and nobody is left to tell
}
