module almanac/test/chserver

go 1.26.8

require (
	github.com/ebitengine/purego v0.11.2
	github.com/klauspost/compress v1.20.3
	golang.org/x/sys v0.49.0
)
