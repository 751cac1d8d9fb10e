package server

import (
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/datadir"
	"almanac/internal/platform"
)

// others are the permission bits of all other users.
const others fs.FileMode = 0o007

// warnIfExposed warns about a data directory that other users of the machine can access. New ones are created with mode
// 0700; an existing one keeps its mode, which may be intended.
func warnIfExposed(data string, log *slog.Logger) {
	info, err := os.Stat(data)
	if err != nil || !platform.HasModes || info.Mode().Perm()&others == 0 {
		return
	}
	log.Warn("other users on this machine can access the data directory: restrict it with chmod 0700", "data", data, "mode",
		info.Mode().Perm().String())
}

// fullDisk is the free space, in bytes, below which the server cannot start.
const fullDisk = 4 << 20

// explainFullDisk adds the directory and the remedy to an error if the disk is full. The error comes from a database or
// a file deep inside and mentions neither.
func explainFullDisk(err error, data string) error {
	if err == nil {
		return nil
	}
	free, statErr := platform.FreeBytes(data)
	if statErr != nil { // there was no room for the directory either
		free, statErr = platform.FreeBytes(filepath.Dir(data))
	}
	if !platform.DiskFull(err) && (statErr != nil || free >= fullDisk) {
		return err
	}
	return fmt.Errorf("the disk of the data directory %s is full (%d KB free): free up space, or move the data and set --data to the new "+
		"location: %w",
		data, free>>10, err)
}

// measureDisk registers a gauge of the free space for data. Writes are refused when it runs out.
func measureDisk(registry prometheus.Registerer, data string) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_data_free_bytes", Help: "Free space on the file system of the data directory.",
	}, func() float64 {
		free, err := platform.FreeBytes(data)
		if err != nil {
			return math.NaN()
		}
		return float64(free)
	})
}

// backupCollector reports when the newest backup of the data directory was finished, if there is one.
type backupCollector struct {
	data string
	desc *prometheus.Desc
}

func newBackupCollector(data string) backupCollector {
	return backupCollector{
		data,
		prometheus.NewDesc("almanac_backup_timestamp_seconds", "Time at which the newest backup was completed, in seconds since 1970.", nil,
			nil),
	}
}

// Describe implements prometheus.Collector.
func (c backupCollector) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

// Collect implements prometheus.Collector.
func (c backupCollector) Collect(metrics chan<- prometheus.Metric) {
	if at, ok := datadir.LastBackup(c.data); ok {
		metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, float64(at.Unix()))
	}
}
