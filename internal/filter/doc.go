// Package filter defines the columns of rows and the conditions on them. Every event store and every reader evaluates
// conditions with it, so that whether a row meets a condition does not depend on where the row is kept.
//
// Columns come from a catalogue; there is one for each kind of row. Conditions are made by constructors, which check
// that the operator and the value fit the column:
//
//	name, ok := filter.Observations().Column("name")
//	...
//	condition, err := filter.NewText(name, filter.StartsWith, "chat")
//
// Parse makes conditions from the JSON that clients send, and reports errors in a form that they know.
//
// A store that has whole rows calls Match. A store that keeps columns calls MatchText, MatchNumber and so on, which
// take only the value of the column.
//
// # Unset and null
//
// Rows do not distinguish empty text from unset text. What unset text means to a condition depends on the column: on
// most it is an ordinary empty value; where EmptyIsNull is set, only conditions that ask for it are met; and where
// Nullable is set, a row may have no value at all, which meets nothing but "is null". "is null" is met by unset text on
// every column, and by lists and metadata without entries.
package filter
