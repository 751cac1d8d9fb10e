// Package demo plays back recorded traffic of a shop that runs three LLM applications: a support agent with tools that
// talks to customers, a search over internal documents, and a nightly job that summarises reviews.
//
// The recording (recording.go) has a line of JSON for each visit, with its traces as OTLP and their scores as events.
// In its texts, ids, times and facts about customers are placeholders, which a workload (workload.go) replaces, so that
// visits which are played more than once differ. The same seed always gives the same traces.
//
// To change the recording, edit its text and keep the length of its window:
//
//	zstd -d recording.jsonl.zst
//	zstd --ultra -22 --long=24 recording.jsonl
//
// It was recorded with the generator that this package held at commit 7343d01c, which can still be run there.
package demo
