// Package catalog is the control-plane database: organizations, projects, API keys, users, memberships and the audit
// log, and whatever projects own apart from events: score configs, annotation queues, comments, datasets with their
// items and runs. Some groups of tables have their own packages below this one, and Catalog embeds their methods. The
// database is SQLite (a file in the data directory, the default) or PostgreSQL.
//
// All SQL here works on both; the differences are in sqldb. Placeholders are written as ?, times are stored as
// milliseconds since 1970 in BIGINT, and JSON and lists as TEXT. The test suite runs on both databases.
//
// Writes are durable when a method returns. Reads see every write that returned before they began. Methods return
// domain.ErrNotFound and domain.ErrConflict, wrapped; any other error means that the database failed.
package catalog
