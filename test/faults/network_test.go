package faults
func cutRound(w *world) tally { return tally{} }
func hostileRound(w *world) tally { return tally{} }
func crowdRound(w *world) tally { return tally{} }
func damageRound(w *world) tally { return tally{} }
