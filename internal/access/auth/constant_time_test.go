package auth

import (
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// TestChecksTakeTheSameWork counts the work of a check, whatever is wrong with the credential: the response time must
// not reveal whether a public key exists, or how much of a secret is right.
func TestChecksTakeTheSameWork(t *testing.T) {
	for _, c := range []struct {
		name, header string
		hashes       int
	}{
		{"right", basic("pk-a:sk-a"), 1},
		{"a wrong secret", basic("pk-a:xx-x"), 1},
		{"a secret that begins well", basic("pk-a:sk-x"), 1},
		{"a secret that is longer", basic("pk-a:sk-aaaaaaaaaaaaaaaa"), 1},
		{"an unknown key", basic("pk-x:sk-a"), 1},
		{"an expired key, the right secret", basic("pk-old:sk-old"), 1},
		{"an expired key, a wrong secret", basic("pk-old:sk-x"), 1},
		{"an organization key, a wrong secret", basic("pk-org:sk-x"), 1},
		{"an imported key, a wrong secret", basic("pk-imported:sk-x"), 1},
		{"an imported key with a slow hash, a wrong secret", basic("pk-slow:sk-x"), 1},
		{"no secret", "Bearer pk-a", 0},
		{"no secret, an unknown key", "Bearer pk-x", 0},
		{"no secret, an expired key", "Bearer pk-old", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newStore()
			store.addImported("pk-imported", ImportedHash{Fast: fastHash("sk-imported", "salt")}, "salt")
			store.addImported("pk-slow", ImportedHash{Bcrypt: slowHash("sk-slow-and-long"), Shown: "sk-slo...long"}, "")
			keys := newKeys(store)
			keys.OpenImported(testBox.Open)
			hashes := 0
			keys.matches = func(hash secretHash, secret string) bool {
				hashes++
				if len(hash.sum) != sha256.Size || len(hash.salt) != saltSize {
					t.Errorf("compared with a sum of %d and a salt of %d bytes", len(hash.sum), len(hash.salt))
				}
				return hash.matches(secret)
			}
			for request := 1; request <= 2; request++ { // the second one is served from the cache
				_, _ = keys.Check(t.Context(), c.header)
				if hashes != c.hashes*request || store.lookUps != 1 {
					t.Errorf("request %d: %d hashes and %d look-ups so far, want %d and 1", request, hashes, store.lookUps,
						c.hashes*request)
				}
			}
		})
	}
}

// TestNothingSecretIsComparedPlainly inspects the source of this package: secrets, and values derived from them, must
// not be compared by anything that stops at the first difference.
func TestNothingSecretIsComparedPlainly(t *testing.T) {
	found := plainComparisons(t, os.DirFS("."))
	for _, place := range found.faults {
		t.Error(place)
	}
	for file, want := range map[string]string{
		"secret.go": "subtle.ConstantTimeCompare", "imported.go": "subtle.ConstantTimeCompare", "token.go": "subtle.ConstantTimeCompare",
		"medialink.go": "hmac.Equal",
	} {
		if !strings.Contains(strings.Join(found.constant[file], " "), want) {
			t.Errorf("%s does not call %s: it calls %q", file, want, found.constant[file])
		}
	}
}

// comparisons are the results of plainComparisons.
type comparisons struct {
	faults   []string
	constant map[string][]string // calls that compare in constant time, by file
}

var (
	secretNames  = regexp.MustCompile(`(?i)secret|sum|hash|sign|password|token|authorization`)
	plainCalls   = regexp.MustCompile(`^(bytes|strings|slices)\.(Equal|EqualFold|Compare|HasPrefix|HasSuffix|Contains|Index)$|^reflect\.DeepEqual$`)
	constantTime = regexp.MustCompile(`^subtle\.ConstantTimeCompare$|^hmac\.Equal$`)
	// harmless matches comparisons that contain one of the names but reveal nothing: emptiness, lengths, errors, the
	// result of a constant-time comparison, and the public name of a scheme.
	harmless = regexp.MustCompile(`[!=]= ""$|^len\(|^\w*[eE]rr [!=]= nil$|^subtle\.ConstantTimeCompare\(.*\) == 1$|"(Bearer|Basic) "\)$`)
)

func plainComparisons(t *testing.T, sources fs.FS) comparisons {
	t.Helper()
	names, err := fs.Glob(sources, "*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no source: %v", err)
	}
	found := comparisons{constant: make(map[string][]string)}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(sources, name)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		text := func(n ast.Node) string {
			var b strings.Builder
			if err := printer.Fprint(&b, files, n); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			compares := false
			switch n := n.(type) {
			case *ast.BinaryExpr:
				compares = n.Op == token.EQL || n.Op == token.NEQ
			case *ast.CallExpr:
				call := text(n.Fun)
				compares = plainCalls.MatchString(call)
				if constantTime.MatchString(call) {
					found.constant[name] = append(found.constant[name], call)
				}
			}
			if compares && secretNames.MatchString(text(n)) && !harmless.MatchString(text(n)) {
				found.faults = append(found.faults, files.Position(n.Pos()).String()+" compares plainly: "+text(n))
			}
			return true
		})
	}
	return found
}

// TestPlainComparisonsAreFound shows that the test above can fail.
func TestPlainComparisonsAreFound(t *testing.T) {
	const source = `package x
func f() {
	_ = secret == other
	_ = bytes.Equal(h.sum, sum)
	_ = string(hash) != stored
	_ = strings.HasPrefix(token, wanted)
	_ = secret == ""
	_ = len(sum) != 32
	_ = subtle.ConstantTimeCompare(a, sum) == 1
}`
	found := plainComparisons(t, fstest.MapFS{"x.go": {Data: []byte(source)}})
	if len(found.faults) != 4 || len(found.constant["x.go"]) != 1 {
		t.Errorf("found %q and %q", found.faults, found.constant)
	}
}

func TestToken(t *testing.T) {
	for _, c := range []struct {
		name, text, header string
		want               bool
	}{
		{"right", "k", "Bearer k", true},
		{"wrong", "k", "Bearer x", false},
		{"longer", "k", "Bearer kk", false},
		{"missing", "k", "", false},
		{"without its scheme", "k", "k", false},
		{"another scheme", "k", "bearer k", false},
		{"none", "", "Bearer ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if token := NewToken(c.text); token.Matches(c.header) != c.want || token.Set() != (c.text != "") {
				t.Errorf("Matches(%q) = %v", c.header, !c.want)
			}
		})
	}
	if (Token{}).Matches("Bearer ") {
		t.Error("no token matches an empty one")
	}
}
