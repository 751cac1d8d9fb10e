// Package experiments assembles experiments from rows. They are not stored as such: each row says which experiment it
// belongs to, and an experiment is described by all of its rows.
package experiments
