package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"almanac/bench/internal/report"
)

// results are the figures as written to a file.
type results struct {
	Facts   []string        `json:"facts"`
	Engines []engineResults `json:"engines"`
}

type engineResults struct {
	Name    string   `json:"name"`
	Rows    int      `json:"rows"`
	Figures []figure `json:"figures"`
}

type figure struct {
	Section string  `json:"section"`
	Label   string  `json:"label"`
	Text    string  `json:"text"`
	Value   float64 `json:"value"`
}

// keep writes the figures to the files given by options.
func (o options) keep(args []string, measured []*measurement) error {
	if o.jsonPath != "" {
		r := results{Facts: strings.Split(strings.TrimSpace(report.Facts(args, o.dir)), "\n")}
		for _, m := range measured {
			r.Engines = append(r.Engines, engineResults{m.name, m.rows, figures(m.lines)})
		}
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.jsonPath, append(text, '\n'), 0o644); err != nil { //nolint:gosec // for everybody to read
			return err
		}
	}
	if o.svgDir == "" {
		return nil
	}
	if err := os.MkdirAll(o.svgDir, 0o755); err != nil { //nolint:gosec // for everybody to read
		return err
	}
	for name, c := range charts(measured) {
		if err := os.WriteFile(filepath.Join(o.svgDir, name), []byte(c.SVG()), 0o644); err != nil { //nolint:gosec // for everybody to read
			return err
		}
	}
	return nil
}

// figures returns the lines of a report, each with its heading.
func figures(lines []line) []figure {
	var out []figure
	section := ""
	for _, l := range lines {
		if l.text == "" {
			section = l.label
			continue
		}
		out = append(out, figure{section, l.label, l.text, l.value})
	}
	return out
}
