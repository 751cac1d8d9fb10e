// Package filter knows the columns of rows and the conditions on them. Every event store and every reader evaluates
// conditions with it, so that a row meets a condition or does not wherever it is kept.
//
// Columns come from a catalogue; there is one for each kind of row. Conditions are made by constructors, which check
// that the operator and the value fit the column:
//
//	name, ok := filter.Observations().Column("name")
//	...
//	condition, err := filter.NewText(name, filter.StartsWith, "chat")
//
// Parse makes them of the JSON that clients send, and says what is wrong with it in a form that they know.
//
// A store that has whole rows asks Match. A store that keeps columns asks MatchText, MatchNumber and so on, which take
// the value of the column only.
//
// # Unset and null
//
// Rows do not tell empty text from unset text. What an unset text means to a condition depends on the column: on most
// it is an ordinary value that is empty; where EmptyIsNull is set it is met by conditions that ask for it only; and where
// Nullable is set a row may have no value at all, which nothing meets but "is null". "is null" is met by unset text
// on every column, and by lists and metadata without entries.
package filter
