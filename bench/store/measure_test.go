package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	hundred := make(durations, 100)
	for i := range hundred {
		hundred[99-i] = time.Duration(i + 1)
	}
	cases := []struct {
		name string
		of   durations
		p    float64
		want time.Duration
	}{
		{"median of a hundred", hundred, 50, 50},
		{"p99 of a hundred", hundred, 99, 99},
		{"the largest", hundred, 100, 100},
		{"the smallest", hundred, 0, 1},
		{"median of three", durations{3, 1, 2}, 50, 2},
		{"p99 of three is the largest", durations{3, 1, 2}, 99, 3},
		{"of one", durations{7}, 50, 7},
		{"of none", nil, 50, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.percentile(c.p); got != c.want {
				t.Errorf("percentile(%v) = %d, want %d", c.p, got, c.want)
			}
		})
	}
	if hundred[0] != 100 {
		t.Error("the durations were reordered")
	}
}

func TestDiskUsage(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"a": 1000, "below/b": 234} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := diskUsage(dir); got != 1234 || err != nil {
		t.Errorf("diskUsage = %d, %v; want 1234", got, err)
	}
	go func() {
		time.Sleep(200 * time.Millisecond)
		if err := os.Remove(filepath.Join(dir, "a")); err != nil {
			t.Error(err)
		}
	}()
	if got, err := settledUsage(t.Context(), dir); got != 234 || err != nil {
		t.Errorf("settledUsage = %d, %v; want 234", got, err)
	}
}

func TestMemoryAndCPUAreMeasured(t *testing.T) {
	stop := thisProcess.watchMemory()
	before := thisProcess.cpuTime()
	block := make([]byte, 64<<20)
	for sum := 0; thisProcess.cpuTime()-before < 20*time.Millisecond; {
		for i := range block {
			block[i] = byte(i)
			sum += int(block[i])
		}
	}
	if peak := stop(); peak < 64<<20 {
		t.Errorf("the peak is %d bytes, and one block alone has %d", peak, len(block))
	}
	if thisProcess.anonymousMemory() == 0 {
		t.Error("no memory")
	}
}
