package server

import "net/http"

// closeAfterChunked ends the connection after a request whose body came in chunks. Such a request may also have announced a
// length, which net/http drops without a word, as it may: chunks count. A proxy before us that went by the length instead would
// take what follows the last chunk for the body, and we for another request, one that the proxy never saw. What follows is
// never read.
func closeAfterChunked(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}
