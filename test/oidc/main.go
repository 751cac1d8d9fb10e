// Command oidc is an identity provider for tests: the protocol as implemented by Zitadel's library, with three people,
// on a free port of this machine. It is a separate module, so that the program does not get its dependencies.
//
// It prints its issuer. Each line that it then reads is a redirect URI of the client "almanac" (secret "s3cret"). It
// restarts the provider with new keys, as when a provider rotates them, and the line "ready" is printed. The program
// ends with its input, so that it never outlives the test that started it.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	issuer := "http://" + listener.Addr().String() + root
	var current atomic.Pointer[http.Handler]
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if provider := current.Load(); provider != nil {
			(*provider).ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go web.Serve(listener) //nolint:errcheck // it ends with the program
	fmt.Fprintln(out, issuer)

	lines := bufio.NewScanner(in)
	for lines.Scan() {
		provider, err := newProvider(issuer, lines.Text())
		if err != nil {
			return err
		}
		current.Store(&provider)
		fmt.Fprintln(out, "ready")
	}
	return lines.Err()
}
