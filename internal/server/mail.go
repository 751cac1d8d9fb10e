package server

import (
	"context"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/access/accounts"
	"almanac/internal/config"
	"almanac/internal/mail"
)

// openSender returns nil if no mail server is configured.
func openSender(options config.Mail) (*mail.Sender, error) {
	if options.SMTPURL == "" {
		return nil, nil
	}
	return mail.NewSender(mail.Options{URL: options.SMTPURL.Reveal(), From: options.MailFrom, TLS: options.SMTPTLS})
}

// openMail returns the mailer of links and the job that sends them. Without a sender these are nil and a no-op.
func openMail(
	sender *mail.Sender, address string, registry *prometheus.Registry, log *slog.Logger,
) (*accounts.Mail, func(context.Context)) {
	if sender == nil {
		return nil, func(context.Context) {}
	}
	outbox := mail.NewOutbox(sender, registry, log)
	return &accounts.Mail{Post: outbox.Post, Address: address}, outbox.Run
}

// runWithSuccessor runs two jobs concurrently and stops the second when the first has ended: the second handles what
// the first hands to it.
func runWithSuccessor(first, second func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		later, stop := context.WithCancel(context.WithoutCancel(ctx))
		defer stop()
		var work sync.WaitGroup
		work.Go(func() { second(later) })
		first(ctx)
		stop()
		work.Wait()
	}
}
