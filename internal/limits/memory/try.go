package memory

// TryGrow grows the lease if that is possible without waiting, and fails with ErrBusy otherwise. It is for callers that
// hold something others need in order to release memory, such as a database connection: they must let go of it first,
// and then wait.
func (l *Lease) TryGrow(bytes int64) error {
	if l == nil {
		return nil
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	more := l.used + bytes - l.held
	switch {
	case l.closed:
		return ErrReleased
	case more <= 0 || b.grant(l, more):
		l.used += bytes
		return nil
	case l.held+more > b.Max():
		return ErrTooLarge
	}
	return ErrBusy
}
