package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// TLS holds the options for encrypted connections.
type TLS struct {
	TLSCert     string `name:"tls-cert" help:"PEM file with the TLS certificate of the server, followed by any intermediate certificates. It is reloaded when it changes. Without it and without --acme-domains, connections are not encrypted." placeholder:"FILE" group:"TLS"`
	TLSKey      string `name:"tls-key" help:"PEM file with the private key of the certificate." placeholder:"FILE" group:"TLS"`
	TLSClientCA string `name:"tls-client-ca" help:"PEM file with certificate authorities. Every client must then present a certificate signed by one of them. It is reloaded when it changes." placeholder:"FILE" group:"TLS"`

	NoHSTS bool `name:"no-hsts" help:"With TLS, do not tell browsers to use only encrypted connections to the host name of this server for a year. Set it if the same host name serves unencrypted pages on other ports." group:"TLS"`

	ACMEDomains   string `name:"acme-domains" help:"Domains, separated by commas, to obtain certificates for from an ACME certificate authority, instead of --tls-cert. Port 443 of each must lead to the address of --listen. By naming a domain you agree to the authority's terms. Certificates are stored in the data directory." placeholder:"DOMAINS" group:"TLS"`
	ACMEEmail     string `name:"acme-email" help:"Contact address that the certificate authority notifies of problems." placeholder:"EMAIL" group:"TLS"`
	ACMEDirectory string `name:"acme-directory" help:"ACME directory URL of the authority. If not set, Let's Encrypt is used." placeholder:"URL" group:"TLS"`
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
		return errors.New("--tls-cert and --tls-key must be set together")
	case t.ACMEDomains != "" && t.TLSCert != "":
		return errors.New("--acme-domains and --tls-cert are mutually exclusive: certificates come from an authority or from files")
	case t.ACMEDomains != "" && stateless:
		return errors.New("--acme-domains requires a data directory to store certificates in, and this server has none: " +
			"set --tls-cert and --tls-key, or use a proxy that terminates TLS")
	case t.ACMEDomains == "" && (t.ACMEEmail != "" || t.ACMEDirectory != ""):
		return errors.New("--acme-email and --acme-directory require --acme-domains, which is not set")
	case t.TLSClientCA != "" && !t.Encrypted():
		return errors.New("--tls-client-ca requires --tls-cert or --acme-domains: without TLS there are no client certificates")
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
		return fmt.Errorf("--acme-domains %q contains no domain", t.ACMEDomains)
	}
	if u, err := url.Parse(t.ACMEDirectory); t.ACMEDirectory != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		return fmt.Errorf("--acme-directory %q is not a URL such as https://ca.example.org/acme/directory", t.ACMEDirectory)
	}
	return nil
}
