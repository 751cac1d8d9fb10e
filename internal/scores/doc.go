// Package scores takes scores in: it reads them, holds them to their configs, merges writes of one id and stores the result.
//
// # Several writes of one score
//
// A score is put together from all writes of its id in the order in which clients made them, not in which they arrived:
//
//	timestamp, environment, trace                     of the first write
//	name, value, data type, source, queue             of the last write
//	comment, config, observation, session, experiment  of the last write that names them; null clears
//	metadata                                          of all writes, merged key by key; the last value of a key counts
//
// Only the result is stored, with the time of its newest write (domain.Score.EventAt). A write that is older than that but
// arrives later is put underneath: what the stored score has stays, what it lacks is filled from the older write, and if that is
// older than the first write, it becomes the first one. That is what the order of the clients would have given, but for what the
// stored row no longer tells: a value that was cleared may come back, and of two older writes the one that arrived first wins.
// Writes that come in one batch are put in order first, so among themselves they lose nothing.
//
// Whoever has only the public key, as browsers do, can add scores and change those that were written with this key in the same
// way, also by sending them again. A score that somebody wrote with a secret is out of their reach (ErrForeign), and one of
// theirs is, too, as soon as it is written with a secret.
//
// The time of creation is when the score was first stored. It never changes.
package scores
