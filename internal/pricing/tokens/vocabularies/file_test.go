package vocabularies

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

func listOf(tokens ...string) *List {
	l := new(List)
	for _, token := range tokens {
		l.Append(token)
	}
	return l
}

func tokensOf(l *List) []string {
	var tokens []string
	for id := range l.Len() {
		tokens = append(tokens, string(l.Token(uint32(id))))
	}
	return tokens
}

func encode(t testing.TB, tokens ...string) []byte {
	t.Helper()
	file, err := Encode(listOf(tokens...))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// fileOf returns a file of any content.
func fileOf(t testing.TB, content []byte) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	return encoder.EncodeAll(content, []byte(magic))
}

// counted returns the content of a file that says it has so many tokens.
func counted(count uint32, rest string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, count), rest...)
}

func TestEncodedListsAreReadBack(t *testing.T) {
	for _, tokens := range [][]string{
		nil,
		{"a"},
		{"", "a", "", "", "b\x00\xff", ""},
		{strings.Repeat("x", 255), " ", strings.Repeat("y", 255)},
	} {
		var l List
		if err := l.appendFile(encode(t, tokens...)); err != nil {
			t.Fatalf("%q: %v", tokens, err)
		}
		if diff := cmp.Diff(tokens, tokensOf(&l)); diff != "" {
			t.Errorf("tokens (-want +got):\n%s", diff)
		}
	}
}

func TestListsThatHaveNoFile(t *testing.T) {
	for _, test := range []struct {
		name string
		list *List
		want string
	}{
		{"a long token", listOf("a", strings.Repeat("x", 256)), "write a vocabulary with a token of 256 bytes: at most 255 are possible"},
		{"many tokens", &List{ends: make([]uint32, MaxTokens+1)}, "write a vocabulary of 262144 tokens: at most 262143 are possible"},
	} {
		if _, err := Encode(test.list); err == nil || err.Error() != test.want {
			t.Errorf("%s: the error is %v, want %s", test.name, err, test.want)
		}
	}
}

func TestLongTextsHaveNoFile(t *testing.T) {
	l := new(List)
	for range maxContent / maxToken {
		l.Append(strings.Repeat("x", maxToken))
	}
	if _, err := Encode(l); err == nil || !strings.Contains(err.Error(), "at most 8650755 are possible") {
		t.Errorf("the error is %v", err)
	}
}

func TestDamagedFiles(t *testing.T) {
	good := encode(t, "some", "tokens", "of a file")
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "does not begin with"},
		{"no frame", []byte(magic), "no number of tokens"},
		{"cut", good[:len(good)-1], "decompress: "},
		{"a wrong checksum", flipped, "decompress: "},
		{"a bomb", fileOf(t, make([]byte, 64<<20)), "decompress: "},
		{"no number", fileOf(t, []byte{1, 0, 0}), "no number of tokens"},
		{"more tokens than bytes", fileOf(t, counted(3, "\x00\x00")), "3 tokens in a file of 2 bytes after 1 others"},
		{"far too many tokens", fileOf(t, counted(1<<32-1, "\x00\x00")), "4294967295 tokens in a file of 2 bytes"},
		{"one token too many", fileOf(t, counted(MaxTokens, string(make([]byte, MaxTokens)))), "at most 262143 are possible"},
		{"too little text", fileOf(t, counted(2, "\x01\x02ab")), "tokens have 3 bytes, and 2 are there"},
		{"too much text", fileOf(t, counted(2, "\x01\x02abcd")), "tokens have 3 bytes, and 4 are there"},
	} {
		l := listOf("before")
		if err := l.appendFile(test.file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want one with %q", test.name, err, test.want)
		}
		if diff := cmp.Diff([]string{"before"}, tokensOf(l)); diff != "" {
			t.Errorf("%s: tokens (-want +got):\n%s", test.name, diff)
		}
	}
}

// FuzzFile looks for contents that panic, or that are read and written as something else.
func FuzzFile(f *testing.F) {
	f.Add(counted(0, ""))
	f.Add(counted(2, "\x01\x02abc"))
	f.Add(counted(3, "\x01\x00\x02abc"))
	f.Add(counted(1<<32-1, "\x01"))
	f.Fuzz(func(t *testing.T, content []byte) {
		var l List
		if l.appendFile(fileOf(t, content)) != nil {
			return
		}
		var again List
		if err := again.appendFile(encode(t, tokensOf(&l)...)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tokensOf(&l), tokensOf(&again)); diff != "" {
			t.Errorf("tokens (-first +second):\n%s", diff)
		}
	})
}
