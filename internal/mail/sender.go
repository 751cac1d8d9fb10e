// Package mail sends short plain-text messages by SMTP. A Sender talks to the operator's mail server, and an Outbox
// keeps messages until they are sent.
package mail

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/wneessen/go-mail"
)

const (
	// submissionPort is the default port of smtp:// and tlsPort that of smtps://, by RFC 8314.
	submissionPort = 587
	tlsPort        = 465
	// sendTimeout is the timeout for sending a message, from connecting until the server has accepted it.
	sendTimeout = 30 * time.Second
)

// The values of Options.TLS.
const (
	// TLSAuto encrypts unless the server is on this machine.
	TLSAuto = "auto"
	// TLSRequired always encrypts.
	TLSRequired = "required"
	// TLSOff sends everything in clear text, including the password.
	TLSOff = "off"
)

// Options configures the mail server and the sender address.
type Options struct {
	// URL is smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465. It contains a secret and must not appear
	// in errors.
	URL string
	// From is the sender: an address, or Name <address>.
	From string
	// TLS is how smtp:// is encrypted.
	TLS string
	// Roots are the certificate authorities for the server's certificate; nil means those of the system.
	Roots *x509.CertPool
}

// Message is a text message for one recipient.
type Message struct {
	To      string
	Subject string
	Text    string
	// Kind and ID identify the message in the log, which has neither the text nor the address.
	Kind, ID string
}

// Sender sends messages.
type Sender struct {
	from    *netmail.Address
	server  string // for errors
	host    string
	options []mail.Option
}

// NewSender checks the options. It does not connect to the server.
func NewSender(o Options) (*Sender, error) {
	from, err := netmail.ParseAddress(o.From)
	if err != nil || !CanReach(from.Address) || hasControl(from.Name) {
		return nil, fmt.Errorf("--mail-from %q is not an address such as almanac@example.org or Almanac <almanac@example.org>", o.From)
	}
	u, err := url.Parse(o.URL) // the error would contain the password
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("--smtp-url is not a URL such as smtp://user:password@mail.example.org:587, or smtps:// with port 465; " +
			"percent-encode special characters in the password: %40 for @, %3A for :, %2F for /")
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("--smtp-url has a query or a fragment, which is not supported: " +
			"encryption is controlled by smtps:// and --smtp-tls; in a password, write %3F for ? and %23 for #")
	}
	s := &Sender{from: from, server: u.Scheme + "://" + u.Host, host: u.Hostname()}
	encrypted := u.Scheme == "smtps" || o.TLS == TLSRequired || o.TLS == TLSAuto && !isLoopback(s.host)
	if u.Scheme == "smtps" && o.TLS == TLSOff {
		return nil,
			errors.New("--smtp-url starts with smtps://, which is encrypted, but --smtp-tls is off: use smtp:// to send without encryption")
	}
	port := submissionPort
	if u.Scheme == "smtps" {
		port = tlsPort
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil || port < 1 || port > 65535 {
			return nil, errors.New("--smtp-url has an invalid port")
		}
	}
	s.options = []mail.Option{
		mail.WithPort(port), mail.WithTimeout(sendTimeout), mail.WithoutNoop(),
		mail.WithTLSConfig(&tls.Config{ServerName: s.host, RootCAs: o.Roots, MinVersion: tls.VersionTLS12}),
	}
	switch {
	case u.Scheme == "smtps":
		s.options = append(s.options, mail.WithSSL())
	case encrypted:
		s.options = append(s.options, mail.WithTLSPolicy(mail.TLSMandatory))
	default:
		s.options = append(s.options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if password, ok := u.User.Password(); ok || u.User.Username() != "" {
		s.options = append(s.options, mail.WithUsername(u.User.Username()), mail.WithPassword(password),
			mail.WithOpportunisticSMTPAuth(mechanisms(encrypted)...))
	}
	// Report problems with the options now rather than with the first message.
	if _, err := s.client(); err != nil {
		return nil, fmt.Errorf("--smtp-url: %w", err)
	}
	return s, nil
}

// mechanisms returns the authentication mechanisms, best first. XOAUTH2 is left out, although servers may offer it,
// since it does not use a password.
func mechanisms(encrypted bool) []mail.SMTPAuthType {
	if encrypted {
		return []mail.SMTPAuthType{
			mail.SMTPAuthSCRAMSHA256PLUS, mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthPlain, mail.SMTPAuthLogin,
			mail.SMTPAuthCramMD5,
		}
	}
	return []mail.SMTPAuthType{
		mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthCramMD5, mail.SMTPAuthPlainNoEnc, mail.SMTPAuthLoginNoEnc,
	}
}

func (s *Sender) client() (*mail.Client, error) { return mail.NewClient(s.host, s.options...) }

// Server returns the address of the mail server, without the password.
func (s *Sender) Server() string { return s.server }

// Check connects to the server and signs in.
func (s *Sender) Check(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// Send passes a message to the server. An error for which Refused returns true is final.
func (s *Sender) Send(ctx context.Context, m Message) error {
	written, err := s.write(m)
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return client.DialAndSendWithContext(ctx, written)
}

// errInvalidMessage means that a message cannot be written.
var errInvalidMessage = errors.New("cannot write the message")

// write builds the message to send. It refuses anything that could inject a header.
func (s *Sender) write(m Message) (*mail.Msg, error) {
	if !CanReach(m.To) || hasControl(m.Subject) {
		return nil, errInvalidMessage
	}
	written := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(written.FromFormat(s.from.Name, s.from.Address),
		written.To((&netmail.Address{Address: m.To}).String())); err != nil {
		return nil, fmt.Errorf("%w: %w", errInvalidMessage, err)
	}
	written.Subject(m.Subject)
	written.SetDate()
	written.SetMessageIDWithValue(s.newMessageID())
	// This keeps out-of-office replies away.
	written.SetGenHeader("Auto-Submitted", "auto-generated")
	written.SetBodyString(mail.TypeTextPlain, m.Text)
	return written, nil
}

// newMessageID uses the sender's domain rather than the name of this machine, which is not disclosed.
func (s *Sender) newMessageID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw) + s.from.Address[strings.LastIndex(s.from.Address, "@"):]
}

// Refused reports whether retrying is pointless: the server rejected the message, or it could not be written.
func Refused(err error) bool {
	if refused, ok := errors.AsType[*mail.SendError](err); ok {
		return refused.ErrorCode() >= 500
	}
	return errors.Is(err, errInvalidMessage)
}

// CanReach reports whether a string is the address of a single person and nothing else.
func CanReach(address string) bool {
	parsed, err := netmail.ParseAddress(address)
	return err == nil && parsed.Name == "" && parsed.Address == address && !hasControl(address)
}

func hasControl(text string) bool { return strings.ContainsFunc(text, unicode.IsControl) }

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
