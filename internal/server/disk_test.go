package server

import (
	"bytes"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestWarnIfExposed(t *testing.T) {
	for mode, warned := range map[os.FileMode]bool{0o700: false, 0o750: false, 0o770: false, 0o755: true, 0o701: true, 0o777: true} {
		data := t.TempDir()
		if err := os.Chmod(data, mode); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		warnIfExposed(data, slog.New(slog.NewTextHandler(&log, nil)))
		if got := strings.Contains(log.String(), "level=WARN"); got != warned {
			t.Errorf("mode %o: warned is %v, want %v: %s", mode, got, warned, log.String())
		}
	}
}

func TestMeasureDisk(t *testing.T) {
	registry := prometheus.NewRegistry()
	measureDisk(registry, t.TempDir())
	if value := testutil.ToFloat64(registry); value <= 0 {
		t.Errorf("room = %v", value)
	}
	registry = prometheus.NewRegistry()
	measureDisk(registry, filepath.Join(t.TempDir(), "gone"))
	if value := testutil.ToFloat64(registry); !math.IsNaN(value) {
		t.Errorf("room on a file system that is not there = %v", value)
	}
}
