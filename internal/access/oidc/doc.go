// Package oidc signs people in with OpenID Connect: it redirects a browser to a provider, handles its return, and
// returns the identity that the provider confirms. The callers deal with accounts, roles and sessions.
//
// It uses the authorization code flow, always with PKCE. The values that the provider's response must match (state,
// nonce, verifier, provider) are kept in an encrypted cookie, so that any of several servers can finish a flow that
// another one started. The format and signature of tokens are checked by go-oidc; see docs/decisions/026 for the
// reasons.
package oidc
