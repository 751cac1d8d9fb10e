// Package clickhouse is an event store on a ClickHouse server or cluster, reached over its HTTP interface.
//
// Rows are stored newest first: a table is sorted by project, place (the negated milliseconds of the time) and key, so
// that reading a page starts at its first row and stops at its last. ReplacingMergeTree keeps the newest version of the
// rows with the same place and key, and reads use FINAL, so that replaced and deleted rows are never seen. A row whose
// time changes gets a different place; the writer looks up the old place and writes a tombstone there, in the same
// insert.
//
// A second table, the index, maps ids, traces and sessions to places. Its entries are hints, which reads verify: it may
// name places where no row is left, but is never missing one.
//
// Derived columns, which only Go can compute, are computed here, from rows that ClickHouse filters and streams.
package clickhouse
