package blackbox

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"almanac/test/harness"
)

// TestStartOnAFullDisk starts the server with too little disk space. It must name the directory and the remedy.
func TestStartOnAFullDisk(t *testing.T) {
	for _, size := range []int{4 << 10, 64 << 10, 600 << 10} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			disk := t.TempDir()
			if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
				t.Fatalf("cannot mount a small disk, which takes root: %v", err)
			}
			defer func() {
				if err := syscall.Unmount(disk, 0); err != nil {
					t.Error(err)
				}
			}()
			data := filepath.Join(disk, "data")
			_, stderr, code := harness.Run(t, "serve", "--data", data, "--listen", "127.0.0.1:0", "--otlp-grpc-listen", "off")
			if code != 1 || !strings.Contains(stderr, "the disk of the data directory "+data+" is full") ||
				!strings.Contains(stderr, "--data") {
				t.Errorf("exit code %d: %s", code, stderr)
			}
		})
	}
}
