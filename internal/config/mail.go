package config

import "errors"

// Mail holds the options of e-mail.
type Mail struct {
	// Secret because it contains a password.
	SMTPURL  Secret `name:"smtp-url" help:"Mail server that sends invitations and links to a new password: smtp://USER:PASSWORD@HOST:587, which is encrypted by STARTTLS, or smtps://USER:PASSWORD@HOST:465. If not set, links are handed over by people. Needs --mail-from and --public-url." placeholder:"URL" also:"SMTP_CONNECTION_URL" group:"E-mail"`
	MailFrom string `help:"Sender of the mails: an address, or \"Name <address>\"." placeholder:"ADDRESS" also:"EMAIL_FROM_ADDRESS" group:"E-mail"`
	SMTPTLS  string `name:"smtp-tls" help:"Whether the connection to smtp:// must be encrypted: ${enum}. \"auto\" requires it unless the mail server is on this machine; with \"off\", whoever is on the way can read the password and the links." enum:"auto,required,off" default:"auto" placeholder:"WHETHER" group:"E-mail"`
}

// validateMail checks that the mail options are complete. The URL itself is checked where it is used.
func (s *Serve) validateMail() error {
	switch {
	case s.SMTPURL == "" && s.MailFrom == "":
		return nil
	case s.SMTPURL == "":
		return errors.New("--mail-from is for --smtp-url, which is not set")
	case s.MailFrom == "":
		return errors.New("--smtp-url needs --mail-from, the address that mails are sent from")
	case s.Address().URL == "" && len(s.Domains()) == 0:
		return errors.New("--smtp-url needs --public-url: links in mails begin with it")
	}
	return nil
}
