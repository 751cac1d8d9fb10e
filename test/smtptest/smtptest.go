// Package smtptest implements a mail server for tests.
package smtptest

import (
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Mail is a message as received by the server.
type Mail struct {
	From, To  string // of the envelope
	Header    netmail.Header
	Subject   string // decoded
	Text      string // decoded
	Raw       string
	Encrypted bool
	User      string // the authenticated user
}

// Options say how the server behaves.
type Options struct {
	// TLS is offered by STARTTLS, or required from the first byte if Implicit is set.
	TLS      *tls.Config
	Implicit bool
	// User and Password are required, unless they are empty, even over unencrypted connections.
	User, Password string
	// Recipient may refuse a recipient; nil refuses none.
	Recipient func(to string) error
}

// Server is a running mail server.
type Server struct {
	// Address is the address it listens on.
	Address string

	options  Options
	received chan Mail

	mu       sync.Mutex
	sessions int
}

// Start starts a server, which is stopped at the end of the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Address: listener.Addr().String(), options: o, received: make(chan Mail, 100)}
	server := smtp.NewServer(s)
	server.Domain, server.AllowInsecureAuth, server.EnableSMTPUTF8 = "localhost", true, true
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	server.ErrorLog = discard{}
	if o.Implicit {
		listener = tls.NewListener(listener, o.TLS)
	} else {
		server.TLSConfig = o.TLS
	}
	ended := make(chan struct{})
	go func() { _ = server.Serve(listener); close(ended) }()
	t.Cleanup(func() { _ = server.Close(); <-ended })
	return s
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

// Next waits for the next message and returns it.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.received:
		return m
	case <-time.After(20 * time.Second):
		t.Fatal("no mail came within 20 s")
	}
	return Mail{}
}

// Waiting returns the number of messages not yet taken by Next.
func (s *Server) Waiting() int { return len(s.received) }

// Connections returns the number of connections so far.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions
}

// NewSession is called for each connection.
func (s *Server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	s.mu.Lock()
	s.sessions++
	s.mu.Unlock()
	return &session{server: s, connection: c}, nil
}

type session struct {
	server     *Server
	connection *smtp.Conn
	user       string
	mail       Mail
}

var errWrongPassword = &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "wrong user or password"}

func (s *session) AuthMechanisms() []string {
	if s.server.options.User == "" {
		return nil
	}
	// Large providers also offer the first one, which takes no password.
	return []string{"XOAUTH2", sasl.Plain}
}

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	if mechanism != sasl.Plain {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.options.User || password != s.server.options.Password {
			return errWrongPassword
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.connection.TLSConnectionState()
	s.mail = Mail{From: from, Encrypted: encrypted, User: s.user}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.mail.To != "" {
		return errors.New("one recipient is expected")
	}
	s.mail.To = to
	if refuse := s.server.options.Recipient; refuse != nil {
		return refuse(to)
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mail.Raw = string(raw)
	parsed, err := netmail.ReadMessage(strings.NewReader(s.mail.Raw))
	if err != nil {
		return err
	}
	s.mail.Header = parsed.Header
	if s.mail.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		return err
	}
	text, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
	if err != nil {
		return err
	}
	s.mail.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
	s.server.received <- s.mail
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
