// Command chserver serves ClickHouse's engine, loaded as a shared library, over the part of ClickHouse's HTTP interface
// that our client uses. Tests use it where there is no ClickHouse server. It is a separate module, so that the product
// does not depend on how the library is called.
//
//	chserver --library .tools/chdb/libchdb.so --path DIR [--listen 127.0.0.1:0] [--user default] [--password SECRET]
//
// It prints the address it listens on and stops on SIGTERM.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "chserver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("chserver", flag.ContinueOnError)
	libraryPath := flags.String("library", "", "the file libchdb.so")
	path := flags.String("path", "", "where tables are kept")
	listen := flags.String("listen", "127.0.0.1:0", "the address to listen on")
	user := flags.String("user", "default", "who may ask")
	password := flags.String("password", "", "what they have to know")
	queries := flags.Int("queries", 16, "how many queries run at once; more wait")
	var settings []string
	flags.Func("set", "NAME=VALUE of a setting of queries that do not say so themselves; may be given more than once",
		func(s string) error {
			settings = append(settings, "--"+s)
			return nil
		})
	cache := flags.Int64("cache", 0, "bytes of decompressed blocks to keep for queries with use_uncompressed_cache")
	maxBody := flags.Int64("max-body", 1<<30, "bytes of a request's body")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *libraryPath == "" || *path == "" || *queries < 1 || flags.NArg() > 0 {
		return errors.New("--library and --path are needed, and --queries above 0")
	}
	options, err := engineOptions(*path, *cache, settings)
	if err != nil {
		return err
	}
	l, err := load(*libraryPath)
	if err != nil {
		return err
	}
	connections, err := newPool(l, options, *queries)
	if err != nil {
		return err
	}
	defer connections.close()
	version, _, err := connections.anchor.run("SELECT version()", "TSV", nil)
	if err != nil {
		return err
	}
	h := &handler{pool: connections, version: strings.TrimSpace(string(version)), user: *user, password: *password, maxBody: *maxBody}
	return serve(ctx, *listen, h, stdout)
}

// engineConfig makes acknowledged rows survive a crash of the machine, unlike ClickHouse's defaults.
const engineConfig = `<clickhouse>
	<uncompressed_cache_size>%d</uncompressed_cache_size>
	<merge_tree>
		<fsync_after_insert>1</fsync_after_insert>
		<fsync_part_directory>1</fsync_part_directory>
	</merge_tree>
</clickhouse>
`

// engineOptions returns the command line of the engine, whose tables need an absolute path.
func engineOptions(path string, cache int64, settings []string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o750); err != nil {
		return nil, err
	}
	config := filepath.Join(path, "chserver.xml")
	if err := os.WriteFile(config, fmt.Appendf(nil, engineConfig, cache), 0o600); err != nil {
		return nil, err
	}
	return append([]string{"--path=" + path, "--config-file=" + config}, settings...), nil
}

// serve handles requests until ctx is done, then waits for those in flight.
func serve(ctx context.Context, address string, h http.Handler, stdout io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 2 * maxURL}
	if _, err := fmt.Fprintf(stdout, "listening on http://%s\n", listener.Addr()); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return server.Shutdown(patience)
}
