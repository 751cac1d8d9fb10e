package blackbox

import (
	"crypto/tls"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/test/certstest"
	"almanac/test/harness"
	"almanac/test/smtptest"
)

// TestMail requests a link for a forgotten password, which is mailed over TLS, and uses it. Neither the password of the
// mail server nor the link may be logged.
func TestMail(t *testing.T) {
	authority := certstest.NewAuthority(t)
	files := authority.Issue(t, "mail")
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	mails := smtptest.Start(t, smtptest.Options{
		TLS: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, User: "almanac", Password: "planted",
	})
	t.Setenv("SSL_CERT_FILE", authority.File)
	s := harness.Start(t, "--smtp-url=smtp://almanac:planted@"+mails.Address, "--smtp-tls=required",
		"--mail-from=Almanac <almanac@example.org>",
		"--public-url=http://127.0.0.1:1/almanac", "--base-path=/", "--init-org-id=acme", "--init-user-email=ada@example.org",
		"--init-user-password=correct horse")
	listening := logged(t, s, `msg=serving address=(\S+)`) // the printed address is that of a proxy
	post := func(path, body string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listening[1]+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("X-Almanac-CSRF", "1")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	for _, address := range []string{"nobody@example.org", "ada@example.org"} {
		if status := post("/api/ui/auth/forgot-password", `{"email":"`+address+`"}`); status != http.StatusAccepted {
			t.Errorf("%s is answered %d", address, status)
		}
	}
	got := mails.Next(t)
	link := regexp.MustCompile(`(?m)^http://127\.0\.0\.1:1/almanac/auth/reset-password\?token=(\S+)$`).FindStringSubmatch(got.Text)
	if got.To != "ada@example.org" || got.From != "almanac@example.org" || !got.Encrypted || got.User != "almanac" || link == nil {
		t.Fatalf("the mail is %+v", got)
	}
	if status := post("/api/ui/auth/reset-password",
		`{"token":"`+link[1]+`","password":"battery staple"}`); status != http.StatusNoContent {
		t.Errorf("the link is answered %d", status)
	}
	if status := post("/api/ui/auth/sign-in", `{"email":"ada@example.org","password":"battery staple"}`); status != http.StatusOK {
		t.Errorf("the new password is answered %d", status)
	}
	s.Stop(t)
	if mails.Waiting() != 0 {
		t.Error("more mails came")
	}
	printed, log := s.Printed()
	if strings.Contains(printed+log, "planted") || strings.Contains(printed+log, link[1]) {
		t.Errorf("a secret was printed: %s%s", printed, log)
	}
	if !strings.Contains(log, "the mail server accepts connections") || !strings.Contains(log, "sent an e-mail") {
		t.Errorf("the log: %s", log)
	}
}

// logged waits until the log of a server matches a pattern.
func logged(t *testing.T, s *harness.Server, pattern string) []string {
	t.Helper()
	expression := regexp.MustCompile(pattern)
	for range 1000 {
		_, log := s.Printed()
		if found := expression.FindStringSubmatch(log); found != nil {
			return found
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the log has no %s", pattern)
	return nil
}

// TestMailServerIsDown checks that the program starts and stops without the mail server, but not with invalid options.
func TestMailServerIsDown(t *testing.T) {
	s := harness.Start(t, "--smtp-url=smtp://u:planted@127.0.0.1:1", "--mail-from=almanac@example.org", "--public-url=http://127.0.0.1:1")
	logged(t, s, "cannot use the mail server")
	s.Stop(t)
	if _, log := s.Printed(); strings.Contains(log, "planted") {
		t.Errorf("the log: %s", log)
	}
	_, stderr, code := harness.Run(t, "serve", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--smtp-url=smtp://u:planted@127.0.0.1:port",
		"--mail-from=a@example.org", "--public-url=http://127.0.0.1:1")
	if code == 0 || !strings.Contains(stderr, "--smtp-url is not a URL such as smtp://") || strings.Contains(stderr, "planted") {
		t.Errorf("%d: %s", code, stderr)
	}
}
