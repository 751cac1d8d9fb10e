package config

import "errors"

// Mail holds the options of e-mail.
type Mail struct {
	// Secret because it contains a password.
	SMTPURL  Secret `name:"smtp-url" help:"Mail server for invitations and password reset links: smtp://USER:PASSWORD@HOST:587, encrypted with STARTTLS, or smtps://USER:PASSWORD@HOST:465. If not set, people have to pass links on themselves. Requires --mail-from and --public-url." placeholder:"URL" also:"SMTP_CONNECTION_URL" group:"E-mail"`
	MailFrom string `help:"Sender of e-mails: an address, or a name followed by an address in angle brackets." placeholder:"ADDRESS" also:"EMAIL_FROM_ADDRESS" group:"E-mail"`
	SMTPTLS  string `name:"smtp-tls" help:"Whether the connection to smtp:// must be encrypted: ${enum}. \"auto\" requires it unless the mail server is on this machine; with \"off\", the password and the links can be read in transit." enum:"auto,required,off" default:"auto" placeholder:"WHETHER" group:"E-mail"`
}

// validateMail checks that the mail options are complete. The URL itself is checked where it is used.
func (s *Serve) validateMail() error {
	switch {
	case s.SMTPURL == "" && s.MailFrom == "":
		return nil
	case s.SMTPURL == "":
		return errors.New("--mail-from requires --smtp-url, which is not set")
	case s.MailFrom == "":
		return errors.New("--smtp-url requires --mail-from, the sender address")
	case s.Address().URL == "" && len(s.Domains()) == 0:
		return errors.New("--smtp-url requires --public-url: links in e-mails start with it")
	}
	return nil
}
