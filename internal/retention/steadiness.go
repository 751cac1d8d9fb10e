package retention

import "time"

const (
	// steady is how long the clock must have run steadily before anything is deleted for its age. A machine with a
	// wrong clock usually has it corrected within minutes, and deleted data does not come back.
	steady = 10 * time.Minute
	// drift is how far the clock may deviate between two looks. Time servers adjust it slowly.
	drift = 10 * time.Second
)

// steadiness compares the wall clock, which can be set, with the time that has passed, which cannot.
type steadiness struct {
	clock  int64         // at the last look, in nanoseconds since 1970
	passed time.Duration // until the last look
	since  time.Duration // when the clock became steady
}

// look records the reading of the clock after some time has passed. It returns how long the clock has been steady, and
// by how much it has jumped since the last look. The clock is passed as a number because a time.Time also carries a
// monotonic reading, which would be used for differences.
func (s *steadiness) look(clock int64, passed time.Duration) (calm, jump time.Duration) {
	if s.clock == 0 {
		s.since = passed
	} else if off := time.Duration(clock-s.clock) - (passed - s.passed); off.Abs() > drift {
		s.since, jump = passed, off
	}
	s.clock, s.passed = clock, passed
	return passed - s.since, jump
}
