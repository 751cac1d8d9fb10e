package tokens

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tiktoken-go/tokenizer"
)

var update = flag.Bool("update", false, "write the vocabularies again")

// TestVocabularyFiles compares the committed files with the library; with -update it writes them. It compares tokens
// rather than bytes, which change with every version of the compressor.
func TestVocabularyFiles(t *testing.T) {
	// The id between the tokens of r50k and those added by p50k is a special token, which is not part of a vocabulary.
	for _, file := range []struct {
		name     string
		encoding tokenizer.Encoding
		from, to uint // first id, and the one after the last
		unused   int  // number of ids without a token
	}{
		{"r50k", tokenizer.R50kBase, 0, 50256, 0},
		{"p50k", tokenizer.P50kBase, 50256, 50281, 1},
		{"cl100k", tokenizer.Cl100kBase, 0, 100256, 0},
		{"o200k", tokenizer.O200kBase, 0, 199998, 0},
	} {
		codec, err := tokenizer.Get(file.encoding)
		if err != nil {
			t.Fatal(err)
		}
		var want tokenList
		unused := 0
		for id := file.from; id < file.to; id++ {
			token, err := codec.Decode([]uint{id})
			if err != nil {
				token = ""
				unused++
			}
			want.append([]byte(token))
		}
		// A change in the number of tokens in the library must not go unnoticed.
		if _, err := codec.Decode([]uint{file.to}); err == nil || unused != file.unused || want.len() > maxTokens {
			t.Errorf("%s: %d ids are not in use, want %d; the id %d: %v, want an error", file.name, unused, file.unused, file.to, err)
			continue
		}
		if *update {
			writeVocabulary(t, file.name, &want)
			continue
		}
		if got := readVocabulary([]string{file.name}); !bytes.Equal(got.text, want.text) || !slices.Equal(got.ends, want.ends) {
			t.Errorf("%s has %d tokens of %d bytes, or other ones than the library, which has %d of %d: run make generate",
				file.name, got.len(), len(got.text), want.len(), len(want.text))
		}
	}
}

func writeVocabulary(t *testing.T, name string, l *tokenList) {
	t.Helper()
	content := binary.LittleEndian.AppendUint32(nil, uint32(l.len()))
	for id := range uint32(l.len()) {
		size := len(l.token(id))
		if size > 255 {
			t.Fatalf("%s has a token of %d bytes, at most 255 are possible", name, size)
		}
		content = append(content, byte(size))
	}
	content = append(content, l.text...)
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("vocabularies", name+".zst"), encoder.EncodeAll(content, nil), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFilesThatGoOn(t *testing.T) {
	l := readVocabulary([]string{"r50k", "p50k"})
	if l.len() != 50281 || len(l.token(50256)) != 0 || string(l.token(50257)) != "  " {
		t.Errorf("%d ids, the first of the second file are %q and %q", l.len(), l.token(50256), l.token(50257))
	}
}
