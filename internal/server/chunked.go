package server

import "net/http"

// closeAfterChunked closes the connection after a request with a chunked body. Such a request may also have a
// Content-Length, which net/http ignores, as it may. A proxy that goes by the length instead would take what follows
// the last chunk for part of the body, where we would see another request that the proxy never saw. Closing the
// connection keeps it from being read.
func closeAfterChunked(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}
