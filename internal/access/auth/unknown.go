package auth

import "time"

const (
	// maxUnknownBytes limits the memory for public keys that do not exist. Anybody can make them up, so it is small and
	// separate from the memory for those that do.
	maxUnknownBytes = 1 << 20
	// unknownEntryBytes is about what an entry takes besides the key itself.
	unknownEntryBytes = 100
)

// unknownKeys are public keys that were looked up and do not exist, with the time until which that is assumed.
type unknownKeys struct {
	until map[string]time.Time
	bytes int
}

func (u *unknownKeys) has(public string, now time.Time) bool {
	until, ok := u.until[public]
	return ok && now.Before(until)
}

// add keeps a key. If there is no room, expired ones are dropped or, if that is not enough, all of them.
func (u *unknownKeys) add(public string, now, until time.Time) {
	u.remove(public)
	size := len(public) + unknownEntryBytes
	if u.bytes+size > maxUnknownBytes {
		u.sweep(now)
	}
	if u.until == nil || u.bytes+size > maxUnknownBytes {
		*u = unknownKeys{until: make(map[string]time.Time)}
	}
	u.until[public] = until
	u.bytes += size
}

func (u *unknownKeys) remove(public string) {
	if _, ok := u.until[public]; ok {
		delete(u.until, public)
		u.bytes -= len(public) + unknownEntryBytes
	}
}

// sweep drops expired keys.
func (u *unknownKeys) sweep(now time.Time) {
	for public, until := range u.until {
		if !now.Before(until) {
			u.remove(public)
		}
	}
}
