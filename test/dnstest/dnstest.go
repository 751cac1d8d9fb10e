// Package dnstest resolves names in tests, without a network.
package dnstest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// Resolver returns a resolver that asks a function for the addresses of every name, which has no final dot.
func Resolver(addresses func(name string) []netip.Addr) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go serve(server, addresses)
		return client, nil
	}}
}

// serve answers questions as over TCP, each with its length in front.
func serve(c net.Conn, addresses func(string) []netip.Addr) {
	defer c.Close() //nolint:errcheck // of no interest
	for {
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		answer, err := answer(question, addresses)
		if err != nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil { //nolint:gosec // it is short
			return
		}
	}
}

func answer(question []byte, addresses func(string) []netip.Addr) ([]byte, error) {
	var asked dnsmessage.Message
	if err := asked.Unpack(question); err != nil {
		return nil, err
	}
	q := asked.Questions[0]
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{ID: asked.ID, Response: true, RecursionAvailable: true}, Questions: asked.Questions,
	}
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 0}
	for _, address := range addresses(strings.TrimSuffix(q.Name.String(), ".")) {
		switch {
		case address.Is4() && q.Type == dnsmessage.TypeA:
			header.Type = q.Type
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: address.As4()}})
		case address.Is6() && q.Type == dnsmessage.TypeAAAA:
			header.Type = q.Type
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}})
		}
	}
	return reply.Pack()
}
