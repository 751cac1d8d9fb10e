// Command s3 is an S3 server for tests that checks signatures: the Versity gateway on a directory. The gateway's own
// program also includes other backends and its tests, and takes 107 seconds of CPU to compile after ours; this one
// takes 65. It is a separate module, so that the program does not get its dependencies.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves a directory until the program is killed. The credentials are in the environment, as for the gateway's own
// program.
func run(ctx context.Context) error {
	socket := flag.String("socket", "", "where to listen: a path in the file system")
	domain := flag.String("domain", "", "below which the names of buckets are hosts; buckets are in the path as well")
	beside := flag.String("metadata", "", "directory for what files cannot have: types, tags, checksums")
	flag.Parse()
	if flag.NArg() != 1 || *socket == "" || *beside == "" {
		return errors.New("usage: s3 -socket FILE -metadata DIRECTORY [-domain NAME] DIRECTORY")
	}
	metadata, err := meta.NewSideCar(*beside)
	if err != nil {
		return err
	}
	// The numbers are those of the gateway's own program.
	options := posix.PosixOpts{SideCarDir: *beside, Concurrency: 5000, IOBufferSize: 1 << 20, CopyObjectThreshold: 5 << 30}
	options.SetNewDirPerm(0o755)
	options.SetNewFilePerm(0o644)
	storage, err := posix.New(flag.Arg(0), metadata, options)
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, storage, &embedgw.Config{
		RootUserAccess: os.Getenv("ROOT_ACCESS_KEY_ID"), RootUserSecret: os.Getenv("ROOT_SECRET_ACCESS_KEY"),
		Ports: []string{*socket}, VirtualDomain: *domain, Quiet: true,
		MaxConnections: 250_000, MaxRequests: 100_000, MultipartMaxParts: 10_000,
	})
}
