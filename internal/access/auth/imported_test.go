package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/bcrypt"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	injected "almanac/test/failing"
)

var testBox = secretbox.New(secretbox.Key{})

// fastHash returns what Langfuse stores: hex(SHA-256(secret + hex(SHA-256(salt)))).
func fastHash(secret, salt string) string {
	salted := sha256.Sum256([]byte(salt))
	sum := sha256.Sum256([]byte(secret + hex.EncodeToString(salted[:])))
	return hex.EncodeToString(sum[:])
}

func slowHash(secret string) string {
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), bcrypt.MinCost)
	if err != nil {
		panic(err)
	}
	return string(hash)
}

func (s *fakeStore) addImported(public string, hash ImportedHash, salt string) {
	stored, err := hash.Stored(public, salt, testBox.Seal)
	if err != nil {
		panic(err)
	}
	s.keys[public] = domain.StoredKey{
		APIKey: domain.APIKey{
			ID: "id-" + public, OrganizationID: "o", ProjectID: "project-a", PublicKey: public, Permissions: domain.AllPermissions(),
		},
		SecretHash: stored,
	}
}

// TestFastHash compares with a hash made by another program: printf of the secret and of `printf salt | sha256sum`,
// hashed by sha256sum.
func TestFastHash(t *testing.T) {
	if got := fastHash("sk-lf-1234567890", "mysalt"); got != "538ea0fbd57a47c98f2a079df1798e724215e75f08c9140d0a5406e000d77ff7" {
		t.Errorf("got %s", got)
	}
}

const (
	oldSecret = "sk-lf-11111111-2222-3333-4444-555555555555"
	oldShown  = "sk-lf-...5555"
	oldSalt   = "the old salt"
)

// TestImportedKeys checks keys with the hashes of Langfuse, twice: at first use and later.
func TestImportedKeys(t *testing.T) {
	fast, slow := fastHash(oldSecret, oldSalt), slowHash(oldSecret)
	for _, c := range []struct {
		name   string
		hash   ImportedHash
		salt   string // given at import
		secret string // presented
		works  bool
	}{
		{"fast hash", ImportedHash{Fast: fast, Shown: oldShown}, oldSalt, oldSecret, true},
		{"both hashes, with the salt", ImportedHash{fast, slow, oldShown}, oldSalt, oldSecret, true},
		{"both hashes, without the salt", ImportedHash{fast, slow, oldShown}, "", oldSecret, true},
		{"slow hash alone", ImportedHash{Bcrypt: slow, Shown: oldShown}, oldSalt, oldSecret, true},
		{"slow hash, nothing shown", ImportedHash{Bcrypt: slow}, "", oldSecret, true},
		{"a short secret", ImportedHash{Bcrypt: slowHash("abc"), Shown: "abc...abc"}, "", "abc", true},
		{"another salt", ImportedHash{fast, slow, oldShown}, "another", oldSecret, false},
		{"fast hash, a wrong secret", ImportedHash{Fast: fast}, oldSalt, oldSecret + "6", false},
		{"the hash itself", ImportedHash{Fast: fast}, oldSalt, fast, false},
		{"slow hash, a wrong secret", ImportedHash{Bcrypt: slow, Shown: oldShown}, "", "sk-lf-wrong-5555", false},
		{"slow hash, another secret is shown", ImportedHash{Bcrypt: slow, Shown: "sk-lf-...6666"}, "", oldSecret, false},
		{"slow hash, a secret that bcrypt would cut", ImportedHash{Bcrypt: slow}, "", strings.Repeat("x", 73), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newStore()
			store.addImported("pk-i", c.hash, c.salt)
			before := store.keys["pk-i"].SecretHash
			if !IsImported(before) || IsImported(HashSecret("x")) {
				t.Fatal("imported hashes are not told from ours")
			}
			for _, part := range []string{c.hash.Fast, c.hash.Bcrypt, c.salt} {
				if part != "" && strings.Contains(before, part) {
					t.Errorf("%q is stored in clear", part)
				}
			}
			var log strings.Builder
			keys := NewKeys(store, time.Minute, slog.New(slog.NewTextHandler(&log, nil)))
			keys.OpenImported(testBox.Open)
			for range 2 {
				_, err := keys.Check(t.Context(), basic("pk-i:"+c.secret))
				if c.works {
					checkDenied(t, err, 0, "")
				} else {
					checkDenied(t, err, 401, "Invalid credentials. Confirm that you've configured the correct host.")
				}
			}
			after := store.keys["pk-i"].SecretHash
			if c.works != SecretMatches(after, c.secret) || c.works == IsImported(after) || !c.works && after != before {
				t.Errorf("stored is %q after %q", after, before)
			}
			for _, part := range []string{c.hash.Fast, c.hash.Bcrypt, oldSecret} {
				if part != "" && strings.Contains(log.String(), part) {
					t.Errorf("the log has a secret: %s", log.String())
				}
			}
			if c.works { // what is cached, and what is stored, works only for the right secret
				again := newKeys(store)
				for _, keys := range []*Keys{keys, again} {
					_, err := keys.Check(t.Context(), basic("pk-i:"+c.secret+"x"))
					checkDenied(t, err, 401, "Invalid credentials. Confirm that you've configured the correct host.")
					_, err = keys.Check(t.Context(), basic("pk-i:"+c.secret))
					checkDenied(t, err, 0, "")
				}
			}
		})
	}
}

func TestHashesThatCannotBeImported(t *testing.T) {
	costly := strings.Replace(slowHash("x"), "$04$", "$15$", 1)
	for _, c := range []struct {
		name string
		hash ImportedHash
		salt string
		want error
	}{
		{"no hash", ImportedHash{}, "salt", ErrNoSalt},
		{"no salt, and no other hash", ImportedHash{Fast: fastHash("a", "b")}, "", ErrNoSalt},
		{"no hexadecimal digits", ImportedHash{Fast: strings.Repeat("x", 64)}, "salt", ErrHash},
		{"too short", ImportedHash{Fast: "abcd"}, "salt", ErrHash},
		{"no bcrypt", ImportedHash{Bcrypt: "abcd"}, "", ErrHash},
		{"bcrypt that takes too long", ImportedHash{Bcrypt: costly}, "", ErrHash},
	} {
		t.Run(c.name, func(t *testing.T) {
			if stored, err := c.hash.Stored("pk", c.salt, testBox.Seal); !errors.Is(err, c.want) {
				t.Errorf("%q, %v", stored, err)
			}
		})
	}
}

// TestImportedKeyOfAnotherBox checks that a hash that cannot be opened, or was copied from another key, lets nobody in.
func TestImportedKeyOfAnotherBox(t *testing.T) {
	other, err := secretbox.ParseKey(strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	store := newStore()
	store.addImported("pk-i", ImportedHash{Fast: fastHash(oldSecret, oldSalt)}, oldSalt)
	moved := store.keys["pk-i"]
	moved.PublicKey = "pk-moved"
	store.keys["pk-moved"] = moved
	for _, c := range []struct {
		name, public string
		open         func(string, string) (string, error)
	}{
		{"no key to decrypt with", "pk-i", nil},
		{"another key to decrypt with", "pk-i", secretbox.New(other).Open},
		{"copied from another row", "pk-moved", testBox.Open},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys := newKeys(store)
			keys.OpenImported(c.open)
			_, err := keys.Check(t.Context(), basic(c.public+":"+oldSecret))
			checkDenied(t, err, 503, "Service Unavailable")
		})
	}
}

// TestSlowHashesAreBounded counts the calls of bcrypt.
func TestSlowHashesAreBounded(t *testing.T) {
	setUp := func() (*Keys, *fakeStore, *int) {
		store := newStore()
		store.addImported("pk-i", ImportedHash{Bcrypt: slowHash(oldSecret), Shown: oldShown}, "")
		keys := newKeys(store)
		keys.OpenImported(testBox.Open)
		asked := new(int)
		keys.slow.compare = func(hash, secret []byte) error {
			*asked++ // the race detector complains unless calls are serialized
			return bcrypt.CompareHashAndPassword(hash, secret)
		}
		return keys, store, asked
	}
	t.Run("guesses that cannot be right", func(t *testing.T) {
		keys, _, asked := setUp()
		for _, secret := range []string{"x", "sk-lf-", "sk-lf-...5555x", strings.Repeat("sk-lf-", 20) + "5555"} {
			_, err := keys.Check(t.Context(), basic("pk-i:"+secret))
			checkDenied(t, err, 401, "Invalid credentials. Confirm that you've configured the correct host.")
		}
		if *asked != 0 {
			t.Errorf("%d slow hashes", *asked)
		}
	})
	t.Run("first uses that come together", func(t *testing.T) {
		keys, _, asked := setUp()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				_, err := keys.Check(t.Context(), basic("pk-i:"+oldSecret))
				checkDenied(t, err, 0, "")
			})
		}
		all.Wait()
		if *asked != 1 {
			t.Errorf("%d slow hashes", *asked)
		}
	})
	t.Run("guesses that could be right", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			keys, _, asked := setUp()
			guess := func(n int) error {
				_, err := keys.Check(t.Context(), basic("pk-i:sk-lf-"+strings.Repeat("g", n)+"5555"))
				return err
			}
			for n := range slowFailures {
				checkDenied(t, guess(n+1), 401, "Invalid credentials. Confirm that you've configured the correct host.")
			}
			err := guess(slowFailures + 1)
			checkDenied(t, err, 429, "Too many wrong credentials. Try again later.")
			var denied *Denied
			if !errors.As(err, &denied) || denied.RetryAfter != 60 || denied.reason != "wrong secret" {
				t.Errorf("denied with %+v", denied)
			}
			if *asked != slowFailures {
				t.Errorf("%d slow hashes", *asked)
			}
			time.Sleep(slowWindow)
			_, err = keys.Check(t.Context(), basic("pk-i:"+oldSecret))
			checkDenied(t, err, 0, "")
		})
	})
	t.Run("whoever does not wait", func(t *testing.T) {
		keys, _, asked := setUp()
		keys.slow.turn <- struct{}{} // the turn is taken
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := keys.Check(ctx, basic("pk-i:"+oldSecret))
		checkDenied(t, err, 503, "Service Unavailable")
		if *asked != 0 {
			t.Errorf("%d slow hashes", *asked)
		}
	})
	t.Run("a key that went while somebody waited", func(t *testing.T) {
		keys, store, asked := setUp()
		found, err := keys.lookUp(t.Context(), "pk-i")
		if err != nil {
			t.Fatal(err)
		}
		delete(store.keys, "pk-i")
		keys.Invalidate()
		if right, err := keys.adopt(t.Context(), "pk-i", found, oldSecret); right || err != nil || *asked != 0 {
			t.Errorf("%v, %v after %d slow hashes", right, err, *asked)
		}
	})
}

// TestImportedKeysOnSeveralNodes uses imported keys on two servers with one catalog, concurrently and after a restart;
// others are expired, deleted, or belong to an organization.
func TestImportedKeysOnSeveralNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	open := func() (*catalog.Catalog, *Keys) {
		c, err := catalog.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		keys := NewKeys(c, time.Hour, slog.New(slog.DiscardHandler))
		keys.OpenImported(testBox.Open)
		c.Subscribe(func(tables.Change) { keys.Invalidate() })
		return c, keys
	}
	c, here := open()
	by, scope := domain.Actor{Kind: "cli"}, domain.OfOrganization("o")
	if _, err := c.CreateOrganization(t.Context(), "o", "Org", by); err != nil {
		t.Fatal(err)
	}
	fast, slow := fastHash(oldSecret, oldSalt), slowHash(oldSecret)
	add := func(public string, hash ImportedHash, expires *time.Time) domain.APIKey {
		stored, err := hash.Stored(public, oldSalt, testBox.Seal)
		if err != nil {
			t.Fatal(err)
		}
		key, err := c.CreateKey(t.Context(), scope, tenants.NewKey{
			PublicKey: public, SecretHash: stored, DisplaySecret: oldShown, ExpiresAt: expires,
		}, by)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	add("pk-fast", ImportedHash{Fast: fast}, nil)
	add("pk-slow", ImportedHash{Bcrypt: slow}, nil)
	add("pk-expired", ImportedHash{Fast: fast}, new(time.Unix(1, 0)))
	deleted := add("pk-deleted", ImportedHash{Fast: fast}, nil)
	if _, err := c.DeleteOrganizationKey(t.Context(), scope, deleted.ID, by); err != nil {
		t.Fatal(err)
	}
	other, there := open()
	use := func(keys *Keys) {
		t.Helper()
		for public, status := range map[string]int{"pk-fast": 0, "pk-slow": 0, "pk-expired": 401, "pk-deleted": 401} {
			message := ""
			if status != 0 {
				message = "Invalid credentials. Confirm that you've configured the correct host."
			}
			_, err := keys.Check(t.Context(), basic(public+":"+oldSecret))
			checkDenied(t, err, status, message)
		}
	}
	var both sync.WaitGroup
	both.Go(func() { use(here) })
	both.Go(func() { use(there) })
	both.Wait()
	for _, public := range []string{"pk-fast", "pk-slow"} {
		if stored, err := c.KeyByPublic(t.Context(), public); err != nil || !SecretMatches(stored.SecretHash, oldSecret) {
			t.Errorf("%s has the hash %q, %v", public, stored.SecretHash, err)
		}
	}
	if stored, err := c.KeyByPublic(t.Context(), "pk-expired"); err != nil || !IsImported(stored.SecretHash) {
		t.Errorf("an expired key is hashed anew: %q, %v", stored.SecretHash, err)
	}
	use(here)
	use(there)
	if err := errors.Join(c.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		content, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, secret := range []string{fast, slow, oldSalt, oldSecret} {
			if strings.Contains(string(content), secret) {
				t.Errorf("%s has %q in clear", name, secret)
			}
		}
	}
	again, restarted := open()
	defer again.Close()
	restarted.OpenImported(nil) // only the expired key would need it
	_, err := restarted.Check(t.Context(), basic("pk-fast:"+oldSecret))
	checkDenied(t, err, 0, "")
	_, err = restarted.Check(t.Context(), basic("pk-slow:"+oldSecret))
	checkDenied(t, err, 0, "")
}

// TestFailuresOfRehashing injects a failure into every call that replaces a hash. The key works nevertheless, and its
// hash is replaced at the next lookup.
func TestFailuresOfRehashing(t *testing.T) {
	failures := new(injected.Switch)
	c, err := catalog.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "catalog.db"), failures.Driver)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	by, scope := domain.Actor{Kind: "cli"}, domain.OfOrganization("o")
	if _, err := c.CreateOrganization(t.Context(), "o", "Org", by); err != nil {
		t.Fatal(err)
	}
	stored, err := ImportedHash{Fast: fastHash(oldSecret, oldSalt)}.Stored("pk", oldSalt, testBox.Seal)
	if err != nil {
		t.Fatal(err)
	}
	for round := 0; ; round++ {
		if round > 0 {
			if _, err := c.RevokeKey(t.Context(), "pk", by); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.CreateKey(t.Context(), scope, tenants.NewKey{PublicKey: "pk", SecretHash: stored}, by); err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		keys := NewKeys(c, time.Hour, slog.New(slog.NewTextHandler(&log, nil)))
		keys.OpenImported(testBox.Open)
		if _, err := keys.lookUp(t.Context(), "pk"); err != nil {
			t.Fatal(err)
		}
		failures.Arm()
		_, err := keys.Check(t.Context(), basic("pk:"+oldSecret))
		failed := failures.Disarm()
		checkDenied(t, err, 0, "")
		if failed == "" {
			if round < 2 {
				t.Errorf("only %d calls were made to fail", round)
			}
			return
		}
		if !strings.Contains(log.String(), "level=WARN") {
			t.Errorf("a failure of %s is not in the log: %s", failed, log.String())
		}
		keys.Invalidate()
		_, err = keys.Check(t.Context(), basic("pk:"+oldSecret))
		checkDenied(t, err, 0, "")
		if now, err := c.KeyByPublic(t.Context(), "pk"); err != nil || !SecretMatches(now.SecretHash, oldSecret) {
			t.Errorf("after a failure of %s the hash is %q, %v", failed, now.SecretHash, err)
		}
	}
}

// TestWrongSecretsOfImportedKeysAreSlowed checks that failures are counted as for any other key.
func TestWrongSecretsOfImportedKeysAreSlowed(t *testing.T) {
	store := newStore()
	store.addImported("pk-i", ImportedHash{Fast: fastHash(oldSecret, oldSalt)}, oldSalt)
	keys := newKeys(store)
	keys.OpenImported(testBox.Open)
	counted := map[string]int{}
	failures := NewFailures(slog.New(slog.DiscardHandler), func(reason string) { counted[reason]++ })
	held := 0
	failures.wait = func(context.Context, time.Duration) { held++ }
	for range freeFailures + 2 {
		_, err := keys.Check(t.Context(), basic("pk-i:wrong"))
		err = failures.Slow(t.Context(), "192.0.2.1", err)
		checkDenied(t, err, http.StatusUnauthorized, "Invalid credentials. Confirm that you've configured the correct host.")
	}
	if held != 2 || counted["wrong secret"] != freeFailures+2 {
		t.Errorf("%d answers were held back, counted %v", held, counted)
	}
}
