// Package endpoint is what handlers share: the request as they see it (call.go), readers of what clients send (input.go, body.go),
// lists as answers (list.go, page.go) that are sent while they are written (pieces.go), and the turns that requests take (turn.go).
package endpoint
