package demo

import (
	"fmt"
	"time"
)

// stage is the environment and version that an application runs in.
type stage struct {
	environment string
	renewed     bool   // runs the new version
	version     string // of the application
	release     string // of the shop
}

// newStage randomly chooses the environment and version of a visit. They must not depend on the time, since the rest of
// the visit depends on them; times are chosen to fit.
func newStage(c chance) stage {
	switch dice := c.Float64(); {
	case dice < 0.03:
		return stage{environment: "development", renewed: true}
	case dice < 0.12:
		return stage{environment: "staging", renewed: true}
	default:
		return stage{environment: "production", renewed: dice > 0.65}
	}
}

// at completes a stage with what depends on the application and the time.
func (s stage) at(a *application, end time.Time) stage {
	s.version = a.oldVersion
	if s.renewed {
		s.version = a.newVersion
	}
	if s.environment == "development" {
		s.version += "-dev"
	}
	year, week := end.ISOWeek()
	s.release = fmt.Sprintf("%d.%02d", year, week)
	return s
}

// application is what all visits to an application have in common.
type application struct {
	service service
	// The new version replaces the old one during the period of a workload.
	oldVersion, newVersion string
}
