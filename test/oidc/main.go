// Command oidc is an identity provider for tests: Dex, with three people in its own list, on a free port of this machine. It is
// a module of its own, since Dex has many dependencies that the program must not get.
//
// It prints its issuer. Each line that it then reads is the redirect URI of the client "almanac" (secret "s3cret"), and starts it
// anew, with other keys, as a provider does that rotates them; a line "ready" is the answer. It ends with its input, so that it
// never outlives the test that started it.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/authflow"
	"github.com/dexidp/dex/server/connectors"
	"github.com/dexidp/dex/server/session"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/dexidp/dex/web"
	"golang.org/x/crypto/bcrypt"
)

func main() {
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
	issuer := "http://" + listener.Addr().String() + "/dex"
	var current atomic.Pointer[server.Server]
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dex := current.Load(); dex != nil {
			dex.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go web.Serve(listener) //nolint:errcheck // it ends with the program
	fmt.Fprintln(out, issuer)

	lines := bufio.NewScanner(in)
	for lines.Scan() {
		dex, err := start(ctx, issuer, lines.Text())
		if err != nil {
			return err
		}
		current.Store(dex)
		fmt.Fprintln(out, "ready")
	}
	return lines.Err()
}

// start returns a new Dex, which remembers nothing.
func start(ctx context.Context, issuer, redirectURI string) (*server.Server, error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	home, err := url.Parse(redirectURI)
	if err != nil {
		return nil, err
	}
	unverified := false
	people := []storage.Password{
		{Email: "grace@example.org", Username: "Grace Hopper", UserID: "1", Groups: []string{"staff", "admins"}},
		{Email: "mallory@example.org", Username: "Mallory", UserID: "2", EmailVerified: &unverified},
		{Email: "katherine@example.org", Username: "Katherine Johnson", UserID: "3"},
	}
	for n := range people {
		if people[n].Hash, err = bcrypt.GenerateFromPassword([]byte("correct horse"), bcrypt.DefaultCost); err != nil {
			return nil, err
		}
	}
	s := storage.WithStaticPasswords(memory.New(log), people, log)
	s = storage.WithStaticClients(s, []storage.Client{{
		ID: "almanac", Secret: "s3cret", Name: "Almanac", RedirectURIs: []string{redirectURI},
		PostLogoutRedirectURIs: []string{(&url.URL{Scheme: home.Scheme, Host: home.Host, Path: "/auth/sign-in"}).String()},
	}})
	s = storage.WithStaticConnectors(s, []storage.Connector{{ID: connectors.LocalConnector, Name: "Email", Type: connectors.LocalConnector}})
	keys, err := (&signer.LocalConfig{KeysRotationPeriod: "6h"}).Open(ctx, s, time.Hour, time.Now, log)
	if err != nil {
		return nil, err
	}
	return server.NewServer(ctx, server.Config{
		Issuer: issuer, Storage: s, SkipApprovalScreen: true, Signer: keys, Logger: log, Web: server.WebConfig{WebFS: web.FS()},
		PKCE: authflow.PKCEConfig{Enforce: true, CodeChallengeMethodsSupported: []string{"S256"}},
		// Only those who have a session with Dex can end one.
		SessionConfig: &session.Config{CookieName: "dex", AbsoluteLifetime: time.Hour, ValidIfNotUsedFor: time.Hour},
	})
}
