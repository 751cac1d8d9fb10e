package httpapi

import (
	"context"
	"net/http"

	"almanac/internal/auth"
	"almanac/internal/decode"
	"almanac/internal/domain"
)

// Call is a request as its handler sees it: admitted, with its body read.
type Call struct {
	request   *http.Request
	writer    http.ResponseWriter // for answers that are sent while they are written
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
func (c *Call) party() string { return infoOf(c.request).consumer.Party() }

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
