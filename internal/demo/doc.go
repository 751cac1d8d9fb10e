// Package demo simulates the traffic of a shop that runs three LLM applications, and sends it to a server as they
// would: a support agent with tools that talks to customers, a search over internal documents, and a nightly job that
// summarises reviews.
//
// A workload generates traces (workload.go), one application at a time (support.go, search.go, digest.go), from spans
// collected by a recorder (recorder.go). An export encodes them as OTLP (export.go) and a client sends it (client.go);
// scores of the traces follow (scores.go). The same seed always gives the same traces.
package demo
