package endpoint

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/limits/memory"
)

// Call is a request as its handler sees it: admitted, with its body read.
type Call struct {
	request   *http.Request
	writer    http.ResponseWriter // for streamed responses
	body      Body
	query     url.Values
	wasRead   bool // by Read
	exchange  Exchange
	info      *Info
	turn      *turn
	principal auth.Principal
	admin     *domain.Actor // set if the admin key was presented, which has no principal
	person    *auth.Person  // the signed-in person; nil for keys
}

// Exchange is what a call needs from the server to respond.
type Exchange struct {
	Log       *slog.Logger
	Address   Address
	SendUntil time.Time // deadline for sending the response; zero for none
	// Stopping is closed when the server begins to stop.
	Stopping <-chan struct{}
	// Admit checks the credential of the request again, for long-lived responses.
	Admit func() error
}

// NewCall returns the call of a request whose query and body have been read.
func NewCall(r *http.Request, w http.ResponseWriter, query url.Values, b Body, e Exchange) *Call {
	return &Call{request: r, writer: w, query: query, body: b, exchange: e, info: InfoOf(r)}
}

// Read reads the input of a request for good: path, query and body cannot be read afterwards. Routes that decide by the
// input whether to admit a request use it, so that what they check and what their handler does cannot differ.
func Read[Q any](c *Call, read func(*Call) (Q, error)) (Q, error) {
	q, err := read(c)
	c.wasRead = true
	return q, err
}

// unread panics if the input has been read for good.
func (c *Call) unread() {
	if c.wasRead {
		panic("BUG: " + c.info.Route + " reads its input again after it was checked")
	}
}

// As makes the holder of a key the caller.
func (c *Call) As(p auth.Principal) *Call {
	c.principal = p
	return c
}

// AsPerson makes a signed-in person the caller.
func (c *Call) AsPerson(person *auth.Person, p auth.Principal) *Call {
	c.person, c.principal = person, p
	return c
}

// Person returns the signed-in person; nil for keys.
func (c *Call) Person() *auth.Person { return c.person }

// SetCookie adds a cookie to the response.
func (c *Call) SetCookie(cookie *http.Cookie) { http.SetCookie(c.writer, cookie) }

// AsAdmin makes an administrator the caller.
func (c *Call) AsAdmin(admin domain.Actor) *Call {
	c.admin = &admin
	return c
}

// InTurn waits for a turn and then runs the handler. The turn is given up while the request waits for memory.
func (c *Call) InTurn(ad *Admission, readsEvents bool, handle func(*Call) (any, error)) (any, error) {
	c.turn = &turn{admission: ad, ctx: c.Context(), tenant: c.info.Consumer.FairnessKey(), slot: true, readSlot: readsEvents}
	if err := c.turn.take(); err != nil {
		return nil, err
	}
	defer c.turn.end()
	defer memory.Of(c.Context()).WhileWaiting(c.turn.pause)()
	return handle(c)
}

// CallOut runs a call to another server. The request gives its turn up meanwhile, since the other server decides how
// long that takes. The error is that of waiting: there are too many such calls, or none of the turns is free afterwards.
func (c *Call) CallOut(call func()) error {
	if c.turn == nil {
		call()
		return nil
	}
	tenant := cmp.Or(c.info.Consumer.OrganizationID, c.turn.tenant)
	return c.turn.pause(func() error {
		if err := c.turn.admission.takeCall(c.Context(), tenant); err != nil {
			return err
		}
		defer c.turn.admission.endCall(tenant)
		call()
		return nil
	})
}

// Request returns the underlying request, whose body has been read.
func (c *Call) Request() *http.Request { return c.request }

// RequestID returns the id of the request, as it appears in logs.
func (c *Call) RequestID() string { return c.info.ID }

// PublicKey returns the public half of the key that was presented.
func (c *Call) PublicKey() string { return c.principal.PublicKey() }

// Consumer returns the consumer whose usage limits the request counts towards.
func (c *Call) Consumer() domain.Consumer { return c.info.Consumer }

// May reports whether the key holds a permission.
func (c *Call) May(permission domain.Permission) bool { return c.principal.May(permission) }

// Context returns the request's context, which ends when the client disconnects or the request times out.
func (c *Call) Context() context.Context { return c.request.Context() }

// Path returns a wildcard segment of the path, unescaped, by its name in the route.
func (c *Call) Path(name string) string {
	c.unread()
	return c.request.PathValue(name)
}

// Header returns a header of the request.
func (c *Call) Header(name string) string { return c.request.Header.Get(name) }

// Query returns a reader of the query parameters.
func (c *Call) Query() *decode.Query { return decode.NewQuery(c.Parameters()) }

// Parameters returns the query parameters. Only those that the route declares as lists have more than one value.
func (c *Call) Parameters() url.Values {
	c.unread()
	return c.query
}

// Body returns a reader of the body.
func (c *Call) Body() decode.Value {
	c.unread()
	return c.body.value()
}

// RawBody returns the uncompressed body, and whether it is JSON.
func (c *Call) RawBody() (bytes []byte, isJSON bool) {
	c.unread()
	return c.body.Bytes, c.body.json
}

// Export returns the body of a route that receives span exports.
func (c *Call) Export() *ingest.Body { return c.body.Export }

// BrowserKey returns the id of a key that was presented without its secret, or "" if the secret came with it.
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

// Info collects what becomes known about a request while it is served.
type Info struct {
	ID, Route string
	Consumer  domain.Consumer // empty if no key was presented
	Started   time.Time
}

type infoKey struct{}

// WithInfo attaches the Info of a request to its context.
func WithInfo(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// InfoOf returns the Info of a request, or nil if it has none yet.
func InfoOf(r *http.Request) *Info {
	info, _ := r.Context().Value(infoKey{}).(*Info)
	return info
}

// LeaseOf returns the memory lease of a request.
func LeaseOf(r *http.Request) *memory.Lease { return memory.Of(r.Context()) }

// BaseURL returns the URL under which the client reaches this server.
func (c *Call) BaseURL() string { return c.exchange.Address.BaseURL(c.request) }

// Require returns an error if the key does not hold a permission.
func (c *Call) Require(permission domain.Permission) error {
	if !c.principal.May(permission) {
		return auth.Lacking(permission)
	}
	return nil
}
