package cli

import (
	"cmp"
	"runtime"

	"almanac/internal/buildinfo"
	"almanac/internal/httpapi"
)

type versionCommand struct{}

func (versionCommand) Run(t *terminal) error {
	unknown := "unknown"
	t.printf("almanac %s\ncommit %s\ndate %s\nAPI %s\n%s %s/%s\n", buildinfo.Version(), cmp.Or(buildinfo.Commit(), unknown),
		cmp.Or(buildinfo.Date(), unknown),
		httpapi.Level, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
