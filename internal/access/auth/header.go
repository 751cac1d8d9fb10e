package auth

import (
	"encoding/base64"
	"strings"
)

// header is a parsed Authorization header: a key pair (Basic) or a token (Bearer).
type header struct {
	basic          bool
	public, secret string
	token          string
}

const confirmHost = " Confirm that you've configured the correct host."

// parseHeader splits an Authorization header. The scheme is matched exactly, followed by one space. The error message
// is shown to clients.
func parseHeader(text string) (header, error) {
	switch {
	case text == "":
		return header{}, unauthorized("No authorization header")
	case strings.HasPrefix(text, "Bearer "):
		return header{token: strings.TrimPrefix(text, "Bearer ")}, nil
	case strings.HasPrefix(text, "Basic ") && len(text) > len("Basic "):
		return parseBasic(strings.TrimPrefix(text, "Basic "))
	}
	return header{}, unauthorized("Invalid authorization header")
}

func parseBasic(encoded string) (header, error) {
	encoded = strings.TrimRight(strings.TrimSpace(encoded), "=")
	decoded, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return header{}, unauthorized("Invalid character." + confirmHost)
	}
	// Keys contain no colon; anything after a second one is dropped.
	parts := strings.SplitN(string(decoded), ":", 3)
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return header{}, unauthorized("Invalid authorization header." + confirmHost)
	}
	return header{basic: true, public: parts[0], secret: parts[1]}, nil
}
