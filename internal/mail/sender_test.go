package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"almanac/test/certstest"
	"almanac/test/smtptest"
)

const (
	user     = "almanac@example.org"
	password = "p@ss:w/rd?#"
	// credentials has both, escaped for a URL.
	credentials = "almanac%40example.org:p%40ss%3Aw%2Frd%3F%23@"
)

// newTLS returns a certificate for this machine, and the authority that signed it.
func newTLS(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	authority := certstest.NewAuthority(t)
	files := authority.Issue(t, "mail")
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, authority.Client(t).RootCAs
}

func newSender(t *testing.T, o Options) *Sender {
	t.Helper()
	s, err := NewSender(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var greeting = Message{
	To: "grace@example.org", Subject: "Grüße von Ada", Text: "Schöne Grüße,\n\nhttps://almanac.example.org/x?token=" +
		strings.Repeat("a", 80) + "\n.\nEnde\n",
}

func TestSend(t *testing.T) {
	server, roots := newTLS(t)
	for _, c := range []struct {
		name    string
		server  smtptest.Options
		options Options
		scheme  string
		want    bool // encrypted
	}{
		{
			"STARTTLS",
			smtptest.Options{TLS: server, User: user, Password: password},
			Options{URL: credentials, TLS: TLSRequired},
			"smtp", true,
		},
		{
			"implicit TLS",
			smtptest.Options{TLS: server, Implicit: true, User: user, Password: password},
			Options{URL: credentials, TLS: TLSAuto},
			"smtps", true,
		},
		{"this machine in clear", smtptest.Options{User: user, Password: password}, Options{URL: credentials, TLS: TLSAuto}, "smtp", false},
		{"nobody signs in", smtptest.Options{TLS: server}, Options{TLS: TLSRequired}, "smtp", true},
		{"off", smtptest.Options{TLS: server}, Options{TLS: TLSOff}, "smtp", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := smtptest.Start(t, c.server)
			c.options.URL = c.scheme + "://" + c.options.URL + s.Address
			c.options.From, c.options.Roots = "Almanac für alle <almanac@example.org>", roots
			sender := newSender(t, c.options)
			if err := sender.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := sender.Send(t.Context(), greeting); err != nil {
				t.Fatal(err)
			}
			got := s.Next(t)
			if got.From != "almanac@example.org" || got.To != greeting.To || got.Subject != greeting.Subject || got.Text != greeting.Text ||
				got.Encrypted != c.want || got.User != c.server.User {
				t.Errorf("the mail is %+v", got)
			}
			from, err := netmail.ParseAddress(got.Header.Get("From"))
			if err != nil || from.Name != "Almanac für alle" || from.Address != "almanac@example.org" {
				t.Errorf("it is from %v, %v", from, err)
			}
			for name, want := range map[string]string{
				"Auto-Submitted": "auto-generated", "Content-Type": "text/plain; charset=UTF-8",
				"Content-Transfer-Encoding": "quoted-printable",
				"User-Agent":                "", "X-Mailer": "", "To": "<grace@example.org>",
			} {
				if value := got.Header.Get(name); value != want {
					t.Errorf("the header %s is %q, want %q", name, value, want)
				}
			}
			if id := got.Header.Get("Message-ID"); !strings.HasSuffix(id, "@example.org>") || got.Header.Get("Date") == "" {
				t.Errorf("the message has the id %s and the headers %v", id, got.Header)
			}
			if strings.Contains(sender.Server(), "p%40ss") || strings.Contains(sender.Server(), password) {
				t.Errorf("%s shows the password", sender.Server())
			}
		})
	}
}

// TestSendFails covers failures, and whether they are worth a retry. No error contains the password.
func TestSendFails(t *testing.T) {
	server, roots := newTLS(t)
	answer := func(code int) func(string) error {
		return func(string) error { return &smtp.SMTPError{Code: code, Message: "no"} }
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	_ = free.Close()
	for _, c := range []struct {
		name    string
		server  *smtptest.Options
		tls     string
		login   string
		roots   *x509.CertPool
		refused bool
	}{
		{name: "nobody listens", tls: TLSOff, login: credentials},
		{
			name: "a certificate of somebody else", server: &smtptest.Options{TLS: server, User: user, Password: password},
			tls: TLSRequired, login: credentials, roots: x509.NewCertPool(),
		},
		{name: "no TLS", server: &smtptest.Options{User: user, Password: password}, tls: TLSRequired, login: credentials, roots: roots},
		{
			name: "a wrong password", server: &smtptest.Options{TLS: server, User: user, Password: "other"}, tls: TLSRequired,
			login: credentials, roots: roots,
		},
		{name: "nobody signs in", server: &smtptest.Options{User: user, Password: password}, tls: TLSOff, refused: true},
		{name: "a mailbox that is full", server: &smtptest.Options{Recipient: answer(452)}, tls: TLSOff},
		{name: "an unknown mailbox", server: &smtptest.Options{Recipient: answer(550)}, tls: TLSOff, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := nobody
			var s *smtptest.Server
			if c.server != nil {
				s = smtptest.Start(t, *c.server)
				address = s.Address
			}
			sender := newSender(t, Options{URL: "smtp://" + c.login + address, From: user, TLS: c.tls, Roots: c.roots})
			err := sender.Send(t.Context(), greeting)
			if err == nil || Refused(err) != c.refused {
				t.Errorf("the error %v is final: %v, want %v", err, Refused(err), c.refused)
			}
			if strings.Contains(err.Error(), password) || strings.Contains(err.Error(), "p%40ss") {
				t.Errorf("the error has the password: %v", err)
			}
			if s != nil && s.Waiting() != 0 {
				t.Error("a mail arrived")
			}
		})
	}
}

// TestNothingIsInjected checks that neither addresses nor subjects become headers, recipients or commands.
func TestNothingIsInjected(t *testing.T) {
	s := smtptest.Start(t, smtptest.Options{})
	sender := newSender(t, Options{URL: "smtp://" + s.Address, From: user, TLS: TLSAuto})
	for _, m := range []Message{
		{To: "a@example.org\r\nBcc: eve@example.org", Subject: "x"},
		{To: "a@example.org\nRCPT TO:<eve@example.org>", Subject: "x"},
		{To: "a@example.org, eve@example.org", Subject: "x"},
		{To: "a@example.org> <eve@example.org", Subject: "x"},
		{To: "Ada <eve@example.org>", Subject: "x"},
		{To: "ada<eve@example.org>", Subject: "x"},
		{To: "\"a\r\nBcc: eve\"@example.org", Subject: "x"},
		{To: "", Subject: "x"},
		{To: "a@example.org", Subject: "x\r\nBcc: eve@example.org"},
		{To: "a@example.org", Subject: "x\n\nbody"},
		{To: "a@example.org", Subject: "x\x00"},
	} {
		if err := sender.Send(t.Context(), m); !Refused(err) || !errors.Is(err, errInvalidMessage) {
			t.Errorf("%q, %q: %v", m.To, m.Subject, err)
		}
	}
	if s.Connections() != 0 {
		t.Errorf("%d connections were made", s.Connections())
	}
	// Merely unusual messages arrive unchanged.
	odd := Message{
		To: "o'neil+x=y@example.org", Subject: `=?utf-8?q?x?= <b> "quoted", ; 日本語 ` + strings.Repeat("é", 200),
		Text: "\n.\nQUIT\nBcc: eve@example.org\n",
	}
	if err := sender.Send(t.Context(), odd); err != nil {
		t.Fatal(err)
	}
	got := s.Next(t)
	if got.To != odd.To || got.Subject != odd.Subject || got.Text != odd.Text || got.Header.Get("Bcc") != "" {
		t.Errorf("the mail is %+v", got)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string // part of the error; empty for none
	}{
		{"submission", Options{URL: "smtp://u:p@mail.example.org", From: user, TLS: TLSAuto}, ""},
		{"TLS", Options{URL: "smtps://u:p@mail.example.org:465/", From: "Almanac <a@example.org>", TLS: TLSAuto}, ""},
		{"no URL", Options{URL: "mail.example.org:587", From: user}, "--smtp-url is not a URL such as"},
		{"another scheme", Options{URL: "https://u:planted@mail.example.org", From: user}, "--smtp-url is not a URL such as"},
		{"a password that is not escaped", Options{URL: "smtp://u:pl%anted@mail.example.org", From: user}, "%40 for @"},
		{"no host", Options{URL: "smtp://u:planted@", From: user}, "--smtp-url is not a URL such as"},
		{"parameters", Options{URL: "smtps://u:planted@mail.example.org?tls.rejectUnauthorized=false", From: user}, "--smtp-tls"},
		{"a port that is none", Options{URL: "smtp://u:planted@mail.example.org:99999", From: user}, "port"},
		{"TLS off and on", Options{URL: "smtps://u:planted@mail.example.org", From: user, TLS: TLSOff}, "use smtp://"},
		{"no sender", Options{URL: "smtp://u:planted@mail.example.org"}, "--mail-from"},
		{
			"a sender that is no address",
			Options{URL: "smtp://u:planted@mail.example.org", From: "Almanac"},
			`--mail-from "Almanac" is not an address`,
		},
		{
			"a sender with a line break", Options{
				URL: "smtp://u:planted@mail.example.org", From: "Almanac <a@example.org>\r\nBcc: eve@example.org",
			}, "--mail-from",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewSender(c.o)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if err != nil && (strings.Contains(err.Error(), "planted") || strings.Contains(err.Error(), "pl%anted")) {
				t.Errorf("the error has the password: %v", err)
			}
		})
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.8.9.10": true, "::1": true, "mail.localhost": true,
		"mail.example.org": false, "10.0.0.1": false, "localhost.example.org": false, "": false,
	} {
		if isLoopback(host) != want {
			t.Errorf("%q is this machine: %v", host, !want)
		}
	}
}
