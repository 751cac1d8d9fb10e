// Package experiments puts experiments together. No store has them: a row says which experiment it belongs to, and what
// an experiment is like is told by all of its rows.
package experiments
