// Almanac is an observability server for LLM applications.
package main

import (
	"os"

	"almanac/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
