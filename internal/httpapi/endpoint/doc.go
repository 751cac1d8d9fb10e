// Package endpoint holds what handlers share: the request as they see it (call.go), input parsing (input.go, body.go),
// list responses (list.go, page.go) that are streamed while they are written (stream.go), and the turns that limit
// concurrency (admission.go, turn.go).
package endpoint
