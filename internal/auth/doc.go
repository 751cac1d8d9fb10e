// Package auth checks credentials: API keys in Basic and Bearer headers and the instance's admin key. What a
// credential may do is answered by the Principal it yields; where that is enough is decided by the route table.
package auth
