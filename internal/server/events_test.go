package server

import (
	"testing"

	"almanac/internal/config"
)

func TestIngestMemory(t *testing.T) {
	cases := []struct {
		name                     string
		option, memory, expected int64
	}{
		{"no limit", 256 << 20, 0, 256 << 20},
		{"much memory", 256 << 20, 4 << 30, 256 << 20},
		{"little memory", 256 << 20, 512 << 20, 128 << 20},
		{"chosen smaller", 16 << 20, 512 << 20, 16 << 20},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ingestMemory(config.Serve{IngestMemory: config.Bytes(c.option)}, c.memory); got != c.expected {
				t.Errorf("%d bytes, want %d", got, c.expected)
			}
		})
	}
}
