// Package llm is the one way in which this program calls models.
//
// A call goes through four layers, each in a file of its own: client.go takes turns and repeats attempts that failed for a
// moment, ladder.go asks for structured answers, attempt.go makes one HTTP request, and a dialect writes the request and
// reads the answer. A service says where the requests of a connection go and how they prove who asks. There is one file
// for each of both.
package llm
