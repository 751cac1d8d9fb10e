package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"almanac/internal/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeStore keeps keys in memory and counts lookups.
type fakeStore struct {
	keys    map[string]domain.StoredKey
	lookUps int
	failure error

	mu   sync.Mutex
	used map[string]time.Time
}

func (s *fakeStore) KeyByPublic(_ context.Context, public string) (domain.StoredKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookUps++
	if s.failure != nil {
		return domain.StoredKey{}, s.failure
	}
	k, ok := s.keys[public]
	if !ok {
		return k, domain.ErrNotFound
	}
	return k, nil
}

func (s *fakeStore) RecordKeyUse(_ context.Context, used map[string]time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = used
	return s.failure
}

func (s *fakeStore) ReplaceKeyHash(_ context.Context, id, before, after string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return false, s.failure
	}
	for public, key := range s.keys {
		if key.ID == id && key.SecretHash == before {
			key.SecretHash = after
			s.keys[public] = key
			return true, nil
		}
	}
	return false, nil
}

// takeUsed returns the uses recorded since the last call.
func (s *fakeStore) takeUsed() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := s.used
	s.used = nil
	return used
}

func newStore() *fakeStore {
	store := &fakeStore{keys: map[string]domain.StoredKey{}}
	add := func(public, secret, project string, permissions domain.PermissionSet, expires *time.Time) {
		store.keys[public] = domain.StoredKey{
			APIKey: domain.APIKey{
				ID: "id-" + public, OrganizationID: "o", ProjectID: project, PublicKey: public, Permissions: permissions,
				ExpiresAt: expires,
			},
			SecretHash: HashSecret(secret),
		}
	}
	add("pk-a", "sk-a", "project-a", domain.AllPermissions(), nil)
	add("pk-b", "sk-b", "project-b", domain.PermissionsOf(domain.TracesRead), nil)
	add("pk-org", "sk-org", "", domain.AllPermissions(), nil)
	add("pk-old", "sk-old", "project-a", domain.AllPermissions(), new(time.Unix(1, 0)))
	return store
}

// newStoredKey returns a key whose secret does not matter.
func newStoredKey(public string) domain.StoredKey {
	return domain.StoredKey{
		APIKey: domain.APIKey{ID: "id-" + public, OrganizationID: "o", ProjectID: "project-a", PublicKey: public}, SecretHash: someHash,
	}
}

var someHash = HashSecret("sk-some")

func newKeys(store KeyStore) *Keys {
	return NewKeys(store, 5*time.Second, slog.New(slog.DiscardHandler))
}

func basic(pair string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)) }

// TestCheck covers the authentication table of the contract.
func TestCheck(t *testing.T) {
	cases := []struct {
		name    string
		header  string
		status  int // 0 means accepted
		message string
	}{
		{"header missing", "", 401, "No authorization header"},
		{"unknown scheme", "Digest abc", 401, "Invalid authorization header"},
		{"schemes are case-sensitive", strings.Replace(basic("pk-a:sk-a"), "Basic", "basic", 1), 401, "Invalid authorization header"},
		{"scheme alone", "Basic", 401, "Invalid authorization header"},
		{"nothing after the scheme", "Basic ", 401, "Invalid authorization header"},
		{"no pair", basic("nonsense"), 401, "Invalid authorization header. Confirm that you've configured the correct host."},
		{"empty secret", basic("pk-a:"), 401, "Invalid authorization header. Confirm that you've configured the correct host."},
		{"empty public key", basic(":sk-a"), 401, "Invalid authorization header. Confirm that you've configured the correct host."},
		{"not base64", "Basic ???", 401, "Invalid character. Confirm that you've configured the correct host."},
		{"unknown key", basic("pk-x:sk-x"), 401, "Invalid credentials. Confirm that you've configured the correct host."},
		{"wrong secret", basic("pk-a:sk-b"), 401, "Invalid credentials. Confirm that you've configured the correct host."},
		{"secret of another public key", basic("pk-b:sk-a"), 401, "Invalid credentials. Confirm that you've configured the correct host."},
		{"expired", basic("pk-old:sk-old"), 401, "Invalid credentials. Confirm that you've configured the correct host."},
		{"bearer, unknown public key", "Bearer pk-x", 401, "Invalid public key. Confirm that you've configured the correct host."},
		{"bearer with the secret", "Bearer sk-a", 401, "Invalid public key. Confirm that you've configured the correct host."},
		{"bearer, empty", "Bearer ", 401, "Invalid public key. Confirm that you've configured the correct host."},
		{"bearer, expired", "Bearer pk-old", 401, "Invalid public key. Confirm that you've configured the correct host."},
		{
			"bearer with an organization key", "Bearer pk-org", 401,
			"Unauthorized: Cannot use organization key with bearer auth. Confirm that you've configured the correct host.",
		},
		{"pair", basic("pk-a:sk-a"), 0, ""},
		{"pair without padding", strings.TrimRight(basic("pk-a:sk-a"), "="), 0, ""},
		{"what follows a second colon is dropped", basic("pk-a:sk-a:more"), 0, ""},
		{"organization pair", basic("pk-org:sk-org"), 0, ""},
		{"bearer", "Bearer pk-a", 0, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := newKeys(newStore()).Check(t.Context(), c.header)
			checkDenied(t, err, c.status, c.message)
		})
	}
}

func checkDenied(t *testing.T, err error, status int, message string) {
	t.Helper()
	var denied *Denied
	switch {
	case status == 0:
		if err != nil {
			t.Errorf("denied: %v", err)
		}
	case !errors.As(err, &denied):
		t.Errorf("not denied: %v", err)
	case denied.Status != status || denied.Message != message:
		t.Errorf("denied with %d %q, want %d %q", denied.Status, denied.Message, status, message)
	}
}

func TestUnreachableStore(t *testing.T) {
	store := newStore()
	store.failure = errors.New("disk on fire")
	_, err := newKeys(store).Check(t.Context(), basic("pk-a:sk-a"))
	checkDenied(t, err, 503, "Service Unavailable")
	if !errors.Is(err, store.failure) {
		t.Errorf("the cause is lost: %v", err)
	}
	store = newStore()
	store.keys["pk-a"] = domain.StoredKey{SecretHash: "nonsense"}
	_, err = newKeys(store).Check(t.Context(), basic("pk-a:sk-a"))
	checkDenied(t, err, 503, "Service Unavailable")
}

func TestPrincipal(t *testing.T) {
	keys := newKeys(newStore())
	check := func(header string) Principal {
		p, err := keys.Check(t.Context(), header)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	full, limited, bearer, organization := check(basic("pk-a:sk-a")), check(basic("pk-b:sk-b")), check("Bearer pk-a"),
		check(basic("pk-org:sk-org"))

	if scope, ok := full.Project(); !ok || scope.ProjectID() != "project-a" {
		t.Errorf("scope = %v, %v", scope, ok)
	}
	if _, ok := full.Organization(); ok {
		t.Error("a project key has an organization scope")
	}
	if scope, ok := organization.Organization(); !ok || scope.OrganizationID() != "o" {
		t.Errorf("scope = %v, %v", scope, ok)
	}
	if _, ok := organization.Project(); ok {
		t.Error("an organization key has a project scope")
	}
	if !full.May(domain.TracesWrite) || !limited.May(domain.TracesRead) || limited.May(domain.TracesWrite) {
		t.Error("permissions are not those of the key")
	}
	if !bearer.PublicOnly() || !bearer.May(domain.ScoresWrite) || bearer.May(domain.TracesRead) || bearer.May(domain.ScoresRead) {
		t.Error("a public key alone may do something else than write scores")
	}
	either := domain.ScoresWrite | domain.TracesWrite
	if !full.May(either) || limited.May(either) || !bearer.May(either) || bearer.May(domain.TracesRead|domain.TracesWrite) ||
		bearer.May(0) {
		t.Error("one of several permissions is not what it should be")
	}
	if limitedBearer := check("Bearer pk-b"); limitedBearer.May(domain.ScoresWrite) {
		t.Error("a key without scores:write may write scores when presented without its secret")
	}
	if got := full.Actor(); got != (domain.Actor{Kind: "api-key", ID: "id-pk-a"}) {
		t.Errorf("actor = %v", got)
	}
}

// TestRequire covers what both transports require of a credential.
func TestRequire(t *testing.T) {
	const denied = "Access denied - insufficient permissions for this endpoint"
	for _, c := range []struct {
		header     string
		permission domain.Permission
		publicToo  bool
		message    string // of the refusal
		wrongKind  bool
		publicKey  string
	}{
		{header: basic("pk-a:sk-a"), permission: domain.TracesWrite, publicKey: "pk-a"},
		{header: basic("pk-b:sk-b"), publicKey: "pk-b"},
		{
			header: basic("pk-b:sk-b"), permission: domain.TracesWrite, message: denied + ": the key lacks the permission traces:write",
			publicKey: "pk-b",
		},
		{header: basic("pk-org:sk-org"), permission: domain.TracesWrite, message: denied, wrongKind: true, publicKey: "pk-org"},
		{header: "Bearer pk-a", permission: domain.ScoresWrite, message: denied, wrongKind: true},
		{header: "Bearer pk-a", permission: domain.ScoresWrite, publicToo: true},
		{header: "Bearer pk-a", permission: domain.TracesWrite, publicToo: true, message: denied, wrongKind: true},
	} {
		principal, err := newKeys(newStore()).Check(t.Context(), c.header)
		if err != nil {
			t.Fatal(err)
		}
		if got := principal.PublicKey(); got != c.publicKey {
			t.Errorf("%+v: the public key is %q", c, got)
		}
		_, err = principal.RequireProject(c.permission, c.publicToo)
		if c.message == "" {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		checkDenied(t, err, 403, c.message)
		var d *Denied
		if !errors.As(err, &d) || d.WrongKind != c.wrongKind {
			t.Errorf("%+v: %+v", c, d)
		}
	}
}

func TestCacheAndRevocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newStore()
		keys := newKeys(store)
		check := func() error {
			_, err := keys.Check(t.Context(), basic("pk-a:sk-a"))
			return err
		}
		for range 10 {
			if err := check(); err != nil {
				t.Fatal(err)
			}
		}
		if store.lookUps != 1 {
			t.Errorf("%d look-ups for ten requests, want 1", store.lookUps)
		}
		delete(store.keys, "pk-a")
		time.Sleep(5*time.Second + time.Millisecond)
		checkDenied(t, check(), 401, "Invalid credentials."+confirmHost)

		store.keys["pk-a"] = newStore().keys["pk-a"]
		checkDenied(t, check(), 401, "Invalid credentials."+confirmHost) // cached as unknown
		keys.Invalidate()
		if err := check(); err != nil {
			t.Errorf("after Invalidate: %v", err)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	store := newStore()
	for n := range 3 * maxCachedKeys {
		public := "pk-many-" + strconv.Itoa(n)
		store.keys[public] = newStoredKey(public)
	}
	keys := newKeys(store)
	for n := range 3 * maxCachedKeys {
		if _, err := keys.Check(t.Context(), "Bearer pk-many-"+strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		if len(keys.cached) > maxCachedKeys {
			t.Fatalf("%d keys are remembered, at most %d should be", len(keys.cached), maxCachedKeys)
		}
	}
}

// TestMadeUpKeysTakeLittleMemory sends many made-up keys of various lengths, and real ones with endless secrets, and
// measures what stays in memory. Real keys stay cached throughout.
func TestMadeUpKeysTakeLittleMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newStore()
		keys := newKeys(store)
		if _, err := keys.Check(t.Context(), basic("pk-a:sk-a")); err != nil {
			t.Fatal(err)
		}
		heap := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before, lookUps := heap(), store.lookUps
		const long, count = 60_000, 2000
		for n := range count {
			public := fmt.Sprintf("pk-lf-made-up-%d-%s", n, strings.Repeat("x", long))
			checkDenied(t, second(keys.Check(t.Context(), "Bearer "+public)), 401, "Invalid public key."+confirmHost)
			checkDenied(t, second(keys.Check(t.Context(), basic(public+":sk-a"))), 401, "Invalid credentials."+confirmHost)
		}
		if store.lookUps != lookUps {
			t.Errorf("keys that are too long to exist were looked up %d times", store.lookUps-lookUps)
		}
		for n := range 10 * count {
			public := fmt.Sprintf("pk-lf-%d-%s", n, strings.Repeat("x", n%700))
			checkDenied(t, second(keys.Check(t.Context(), basic(public+":"+strings.Repeat("s", 5000)))), 401, "Invalid credentials."+
				confirmHost)
		}
		_, _ = keys.Check(t.Context(), basic("pk-a:"+strings.Repeat("s", long)))
		if grown := int64(heap()) - int64(before); keys.unknown.bytes > maxUnknownBytes || grown > 3*maxUnknownBytes {
			t.Errorf("%d bytes are counted for unknown keys, and the heap has grown by %d; the limit is %d", keys.unknown.bytes, grown,
				maxUnknownBytes)
		}
		if lookUps = store.lookUps; second(keys.Check(t.Context(), basic("pk-a:sk-a"))) != nil || store.lookUps != lookUps {
			t.Error("a real key was evicted by made-up ones")
		}
		time.Sleep(6 * time.Second)
		keys.sweep()
		if len(keys.unknown.until) != 0 || keys.unknown.bytes != 0 || len(keys.cached) != 0 {
			t.Errorf("%d unknown keys of %d bytes and %d known ones are left after they expired", len(keys.unknown.until),
				keys.unknown.bytes, len(keys.cached))
		}
	})
}

func second(_ Principal, err error) error { return err }

// changingStore invalidates the cache during a lookup, as a change of keys does.
type changingStore struct {
	*fakeStore
	during func()
}

func (s changingStore) KeyByPublic(ctx context.Context, public string) (domain.StoredKey, error) {
	defer s.during()
	return s.fakeStore.KeyByPublic(ctx, public)
}

// TestChangeDuringALookUp checks that a key read before a change is used for its request, but not cached.
func TestChangeDuringALookUp(t *testing.T) {
	store := newStore()
	var keys *Keys
	keys = newKeys(changingStore{store, func() { keys.Invalidate() }})
	for range 2 {
		if _, err := keys.Check(t.Context(), basic("pk-a:sk-a")); err != nil {
			t.Fatal(err)
		}
	}
	if store.lookUps != 2 || len(keys.cached) != 0 {
		t.Errorf("%d look-ups for two requests, %d keys are remembered", store.lookUps, len(keys.cached))
	}
}

// TestExpiredKeysMakeRoom fills the cache with keys, half of which have expired: these are evicted, and the others
// stay.
func TestExpiredKeysMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newStore()
		keys := newKeys(store)
		look := func(from, to int) {
			for n := from; n < to; n++ {
				public := "pk-many-" + strconv.Itoa(n)
				store.keys[public] = newStoredKey(public)
				_, _ = keys.Check(t.Context(), "Bearer "+public)
			}
		}
		const half = maxCachedKeys / 2
		look(0, half)
		time.Sleep(4 * time.Second)
		look(half, maxCachedKeys)
		time.Sleep(time.Second) // the first half expires
		look(maxCachedKeys, maxCachedKeys+1)
		if got := len(keys.cached); got != half+1 {
			t.Errorf("%d keys are remembered, want the half that has not expired and the new one, %d", got, half+1)
		}
		if before := store.lookUps; func() int { look(half, maxCachedKeys); return store.lookUps }() != before {
			t.Error("keys that had not expired are looked up again")
		}
	})
}

func TestLastUsedIsWrittenInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newStore()
		keys := newKeys(store)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { keys.Run(ctx); close(done) }()

		if _, err := keys.Check(ctx, basic("pk-a:sk-a")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if used := store.takeUsed(); used != nil {
			t.Error("a request wrote", used)
		}
		time.Sleep(recordInterval + time.Second)
		synctest.Wait()
		if used := store.takeUsed(); len(used) != 1 || used["id-pk-a"].IsZero() {
			t.Errorf("used = %v", used)
		}
		if _, err := keys.Check(ctx, basic("pk-b:sk-b")); err != nil {
			t.Fatal(err)
		}
		stop()
		<-done
		if used := store.takeUsed(); len(used) != 1 || used["id-pk-b"].IsZero() {
			t.Errorf("the last uses are not written at the end: %v", used)
		}
	})
}

func TestAdmin(t *testing.T) {
	cases := []struct {
		name, key, header string
		status            int
	}{
		{"right", "k", "Bearer k", 0},
		{"wrong", "k", "Bearer x", 401},
		{"missing", "k", "", 401},
		{"empty token", "k", "Bearer ", 401},
		{"another scheme", "k", "Basic k", 401},
		{"switched off", "", "Bearer ", 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := NewAdmin(c.key).Check(c.header)
			var denied *Denied
			if c.status == 0 && err != nil || c.status != 0 && (!errors.As(err, &denied) || denied.Status != c.status) {
				t.Errorf("Check = %v, want status %d", err, c.status)
			}
			scope, scopeErr := NewAdmin(c.key).Organization(c.header, "o")
			if (scopeErr == nil) != (err == nil) || err == nil && scope.OrganizationID() != "o" || err != nil &&
				scope != (domain.OrganizationScope{}) {
				t.Errorf("Organization = %v, %v", scope, scopeErr)
			}
		})
	}
}

func TestAdminInProject(t *testing.T) {
	for _, c := range []struct {
		name, key, header, own, project string
		status                          int
	}{
		{"right", "k", "Bearer k", "k", "p", 0},
		{"a wrong token", "k", "Bearer x", "k", "p", 401},
		{"a wrong key", "k", "Bearer k", "x", "p", 401},
		{"no key", "k", "Bearer k", "", "p", 401},
		{"no project", "k", "Bearer k", "k", "", 400},
		{"a wrong key and no project", "k", "Bearer k", "x", "", 401},
		{"switched off", "", "Bearer ", "", "p", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := NewAdmin(c.key).InProject(c.header, c.own, c.project)
			var denied *Denied
			if c.status != 0 && (!errors.As(err, &denied) || denied.Status != c.status) {
				t.Errorf("InProject = %v, want status %d", err, c.status)
			}
			if c.status != 0 {
				return
			}
			scope, ok := p.Project()
			if err != nil || !ok || scope.ProjectID() != c.project || !p.May(domain.ProjectAdmin) || p.PublicOnly() ||
				p.Actor() != (domain.Actor{Kind: "admin-key"}) {
				t.Errorf("%+v, %v", p, err)
			}
		})
	}
}

func TestHashes(t *testing.T) {
	a, b := HashSecret("sk-lf-secret"), HashSecret("sk-lf-secret")
	if a == b || strings.Contains(a, "sk-lf-secret") {
		t.Errorf("hashes are not salted: %s, %s", a, b)
	}
	parsed, err := parseSecretHash(a)
	if err != nil || !parsed.matches("sk-lf-secret") || parsed.matches("sk-lf-secret2") || parsed.matches("") {
		t.Errorf("a hash does not tell its secret from others: %v", err)
	}
	for _, damaged := range []string{"", "md5$a$b", "hmac-sha256$!$!", "hmac-sha256$aa$aa"} {
		if _, err := parseSecretHash(damaged); err == nil {
			t.Errorf("parseSecretHash(%q) accepted it", damaged)
		}
	}
	if p := HashPassword("hunter2"); !strings.HasPrefix(p, "argon2id$2$19456$") || strings.Contains(p, "hunter2") ||
		p == HashPassword("hunter2") {
		t.Errorf("HashPassword = %s", p)
	}
}

func FuzzHeader(f *testing.F) {
	f.Add("Basic cGs6c2s=")
	f.Add("Bearer pk")
	keys := newKeys(newStore())
	f.Fuzz(func(t *testing.T, text string) {
		p, err := keys.Check(context.Background(), text)
		var denied *Denied
		if err != nil && (!errors.As(err, &denied) || denied.Status != 401) {
			t.Errorf("Check(%q) = %v", text, err)
		}
		if err == nil && p.Actor().ID == "" {
			t.Errorf("Check(%q) accepted nobody", text)
		}
	})
}

// BenchmarkCheck measures the cost that authentication adds to every request; the baseline is parsing the header alone.
func BenchmarkCheck(b *testing.B) {
	keys := newKeys(newStore())
	text := basic("pk-a:sk-a")
	b.Run("baseline=parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = parseHeader(text)
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := keys.Check(b.Context(), text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
