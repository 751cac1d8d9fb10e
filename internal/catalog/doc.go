// Package catalog is the control plane's database: organizations, projects, API keys, users, memberships and the audit
// log, and what projects have besides events: score configs, annotation queues, comments, datasets with their items and
// runs. Groups of tables have packages below it, whose methods are methods of Catalog, too. It runs on SQLite (a file in
// the data directory, the default) or PostgreSQL.
//
// All SQL here works on both, and what differs is in sqldb: placeholders are written ?, times are stored as
// milliseconds since 1970 in BIGINT, JSON and lists as TEXT. The test suite runs on both databases.
//
// Writes are durable when a method returns. Reads see every write that returned before they began. Methods return
// domain.ErrNotFound and domain.ErrConflict, wrapped; any other error means that the database failed.
package catalog
