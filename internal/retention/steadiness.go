package retention

import "time"

const (
	// steady is how long the clock must have gone as it should before anything is deleted for its age. A machine that starts with
	// a wrong clock, or is given one, has it set right within minutes; what was deleted does not come back.
	steady = 10 * time.Minute
	// drift is how far the clock may be from where it should be after the time between two looks. Time servers move it slowly.
	drift = 10 * time.Second
)

// steadiness follows the clock, which can be set, and compares it with the time that has passed, which cannot.
type steadiness struct {
	clock  int64         // at the last look, in nanoseconds since 1970
	passed time.Duration // until the last look
	since  time.Duration // when the clock was right after a jump
}

// look notes what the clock shows after some time has passed. It returns how long the clock has been steady, and by how much it
// has jumped since the last look. The clock comes as a number: a time.Time also carries a reading of the other clock, and would use that
// to tell differences.
func (s *steadiness) look(clock int64, passed time.Duration) (calm, jump time.Duration) {
	if s.clock == 0 {
		s.since = passed
	} else if off := time.Duration(clock-s.clock) - (passed - s.passed); off.Abs() > drift {
		s.since, jump = passed, off
	}
	s.clock, s.passed = clock, passed
	return passed - s.since, jump
}
