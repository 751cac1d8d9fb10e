// Package experimenting runs experiments: a model answers every item of a dataset. What comes of it is what SDKs make of
// theirs: traces whose spans name the experiment and the item, and scores of built-in checks.
package experimenting
