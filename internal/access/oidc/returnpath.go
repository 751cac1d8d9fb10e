package oidc

import (
	"net/url"
	"strings"
)

// maxReturnPath is the maximum length of a return path, in bytes. It is stored in a cookie, which browsers limit to 4
// KB.
const maxReturnPath = 2000

// ReturnPath returns the path to go to after sign-in, with its query and fragment, if it is on this server. Anything
// that could lead to another server, or is too long, is replaced by the start page.
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
	// Browsers also clean paths: /.//host and /x/..//host become //host.
	if strings.Contains(u.EscapedPath(), "//") {
		return "/"
	}
	return text
}
