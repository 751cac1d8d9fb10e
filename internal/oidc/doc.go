// Package oidc signs people in by OpenID Connect: it sends a browser to a provider, takes it back, and returns who the provider
// says that is. What becomes of that, an account, roles and a session, is the business of others.
//
// The code flow is used, always with PKCE. What the answer has to fit (state, nonce, verifier, provider) travels in an encrypted
// cookie, so that any server of several can finish what another one started. The checks of a token's form and signature are those
// of go-oidc; docs/decisions/026 says why.
package oidc
