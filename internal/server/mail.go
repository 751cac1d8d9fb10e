package server

import (
	"context"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/accounts"
	"almanac/internal/config"
	"almanac/internal/mail"
)

// openSender returns nil if there is no mail server.
func openSender(options config.Mail) (*mail.Sender, error) {
	if options.SMTPURL == "" {
		return nil, nil
	}
	return mail.NewSender(mail.Options{URL: options.SMTPURL.Reveal(), From: options.MailFrom, TLS: options.SMTPTLS})
}

// openMail returns how links are mailed, and the job that sends them; without a sender, nil and one that does nothing.
func openMail(sender *mail.Sender, address string, registry *prometheus.Registry, log *slog.Logger) (*accounts.Mail, func(context.Context)) {
	if sender == nil {
		return nil, func(context.Context) {}
	}
	outbox := mail.NewOutbox(sender, registry, log)
	return &accounts.Mail{Post: outbox.Post, Address: address}, outbox.Run
}

// inTurn runs two jobs at once and stops the second one when the first one has ended: it does what that one leaves to it.
func inTurn(first, second func(context.Context)) func(context.Context) {
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
