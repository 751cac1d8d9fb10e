package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"almanac/internal/auth"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/memory"
)

// Call is a request as its handler sees it: admitted, with its body read.
type Call struct {
	request   *http.Request
	writer    http.ResponseWriter // for answers that are sent while they are written
	log       *slog.Logger
	info      *requestInfo
	address   Address
	sendUntil time.Time // when the answer must be sent; zero if it may take for ever
	turn      *turn
	body      body
	principal auth.Principal
	admin     *domain.Actor // set if the admin key was presented, which is nobody's principal
}

// Context ends when the client goes away or the request takes too long.
func (c *Call) Context() context.Context { return c.request.Context() }

// Path returns a segment of the path, unescaped, by its name in the route.
func (c *Call) Path(name string) string { return c.request.PathValue(name) }

// Header returns a header of the request.
func (c *Call) Header(name string) string { return c.request.Header.Get(name) }

// Query returns a reader of the query parameters.
func (c *Call) Query() *decode.Query { return decode.NewQuery(c.request.URL.Query()) }

// Body returns a reader of the body.
func (c *Call) Body() decode.Value { return c.body.value() }

// party returns who shares turns with others; "" for those without a key.
func (c *Call) party() string { return c.info.consumer.Party() }

// BrowserKey returns the id of the key that was presented without its secret, and nothing if the secret came with it.
func (c *Call) BrowserKey() string {
	if !c.principal.PublicOnly() {
		return ""
	}
	return c.principal.Actor().ID
}

// Actor returns the caller as the author of a change.
func (c *Call) Actor() domain.Actor {
	if c.admin != nil {
		return *c.admin
	}
	return c.principal.Actor()
}

// requestInfo is what is learnt of a request on its way.
type requestInfo struct {
	id, route string
	consumer  domain.Consumer // empty if no key was presented
	started   time.Time
}

type requestInfoKey struct{}

func infoOf(r *http.Request) *requestInfo {
	info, _ := r.Context().Value(requestInfoKey{}).(*requestInfo)
	return info
}

// leaseOf returns the lease of a request.
func leaseOf(r *http.Request) *memory.Lease { return memory.Of(r.Context()) }

// baseURL returns the address under which the client reaches this server.
func (c *Call) baseURL() string { return c.address.baseURL(c.request) }

// require refuses a key that does not hold a permission.
func (c *Call) require(permission domain.Permission) error {
	if !c.principal.May(permission) {
		return auth.Lacking(permission)
	}
	return nil
}
