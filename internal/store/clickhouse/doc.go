// Package clickhouse is an event store on a ClickHouse server or cluster, reached over its HTTP interface.
//
// Rows lie newest first: a table is sorted by project, place (minus the milliseconds of the time) and key, so that a page
// is read from where it begins and no further. ReplacingMergeTree keeps the newest version of what has one place, and
// reads ask for FINAL, so that replaced and deleted rows are never seen. A row whose time changes gets another place; the
// writer looks up where it was and writes a tombstone there, in the same insert.
//
// A second table, the index, leads from ids, traces and sessions to places. What it says is a hint, which reads check: it
// may name places where nothing is left, but never lacks one.
//
// What only Go can compute (derived columns) is computed here, from rows that ClickHouse filtered and streams.
package clickhouse
