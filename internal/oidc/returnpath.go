package oidc

import (
	"net/url"
	"strings"
)

// maxReturnPath is how long a path to return to may be. It travels in a cookie, of which browsers keep 4 KB.
const maxReturnPath = 2000

// ReturnPath returns the path to go to after sign-in, with its query and fragment, if it is one of ours. Whatever could lead to
// another server, and what is too long, is replaced with the start page.
func ReturnPath(text string) string {
	if len(text) > maxReturnPath || !strings.HasPrefix(text, "/") {
		return "/"
	}
	// Browsers drop control characters, read \ as /, and //host as another host.
	if strings.HasPrefix(text, "//") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return "/"
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "/"
	}
	// Browsers clean paths, too: /.//host and /x/..//host are //host then.
	if strings.Contains(u.EscapedPath(), "//") {
		return "/"
	}
	return text
}
