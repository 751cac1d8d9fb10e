package server

import (
	"fmt"
	"io"
	"net"

	"almanac/internal/config"
	"almanac/internal/server/provision"
)

// baseURL returns the URL that clients should use.
func baseURL(options config.Serve, listening net.Addr) string {
	address := options.Address()
	if address.URL != "" {
		return address.URL
	}
	scheme := "http"
	if options.Encrypted() {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(listening.String())
	if err != nil {
		return scheme + "://" + listening.String() + address.Path
	}
	if domains := options.Domains(); len(domains) > 0 { // where the authority connects to, on the default port
		return "https://" + domains[0] + address.Path
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + address.Path
}

// firstPage returns the URL to open first. While nobody can sign in that is the set-up page, which needs a token.
func firstPage(address, setUpToken string) string {
	if setUpToken == "" {
		return address
	}
	return address + "/setup?token=" + setUpToken
}

// welcome prints the URL of the server, while nobody can sign in also that of the set-up page, and at the very first
// start how to use the server.
func welcome(out io.Writer, address string, first *provision.First, setUpToken string) {
	setUp := ""
	if setUpToken != "" {
		setUp = "Set up the first account: " + firstPage(address, setUpToken) + "\n"
	}
	if first == nil {
		_, _ = fmt.Fprintf(out, "\nAlmanac is ready at %[1]s\n%[2]sAPI reference: %[1]s/api/docs\n\n", address, setUp)
		return
	}
	_, _ = fmt.Fprintf(out, `
Almanac is ready at %[1]s
%[5]sAPI reference: %[1]s/api/docs

This is the first start. The project %[2]q was created for you, with these keys:

    public key   %[3]s
    secret key   %[4]s      (shown only once)

Send a first trace, and read it back:

    curl -u %[3]s:%[4]s %[1]s/api/public/otel/v1/traces -H 'Content-Type: application/json' -d '{"resourceSpans":[{"scopeSpans":[{"spans":[
      {"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"hello","startTimeUnixNano":"'$(date +%%s)'000000000"}]}]}]}'
    curl -u %[3]s:%[4]s %[1]s/api/public/v2/observations

Python (pip install langfuse):

    from langfuse import Langfuse
    langfuse = Langfuse(public_key=%[3]q, secret_key=%[4]q, base_url=%[1]q)
    print(langfuse.auth_check())

JavaScript (npm install @langfuse/client):

    import { LangfuseClient } from "@langfuse/client";
    const langfuse = new LangfuseClient({ publicKey: %[3]q, secretKey: %[4]q, baseUrl: %[1]q });
    console.log(await langfuse.api.projects.get());

Make more keys with: almanac keys create

`, address, first.Project.Name, first.Keys.PublicKey, first.Keys.SecretKey, setUp)
}
