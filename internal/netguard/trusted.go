package netguard

import (
	"errors"
	"net"
	"net/http"
	"time"
)

// TrustedTransport returns a transport for destinations that the operator configured: any address, through the proxy of
// the environment. The caller may change it.
func TrustedTransport() *http.Transport {
	return http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
}

// TrustedDialer returns a dialer for destinations that the operator configured.
func TrustedDialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}
}

// TrustedClient returns a client for destinations that the operator configured. It follows redirects only on the same
// host. The timeout is for a whole request; 0 for none.
func TrustedClient(t http.RoundTripper, timeout time.Duration) *Client {
	return newClient(t, timeout, sameHost)
}

// ExactClient is TrustedClient without any redirects, for requests that contain secrets or must not become another.
func ExactClient(t http.RoundTripper, timeout time.Duration) *Client {
	return newClient(t, timeout, func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse })
}

// maxRedirects is the maximum number of redirects that are followed.
const maxRedirects = 10

// sameHost permits redirects within a host, and from HTTP to HTTPS.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0].URL
	upgraded := first.Scheme == "http" && next.URL.Scheme == "https" && first.Hostname() == next.URL.Hostname()
	switch {
	case len(before) >= maxRedirects:
		return errors.New("there are too many redirects")
	case !upgraded && (next.URL.Scheme != first.Scheme || next.URL.Host != first.Host):
		return errors.New("it redirects to another server, " + next.URL.Host + ": use the address of that server instead")
	}
	return nil
}
