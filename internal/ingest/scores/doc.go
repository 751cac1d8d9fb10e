// Package scores ingests scores: it parses them, checks them against their configs, merges writes with the same id and
// stores the result.
//
// # Several writes of one score
//
// A score is built from all writes with its id, in the order in which clients made them rather than the order of
// arrival:
//
//	timestamp, environment, trace                     of the first write
//	name, value, data type, source, queue             of the last write
//	comment, config, observation, session, experiment  of the last write that names them; null clears
//	metadata                                          of all writes, merged key by key; the last value of a key counts
//
// Only the result is stored, with the time of its newest write (domain.Score.EventAt). A write that is older than that
// but arrives later is merged underneath: fields of the stored score are kept, missing ones are filled in from the
// older write, and if that is older than the first write, it becomes the first one. The result is the same as in client
// order, except for what the stored row no longer shows: a cleared value may come back, and of two older writes the one
// that arrived first wins. Writes in one batch are sorted first, so nothing is lost among them.
//
// A client with only the public key, such as a browser, can add scores and change those written with that key in the
// same way, including by sending them again. It cannot change a score that was written with a secret (ErrForeign),
// including one of its own that was later written with a secret.
//
// The creation time is when the score was first stored. It never changes.
package scores
