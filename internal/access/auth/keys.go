package auth

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"almanac/internal/domain"
)

// KeyStore stores keys.
type KeyStore interface {
	// KeyByPublic returns a key, or domain.ErrNotFound.
	KeyByPublic(ctx context.Context, publicKey string) (domain.StoredKey, error)
	// RecordKeyUse stores when keys were last used, by key id.
	RecordKeyUse(ctx context.Context, lastUsed map[string]time.Time) error
	// ReplaceKeyHash replaces the hash of a key's secret if it is still the one in before. It reports whether it did.
	ReplaceKeyHash(ctx context.Context, id, before, after string) (bool, error)
}

const (
	// maxCachedKeys is the maximum number of cached keys.
	maxCachedKeys = 10_000
	// recordInterval is how often the times of last use of keys are stored.
	recordInterval = 15 * time.Second
)

// Keys checks API keys. Lookups, including those of unknown keys, are cached for a short time, so that a busy client
// does not cost a query per request and a revocation takes effect within that time; Invalidate makes it immediate.
type Keys struct {
	store KeyStore
	life  time.Duration
	now   func() time.Time
	log   *slog.Logger
	// matches compares a secret with a hash. Tests replace it to count its calls.
	matches func(secretHash, string) bool
	// nobody is the hash to compare with when a key is unknown, so that the response takes as long as for a known one.
	nobody secretHash
	// open decrypts the hashes of imported keys; nil if that is not possible.
	open func(sealed, place string) (string, error)
	slow bcryptLimiter
	// outages says how to go on while the store cannot be reached.
	outages Outages

	mu      sync.Mutex
	cached  map[string]cachedKey // by public key
	unknown unknownKeys
	epoch   int                  // counts calls of Invalidate
	used    map[string]time.Time // by key id; not yet stored
	// awayUntil is the time until which the store is taken to be out of reach.
	awayUntil time.Time
}

// Outages says how to go on while the store of the keys cannot be reached.
type Outages struct {
	// Grace is how long a key keeps working after it was last read from the store; 0 if it does not.
	Grace time.Duration
	// Away reports whether an error means that the store cannot be reached.
	Away func(error) bool
}

const (
	// outagePatience is how long to wait for the store to answer about a key that could go on without it.
	outagePatience = 2 * time.Second
	// outagePause is how long after a failure the store is not asked again about such keys.
	outagePause = time.Second
)

type cachedKey struct {
	key  domain.APIKey
	hash secretHash
	// imported is the hash of an imported key that has not been used yet; nil for others.
	imported *importedHash
	found    bool
	until    time.Time
}

// NewKeys returns a checker of the keys in the store that caches them for the given time.
func NewKeys(store KeyStore, life time.Duration, log *slog.Logger) *Keys {
	nobody, err := parseSecretHash(HashSecret(domain.NewID()))
	if err != nil {
		panic("BUG: a fresh hash does not parse: " + err.Error())
	}
	return &Keys{
		store: store, life: life, now: time.Now, log: log, matches: secretHash.matches, nobody: nobody,
		slow:   bcryptLimiter{compare: bcrypt.CompareHashAndPassword, turn: make(chan struct{}, 1)},
		cached: make(map[string]cachedKey), used: make(map[string]time.Time),
	}
}

// OpenImported sets the function that decrypts the hashes of imported keys. It must be called before the first check.
func (k *Keys) OpenImported(open func(sealed, place string) (string, error)) { k.open = open }

// TolerateOutages lets keys that are known go on while the store cannot be reached. It must be called before the first
// check. A revocation that this server has heard of is respected: it clears the cache.
func (k *Keys) TolerateOutages(o Outages) { k.outages = o }

// Check checks an Authorization header. The error, if any, is a *Denied.
func (k *Keys) Check(ctx context.Context, authorization string) (Principal, error) {
	h, err := parseHeader(authorization)
	if err != nil {
		return Principal{}, err
	}
	public := h.public
	if !h.basic {
		public = h.token
	}
	var found cachedKey
	if len(public) <= domain.MaxKeyBytes { // there is no longer one
		found, err = k.lookUp(ctx, public)
	}
	if err != nil {
		return Principal{}, Unavailable(err)
	}
	valid := found.found && !found.key.Expired(k.now())
	if h.basic {
		hash := found.hash
		if !valid || found.imported != nil {
			hash = k.nobody
		}
		right := k.matches(hash, h.secret)
		if valid && found.imported != nil {
			if right, err = k.adopt(ctx, public, found, h.secret); err != nil {
				return Principal{}, err
			}
		}
		if !right || !valid {
			return Principal{},
				unauthorized("Invalid credentials."+confirmHost).wrong(whyInvalid(found, valid), shownKey(public, found.found))
		}
	} else {
		if !valid {
			return Principal{},
				unauthorized("Invalid public key."+confirmHost).wrong(whyInvalid(found, valid), shownKey(public, found.found))
		}
		if found.key.ProjectID == "" {
			return Principal{}, unauthorized("Unauthorized: Cannot use organization key with bearer auth." + confirmHost)
		}
	}
	k.markUsed(found.key.ID)
	return Principal{key: found.key, publicOnly: !h.basic}, nil
}

func whyInvalid(found cachedKey, valid bool) string {
	switch {
	case valid:
		return "wrong secret"
	case found.found:
		return "expired key"
	}
	return "unknown key"
}

func (k *Keys) lookUp(ctx context.Context, public string) (cachedKey, error) {
	now := k.now()
	k.mu.Lock()
	entry, ok := k.cached[public]
	isUnknown := k.unknown.has(public, now)
	epoch, away := k.epoch, now.Before(k.awayUntil)
	k.mu.Unlock()
	last, known := entry, ok && now.Before(entry.until.Add(k.outages.Grace))
	switch {
	case isUnknown:
		return cachedKey{}, nil
	case ok && now.Before(entry.until), known && away:
		return entry, nil
	}
	entry = cachedKey{until: now.Add(k.life)}
	stored, err := k.read(ctx, public, known)
	switch {
	case err != nil && known && ctx.Err() == nil && k.isAway(err):
		k.suspend(epoch, err)
		return last, nil
	case err == nil:
		if IsImported(stored.SecretHash) {
			entry.imported, err = openImported(stored.SecretHash, public, k.open)
		} else {
			entry.hash, err = parseSecretHash(stored.SecretHash)
		}
		if err != nil {
			return cachedKey{}, err
		}
		entry.key, entry.found = stored.APIKey, true
	case !errors.Is(err, domain.ErrNotFound):
		return cachedKey{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.epoch != epoch {
		return entry, nil // read before a change: valid for this request, but not cached
	}
	public = strings.Clone(public) // it is part of the header, which may be much longer
	if !entry.found {
		delete(k.cached, public)
		k.unknown.add(public, now, entry.until)
		return entry, nil
	}
	if len(k.cached) >= maxCachedKeys {
		k.evict(now)
	}
	k.cached[public] = entry
	return entry, nil
}

// read reads a key from the store. If it is known, the answer is not waited for as long.
func (k *Keys) read(ctx context.Context, public string, known bool) (domain.StoredKey, error) {
	if known {
		limited, cancel := context.WithTimeout(ctx, outagePatience)
		defer cancel()
		ctx = limited
	}
	return k.store.KeyByPublic(ctx, public)
}

func (k *Keys) isAway(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || k.outages.Away != nil && k.outages.Away(err)
}

// suspend makes known keys go on without the store for a moment.
func (k *Keys) suspend(epoch int, err error) {
	now := k.now()
	k.mu.Lock()
	first := now.After(k.awayUntil.Add(time.Minute))
	if k.epoch == epoch {
		k.awayUntil = now.Add(outagePause)
	}
	k.mu.Unlock()
	if first {
		k.log.Warn("the catalog cannot be reached: API keys that were used recently keep working for a time", "at_most", k.outages.Grace,
			"error", err)
	}
}

// evict removes expired entries or, if the cache is still full, all of them. Entries live for seconds, so a finer order
// would cost more than the queries it saves; only during an outage would expired ones still be of use.
func (k *Keys) evict(now time.Time) {
	for public, entry := range k.cached {
		if !now.Before(entry.until) {
			delete(k.cached, public)
		}
	}
	if len(k.cached) >= maxCachedKeys {
		clear(k.cached)
	}
}

// sweep removes entries that are of no use even during an outage.
func (k *Keys) sweep() {
	now := k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	for public, entry := range k.cached {
		if !now.Before(entry.until.Add(k.outages.Grace)) {
			delete(k.cached, public)
		}
	}
	k.unknown.sweep(now)
}

// Invalidate clears the cache, after a change of keys or projects.
func (k *Keys) Invalidate() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.cached)
	k.unknown, k.awayUntil = unknownKeys{}, time.Time{}
	k.epoch++
}

func (k *Keys) markUsed(id string) {
	now := k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used[id] = now
}

// Run stores periodically, and once more at the end, when keys were last used. It returns when ctx is done.
func (k *Keys) Run(ctx context.Context) {
	ticker := time.NewTicker(recordInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			k.sweep()
			k.record(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			k.record(last)
			return
		}
	}
}

// record stores the uses since the last call. If that fails, they are kept for the next one.
func (k *Keys) record(ctx context.Context) {
	k.mu.Lock()
	used := k.used
	k.used = make(map[string]time.Time)
	k.mu.Unlock()
	if len(used) == 0 {
		return
	}
	if err := k.store.RecordKeyUse(ctx, used); err != nil {
		k.log.Warn("cannot record when API keys were last used", "keys", len(used), "error", err)
		k.putBack(used)
	}
}

// putBack keeps uses that could not be stored, unless the keys were used since.
func (k *Keys) putBack(used map[string]time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, at := range used {
		if _, again := k.used[id]; !again {
			k.used[id] = at
		}
	}
}
