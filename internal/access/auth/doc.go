// Package auth checks credentials: API keys in Basic and Bearer headers and the instance's admin key. The Principal
// returned for a credential knows what it may do; the route table decides what each route requires.
package auth
