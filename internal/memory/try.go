package memory

// TryGrow takes more if nobody has to wait for it, and fails with ErrBusy otherwise. It is for those who hold what others need to give
// memory back, such as a connection to a database: they let go of it first, and then wait.
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
	case l.held+more > b.Most():
		return ErrTooLarge
	}
	return ErrBusy
}
