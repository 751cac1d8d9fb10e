package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultsOfModes(t *testing.T) {
	cases := []struct {
		args                    string
		connections, rows, rate int
		duration                time.Duration
	}{
		{"", 4, 100_000, 0, 30 * time.Second},
		{"-mode ingest", 4, 0, 0, 0},
		{"-mode ingest -rate 5000 -duration 2m", 4, 0, 5000, 2 * time.Minute},
		{"-mode read", 1, 1_000_000, 0, 15 * time.Second},
		{"-mode metrics -rows 5000 -connections 3 -duration 3s", 3, 5000, 0, 3 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.args, func(t *testing.T) {
			o, err := parse(strings.Fields(c.args), io.Discard)
			if err != nil || o.connections != c.connections || o.rows != c.rows || o.rate != c.rate || o.duration != c.duration {
				t.Errorf("got %+v, %v", o, err)
			}
		})
	}
}

func TestBadOptions(t *testing.T) {
	cases := map[string]string{
		"-mode nothing":                    "expected ingest, read",
		"-batch 0":                         "must be positive",
		"-rows 7":                          "at least 1000",
		"-protocol smoke":                  "expected http/protobuf or grpc",
		"-protocol grpc -mode read -url x": "-mode ingest",
		"-mode scores -url http://a":       "cannot be used with -url",
		"-kill -url http://a":              "cannot be used with -url",
		"-cpuprofile f -url http://a":      "cannot be used with -url",
		"-cpuprofile f -mode ingest":       "-mode ingest or mixed with a -duration",
		"-cpuprofile f -mode read":         "-mode ingest or mixed with a -duration",
		"-url nowhere":                     "-url must be like",
		"-url http://user:password@host":   "-url must be like",
		"-header nothing":                  "expected name=value",
		"-pid server":                      "expected name=number",
		"-pid server=1073741824":           "no process can be measured",
		"-mode ingest and-more":            "unexpected argument",
		"-mode compare":                    "-before are for each other",
		"-mode read -before almanac":       "-before are for each other",
	}
	for args, want := range cases {
		t.Run(args, func(t *testing.T) {
			_, err := parse(strings.Fields(args), io.Discard)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			if err != nil && strings.Contains(err.Error(), "password") {
				t.Error("the error shows a secret")
			}
		})
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	args := strings.Fields("-url http://a -secret-key sk-1 --secret-key=sk-2 -header authorization=Bearer=x -header=x-key=y -rate 5 -header")
	want := strings.Fields("-url http://a -secret-key … -secret-key=… -header authorization=… -header=x-key=… -rate 5 -header")
	if diff := cmp.Diff(want, withoutSecrets(args)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if args[3] != "sk-1" {
		t.Error("the arguments were changed")
	}
}
