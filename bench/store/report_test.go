package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	mine := []line{
		heading("ingest"),
		{"rows", "1,000", 0, neither},
		{"rows/s", "30,000", 30_000, higher},
		{"ack max, ms", "200", 200, lower},
		{"only here", "7", 7, lower},
		heading("queries"),
		{"q1", "0.050 / 0.100", 0.05, lower},
		heading("queries under load"),
		{"q1", "0.400 / 0.800", 0.4, lower},
	}
	theirs := []line{
		heading("ingest"),
		{"rows", "100", 0, neither},
		{"rows/s", "10,000", 10_000, higher},
		{"ack max, ms", "100", 100, lower},
		heading("queries"),
		{"q1", "0.100 / 7.00", 0.1, lower},
		heading("queries under load"),
		{"q1", "0.200 / 9.00", 0.2, lower},
	}
	cases := []struct {
		name string
		of   table
		want string
	}{
		{"alone", table{name: "store", lines: mine[:3]}, `
           store

ingest
  rows     1,000
  rows/s   30,000
`},
		{"with a baseline", table{name: "store", lines: mine, baselines: []baseline{{"sqlite", theirs}}}, `
                     store           sqlite         ratio

ingest
  rows               1,000           100
  rows/s             30,000          10,000         3.00x
  ack max, ms        200             100            0.500x
  only here          7

queries
  q1                 0.050 / 0.100   0.100 / 7.00   2.00x

queries under load
  q1                 0.400 / 0.800   0.200 / 9.00   0.500x
`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			if err := c.of.write(&out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
