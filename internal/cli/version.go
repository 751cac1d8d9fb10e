package cli

import (
	"runtime"

	"almanac/internal/buildinfo"
	"almanac/internal/httpapi"
)

type versionCommand struct{}

func (versionCommand) Run(t *terminal) error {
	t.printf("almanac %s\nAPI %s\n%s %s/%s\n", buildinfo.Version(), httpapi.Level, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
