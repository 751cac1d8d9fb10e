package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// TLS holds the options for encrypted connections.
type TLS struct {
	TLSCert     string `name:"tls-cert" help:"File with the certificate to serve with over TLS, in PEM, followed by those of the authorities between. It is read again when it changes. Without it, and without --acme-domains, connections are not encrypted." placeholder:"FILE" group:"TLS"`
	TLSKey      string `name:"tls-key" help:"PEM file with its private key." placeholder:"FILE" group:"TLS"`
	TLSClientCA string `name:"tls-client-ca" help:"File with the authorities, in PEM, one of which must have signed the certificate that every client then needs. It is read again when it changes." placeholder:"FILE" group:"TLS"`

	ACMEDomains   string `name:"acme-domains" help:"Domains, separated by commas, to get certificates for from an authority that speaks ACME, instead of --tls-cert. Their port 443 must lead to the address of --listen. By naming one you agree to the authority's terms. Certificates are kept in the data directory." placeholder:"DOMAINS" group:"TLS"`
	ACMEEmail     string `name:"acme-email" help:"Where the authority writes to if something is wrong." placeholder:"EMAIL" group:"TLS"`
	ACMEDirectory string `name:"acme-directory" help:"Address of the authority's directory; Let's Encrypt if not set." placeholder:"URL" group:"TLS"`
}

// Encrypted reports whether the server uses TLS.
func (t TLS) Encrypted() bool { return t.TLSCert != "" || t.ACMEDomains != "" }

// Domains returns the domains to obtain certificates for.
func (t TLS) Domains() []string {
	var domains []string
	for domain := range strings.SplitSeq(t.ACMEDomains, ",") {
		if domain = strings.ToLower(strings.TrimSpace(domain)); domain != "" {
			domains = append(domains, domain)
		}
	}
	return domains
}

func (t TLS) validateTLS(stateless bool) error {
	switch {
	case (t.TLSCert == "") != (t.TLSKey == ""):
		return errors.New("--tls-cert and --tls-key are needed together")
	case t.ACMEDomains != "" && t.TLSCert != "":
		return errors.New("--acme-domains and --tls-cert exclude each other: certificates come from an authority or from files")
	case t.ACMEDomains != "" && stateless:
		return errors.New("--acme-domains needs a data directory to keep certificates in, which this server has none of: " +
			"give it a certificate with --tls-cert, or put a proxy with TLS in front")
	case t.ACMEDomains == "" && (t.ACMEEmail != "" || t.ACMEDirectory != ""):
		return errors.New("--acme-email and --acme-directory are for --acme-domains, which is not set")
	case t.TLSClientCA != "" && !t.Encrypted():
		return errors.New("--tls-client-ca needs --tls-cert or --acme-domains: without TLS there are no client certificates")
	}
	if t.ACMEDomains == "" {
		return nil
	}
	domains := t.Domains()
	for _, domain := range domains {
		if !strings.Contains(strings.Trim(domain, "."), ".") || strings.ContainsAny(domain, "*/: ") {
			return fmt.Errorf("--acme-domains: %q is not a domain such as almanac.example.org", domain)
		}
	}
	if len(domains) == 0 {
		return fmt.Errorf("--acme-domains %q names no domain", t.ACMEDomains)
	}
	if u, err := url.Parse(t.ACMEDirectory); t.ACMEDirectory != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		return fmt.Errorf("--acme-directory %q is not a URL such as https://ca.example.org/acme/directory", t.ACMEDirectory)
	}
	return nil
}
