// Package netguard makes the connections of this program to other machines. Product code creates no HTTP client,
// transport or dialer elsewhere: the linter rejects it.
//
// A Guard makes the requests whose destination users of the server can influence: buckets, model providers, token
// endpoints. They reach only the internet, unless the operator allows more. Each address is checked when a connection is
// made, after its name has been resolved, so it does not matter how an address came about. Redirects are not followed,
// and an answer must keep arriving and must end: libraries read whole answers into memory.
//
// Destinations that the operator configures are trusted: see TrustedTransport.
package netguard

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// Guard decides which connections may be made. The zero value allows the internet only, without a proxy.
type Guard struct {
	// Private allows this machine and its private network as well.
	Private bool
	// Proxy returns the proxy for a request, or nil for none. A proxy resolves names itself, so it must decide which
	// addresses can be reached; only the form of the host is checked then.
	Proxy func(*http.Request) (*url.URL, error)

	// The others are for tests. Resolver resolves names. Connecting is called with each address that has passed the
	// checks; its error prevents the connection. Patience replaces that of every kind.
	Resolver   *net.Resolver
	Connecting func(netip.AddrPort) error
	Patience   time.Duration
}

// EnvironmentProxy returns the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for a request.
func EnvironmentProxy(r *http.Request) (*url.URL, error) { return http.ProxyFromEnvironment(r) }

// Kind is a kind of requests whose destination users can influence.
type Kind int

// The kinds. A test calls each of them with hostile destinations.
const (
	// Bucket is storage that scheduled exports are written to.
	Bucket Kind = iota
	// Model is a model provider, with the token endpoints of its service accounts.
	Model
	kinds // how many there are
)

// Kinds returns all kinds.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for n := range all {
		all[n] = Kind(n)
	}
	return all
}

// limits bound how long a request may take.
type limits struct {
	connect  time.Duration // for a connection, and for its TLS handshake
	answer   time.Duration // until an answer begins
	patience time.Duration // how long nothing may be accepted or arrive
	rate     int64         // bytes a second that must be accepted or arrive on average; 0 for any
	total    time.Duration // for everything; 0 for any
	bytes    int64         // of an answer, uncompressed
}

const (
	// maxAnswer is the maximum size of an answer, in bytes. Nothing large is ever read from buckets.
	maxAnswer = 1 << 20
	// maxModelAnswer is the maximum size of the answer of a model. It is a stream, of which little is kept.
	maxModelAnswer = 64 << 20
	// maxHeader is the maximum size of the header of an answer, in bytes.
	maxHeader = 64 << 10
)

func (k Kind) limits() limits {
	switch k {
	case Bucket:
		// Objects have any size, so their rate is bounded instead of their time.
		return limits{connect: 15 * time.Second, answer: time.Minute, patience: time.Minute, rate: 16 << 10, bytes: maxAnswer}
	case Model:
		// Models think before they answer, and each of their words is an event of hundreds of bytes. Callers have less time.
		return limits{
			connect: 15 * time.Second, answer: 5 * time.Minute, patience: 5 * time.Minute, total: 10 * time.Minute, bytes: maxModelAnswer,
		}
	}
	panic("BUG: a kind of requests without limits")
}

// Client is an HTTP client that follows no redirects.
type Client struct{ client *http.Client }

// Do sends a request. It returns redirects as they are.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	return c.client.Do(r) //nolint:gosec // the transport checks where it goes
}

// HTTP returns the client for libraries that need one.
func (c *Client) HTTP() *http.Client { return c.client }

// RoundTripper returns the transport of the client, for libraries that have a client of their own.
func (c *Client) RoundTripper() http.RoundTripper { return c.client.Transport }

// Wrapped returns the same client with a transport around its own.
func (c *Client) Wrapped(wrap func(http.RoundTripper) http.RoundTripper) *Client {
	return newClient(wrap(c.client.Transport), c.client.Timeout, c.client.CheckRedirect)
}

// CloseIdleConnections closes connections that are not in use.
func (c *Client) CloseIdleConnections() { c.client.CloseIdleConnections() }

// Client returns a client for requests of a kind.
func (g Guard) Client(kind Kind) *Client {
	l := kind.limits()
	if g.Patience > 0 {
		l.patience = g.Patience
	}
	direct := newTransport(l)
	dialer := &net.Dialer{Timeout: l.connect, Resolver: g.Resolver, ControlContext: g.control}
	direct.DialContext = dialer.DialContext
	guarded := &guardedTransport{guard: g, direct: direct}
	if g.Proxy != nil {
		guarded.proxied = newTransport(l)
		guarded.proxied.Proxy = g.Proxy
		guarded.proxied.DialContext = (&net.Dialer{Timeout: l.connect}).DialContext
	}
	return newClient(paced{ending{guarded, l.bytes}, l.patience, l.rate}, l.total, func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	})
}

func newClient(t http.RoundTripper, timeout time.Duration, redirects func(*http.Request, []*http.Request) error) *Client {
	return &Client{&http.Client{Transport: t, Timeout: timeout, CheckRedirect: redirects}}
}

// newTransport returns a transport without a proxy. It uses HTTP/1: there is one request at a time per connection, so a
// slow request can be ended without ending others.
func newTransport(l limits) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	t.Proxy, t.TLSHandshakeTimeout, t.ResponseHeaderTimeout, t.MaxResponseHeaderBytes = nil, l.connect, l.answer, maxHeader
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	return t
}

// control is called for each connection, with the address to which its name was resolved.
func (g Guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return ErrPrivate
	}
	if !g.Private && (!IsPublicAddress(at.Addr()) || isOwn(at.Addr())) {
		return ErrPrivate
	}
	if g.Connecting != nil {
		return g.Connecting(at)
	}
	return nil
}

// CheckURL refuses URLs that cannot be stored as a destination: others than absolute ones of HTTP, those with
// credentials, which everybody would see who can read the URL, and those that a guard would never connect to.
func (g Guard) CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "":
		return errors.New("this is not a URL such as https://storage.example.org")
	case u.User != nil:
		return errors.New("the URL holds a user name or a password: anybody who can read it would see them")
	case !g.Private && !IsPublicHost(u.Hostname()):
		return ErrPrivate
	}
	return nil
}

// guardedTransport sends requests directly or through the proxy.
type guardedTransport struct {
	guard           Guard
	direct, proxied *http.Transport
}

// RoundTrip sends a request.
func (t *guardedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.guard.Private && !IsPublicHost(r.URL.Hostname()) {
		closeBody(r)
		return nil, ErrPrivate
	}
	if t.guard.Proxy == nil {
		return t.direct.RoundTrip(r)
	}
	proxy, err := t.guard.Proxy(r)
	if err != nil {
		closeBody(r)
		return nil, err
	}
	if proxy == nil {
		return t.direct.RoundTrip(r)
	}
	return t.proxied.RoundTrip(r)
}

// CloseIdleConnections closes connections that are not in use.
func (t *guardedTransport) CloseIdleConnections() {
	t.direct.CloseIdleConnections()
	if t.proxied != nil {
		t.proxied.CloseIdleConnections()
	}
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close() // it is not sent
	}
}
