package main

import (
	"debug/buildinfo"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// bom is a bill of materials of a program in CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json).
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref     string `json:"bom-ref"`
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// modules lists the modules that a program was built from, as recorded in the program itself.
func modules(program, version, platform string, date time.Time) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	of := func(kind, name, version string) component {
		purl := "pkg:golang/" + name + "@" + strings.ReplaceAll(version, "+", "%2B")
		return component{Ref: purl, Type: kind, Name: name, Version: version, PURL: purl}
	}
	self := of("application", info.Main.Path, version)
	list := bom{
		Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		SerialNumber: uuid.NewSHA1(uuid.NameSpaceURL, []byte(self.PURL+"?platform="+platform+"&date="+date.Format(time.RFC3339))).URN(),
		Metadata:     metadata{Timestamp: date.Format(time.RFC3339), Component: self},
		Components:   []component{of("library", "std", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list.Components = append(list.Components, of("library", m.Path, m.Version))
	}
	all := dependency{Ref: self.Ref}
	for _, c := range list.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	list.Dependencies = []dependency{all}
	return json.MarshalIndent(list, "", "  ")
}
