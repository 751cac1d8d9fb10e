package store

import (
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// LockedStore is an event store whose rows are changed by reading them, merging what a client sent, and appending them
// again. While that happens, the rows are locked; a deletion waits for it, since the appended row would bring a deleted
// one back. Everything that merges or deletes does so through the same LockedStore.
type LockedStore struct {
	Store
	observations *LockedTable[domain.Observation]
	scores       *LockedTable[domain.Score]
}

// NewLocked returns a store with locks, or the given one if it has them already. The remote locker is nil if there are
// no other servers.
func NewLocked(s Store, remote RemoteLocker) *LockedStore {
	if locked, ok := s.(*LockedStore); ok {
		return locked
	}
	return &LockedStore{s, LockObservations(s.Observations(), remote), LockScores(s.Scores(), remote)}
}

// Observations returns the table of observations.
func (s *LockedStore) Observations() Table[domain.Observation] { return s.LockedObservations() }

// Scores returns the table of scores.
func (s *LockedStore) Scores() Table[domain.Score] { return s.LockedScores() }

// LockedObservations returns the table of observations.
func (s *LockedStore) LockedObservations() *LockedTable[domain.Observation] { return s.observations }

// LockedScores returns the table of scores.
func (s *LockedStore) LockedScores() *LockedTable[domain.Score] { return s.scores }

// LockedTable is a table whose rows can be locked.
type LockedTable[R any] struct {
	Table[R]
	locks *IDLocks
	// named returns the locks of the rows that are about to be deleted, as far as other servers may hold them.
	named func(ctx context.Context, scope domain.ProjectScope, s *Selection) ([]string, error)
}

// ObservationLock and TraceLock return the names of the locks of an observation and of a trace. Those who merge anything
// into an observation lock its trace as well. The lock of a score has its id.
func ObservationLock(id string) string { return "o" + id }

// TraceLock returns the name of the lock of a trace.
func TraceLock(id string) string { return "t" + id }

// LockObservations returns the table of observations with locks.
func LockObservations(table Table[domain.Observation], remote RemoteLocker) *LockedTable[domain.Observation] {
	return &LockedTable[domain.Observation]{table, NewIDLocks(remote), func(_ context.Context, _ domain.ProjectScope,
		s *Selection,
	) (names []string, err error) {
		for _, id := range s.IDs {
			names = append(names, ObservationLock(id))
		}
		for _, id := range s.TraceIDs {
			names = append(names, TraceLock(id))
		}
		return names, nil
	}}
}

// LockScores returns the table of scores with locks.
func LockScores(table Table[domain.Score], remote RemoteLocker) *LockedTable[domain.Score] {
	return &LockedTable[domain.Score]{table, NewIDLocks(remote), func(ctx context.Context, scope domain.ProjectScope,
		s *Selection,
	) (names []string, err error) {
		names = slices.Clone(s.IDs)
		if len(s.TraceIDs) == 0 {
			return names, nil
		}
		for row, err := range table.Lookup(ctx, scope, Lookup{TraceIDs: s.TraceIDs}) {
			if err != nil {
				return nil, err
			}
			names = append(names, strings.Clone(row.ID))
		}
		return names, nil
	}}
}

// Lock takes locks of a project until release is called, for those who read rows in order to append them again.
func (t *LockedTable[R]) Lock(ctx context.Context, scope domain.ProjectScope, names []string) (release func(), err error) {
	return t.locks.Take(ctx, scope.ProjectID(), names)
}

// Delete deletes rows once nobody merges anything into rows of the project. Of the rows that are deleted by age, none are
// locked on other servers: one that is merged there meanwhile is deleted the next time.
func (t *LockedTable[R]) Delete(ctx context.Context, scope domain.ProjectScope, s Selection) (int, error) {
	var names []string
	if t.locks.remote != nil {
		var err error
		if names, err = t.named(ctx, scope, &s); err != nil {
			return 0, err
		}
	}
	release, err := t.locks.TakeAll(ctx, scope.ProjectID(), names)
	if err != nil {
		return 0, err
	}
	defer release()
	return t.Table.Delete(ctx, scope, s)
}
