package secretbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func testKey(t *testing.T, digit string) Key {
	t.Helper()
	k, err := ParseKey(strings.Repeat(digit, 64))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSealAndOpen(t *testing.T) {
	box := New(testKey(t, "a"))
	for _, secret := range []string{"", "sk-1", strings.Repeat("long ", 1000), "\x00\xff"} {
		sealed := box.Seal(secret, "here")
		if secret != "" && strings.Contains(sealed, secret) || sealed == box.Seal(secret, "here") {
			t.Errorf("%q is sealed as %s", secret, sealed)
		}
		if got, err := box.Open(sealed, "here"); got != secret || err != nil {
			t.Errorf("opened %q, %v, want %q", got, err, secret)
		}
		for name, open := range map[string]func() (string, error){
			"elsewhere":        func() (string, error) { return box.Open(sealed, "there") },
			"with another key": func() (string, error) { return New(testKey(t, "b")).Open(sealed, "here") },
			"damaged":          func() (string, error) { return box.Open(sealed[:len(sealed)-2], "here") },
			"of no version":    func() (string, error) { return box.Open(strings.TrimPrefix(sealed, "v1."), "here") },
			"not base64":       func() (string, error) { return box.Open("v1.***", "here") },
			"empty":            func() (string, error) { return box.Open("", "here") },
		} {
			if got, err := open(); got != "" || !errors.Is(err, ErrSealed) {
				t.Errorf("%s: opened %q, %v", name, got, err)
			}
		}
	}
}

func TestParseKey(t *testing.T) {
	for _, bad := range []string{"", "abc", strings.Repeat("g", 64), strings.Repeat("a", 62), strings.Repeat("a", 66)} {
		if _, err := ParseKey(bad); err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("ParseKey(%q) = %v", bad, err)
		}
	}
	k := testKey(t, "a")
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, k); strings.Contains(text, "a") || strings.Contains(text, "170") {
			t.Errorf("%s prints %s", format, text)
		}
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "encryption.key")
	first, created, err := KeyFile(path)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	again, created, err := KeyFile(path)
	if err != nil || created || again != first {
		t.Errorf("the second time: created %v, %v, the same key: %v", created, err, again == first)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := os.WriteFile(path, []byte("planted-secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := KeyFile(path); err == nil || strings.Contains(err.Error(), "planted") || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged file: %v", err)
	}
	if _, _, err := KeyFile(filepath.Join(t.TempDir(), "missing", "key")); err == nil {
		t.Error("a file in no directory was made")
	}
}

func FuzzOpen(f *testing.F) {
	box := New(Key{})
	f.Add("v1.AAAA", "here")
	f.Add(box.Seal("secret", "here"), "here")
	f.Fuzz(func(t *testing.T, sealed, place string) {
		if _, err := box.Open(sealed, place); err != nil && !errors.Is(err, ErrSealed) {
			t.Errorf("Open(%q, %q) = %v", sealed, place, err)
		}
	})
}
