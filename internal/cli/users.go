package cli

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/domain"
)

// newPassword holds the options for setting a password. The password itself is not an option: others on the machine
// could read it from the process list.
type newPassword struct {
	PasswordStdin bool `help:"Read the password from standard input. Default: a random one is generated and printed."`
}

// read returns the password and reports whether it was generated.
func (p newPassword) read(in io.Reader) (password string, generated bool, err error) {
	if !p.PasswordStdin {
		return rand.Text(), true, nil
	}
	line, err := bufio.NewReader(io.LimitReader(in, accounts.MaxPassword*utf8.UTFMax)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false, fmt.Errorf("cannot read the password: %w", err)
	}
	password = strings.TrimRight(line, "\r\n")
	if n := utf8.RuneCountInString(password); n < accounts.MinPassword || n > accounts.MaxPassword {
		return "", false, fmt.Errorf("the password has %d characters: it must have at least %d and at most %d", n, accounts.MinPassword,
			accounts.MaxPassword)
	}
	return password, false, nil
}

// show prints a generated password.
func (t *terminal) show(password string, generated bool) {
	if generated {
		_, _ = fmt.Fprintln(t.stderr, "The password is shown only once.")
		t.printf("%s\n", password)
	}
}

type createUserCommand struct {
	config.Storage `embed:""`
	newPassword    `embed:""`
	Email          string `arg:"" help:"Email address of the user."`
	Name           string `help:"Name of the user. Default: the email address." placeholder:"NAME"`
	Organization   string `help:"Id of the organization to add the user to. Optional if there is only one." placeholder:"ID"`
	Role           string `help:"Role of the user there: ${enum}." enum:"OWNER,ADMIN,MEMBER,VIEWER,ANNOTATOR,NONE" default:"MEMBER" placeholder:"ROLE"`
}

func (u *createUserCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, u.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	if !domain.IsEmail(domain.NormalEmail(u.Email)) {
		return fmt.Errorf("%q is not an email address", u.Email)
	}
	organization, err := oneOrganization(t.ctx, c, u.Organization)
	if err != nil {
		return err
	}
	password, generated, err := u.read(t.stdin)
	if err != nil {
		return err
	}
	user, err := c.CreateAccount(t.ctx, u.Email, cmp.Or(u.Name, u.Email), auth.HashPassword(password), operator)
	if err != nil {
		return conflictError(err, "user", u.Email)
	}
	if _, err := c.AppointMember(t.ctx, domain.OfOrganization(organization), user.ID, domain.Role(u.Role), operator); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(t.stderr, "Created %s, %s of organization %s.\n", user.Email, u.Role, organization)
	t.show(password, generated)
	return nil
}

type listUsersCommand struct {
	config.Storage `embed:""`
}

func (l *listUsersCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, l.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	found, err := c.Accounts(t.ctx)
	if err != nil {
		return err
	}
	rows := make([][]string, len(found))
	for n, a := range found {
		access, err := c.AccessOf(t.ctx, a.ID)
		if err != nil {
			return err
		}
		sessions, err := c.Sessions(t.ctx, a.ID)
		if err != nil {
			return err
		}
		state, roles := "active", make([]string, len(access))
		switch {
		case a.DisabledAt != nil:
			state = "disabled"
		case a.PasswordHash == "":
			state = "no password"
		}
		for i, o := range access {
			roles[i] = o.ID + ":" + string(o.Role)
		}
		rows[n] = []string{a.Email, a.Name, state, strings.Join(roles, " "), strconv.Itoa(len(sessions)), day(&a.CreatedAt)}
	}
	return t.table("EMAIL\tNAME\tSTATE\tROLES\tSESSIONS\tCREATED", rows)
}

// userArg holds the options of commands about one user.
type userArg struct {
	config.Storage `embed:""`
	Email          string `arg:"" help:"Email address of the user."`
}

// with calls f with the account of the user.
func (u *userArg) with(t *terminal, f func(*catalog.Catalog, domain.Account) error) error {
	c, err := openCatalog(t.ctx, u.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	account, err := c.Account(t.ctx, u.Email)
	if errors.Is(err, domain.ErrNotFound) {
		return fmt.Errorf("there is no user %q: almanac users list shows all users", u.Email)
	}
	if err != nil {
		return err
	}
	return f(c, account)
}

type setPasswordCommand struct {
	userArg     `embed:""`
	newPassword `embed:""`
}

func (s *setPasswordCommand) Run(t *terminal) error {
	return s.with(t, func(c *catalog.Catalog, account domain.Account) error {
		password, generated, err := s.read(t.stdin)
		if err != nil {
			return err
		}
		if err := c.HandOver(t.ctx, account.ID, auth.HashPassword(password), operator); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.stderr, "Set the password of %s and ended all sessions.\n", account.Email)
		t.show(password, generated)
		return nil
	})
}

type disableUserCommand struct {
	userArg `embed:""`
}

func (d *disableUserCommand) Run(t *terminal) error {
	return d.with(t, func(c *catalog.Catalog, account domain.Account) error {
		err := c.SetDisabled(t.ctx, account.ID, true, operator)
		if err == nil {
			t.printf("Disabled %s.\n", account.Email)
		}
		return err
	})
}

type enableUserCommand struct {
	userArg `embed:""`
}

func (e *enableUserCommand) Run(t *terminal) error {
	return e.with(t, func(c *catalog.Catalog, account domain.Account) error {
		err := c.SetDisabled(t.ctx, account.ID, false, operator)
		if err == nil {
			t.printf("Enabled %s.\n", account.Email)
		}
		return err
	})
}

type signOutUserCommand struct {
	userArg `embed:""`
}

func (s *signOutUserCommand) Run(t *terminal) error {
	return s.with(t, func(c *catalog.Catalog, account domain.Account) error {
		ended, err := c.EndSessions(t.ctx, account.ID, "", operator)
		if err == nil {
			t.printf("Ended %d sessions of %s.\n", ended, account.Email)
		}
		return err
	})
}

type unlinkUserCommand struct {
	userArg `embed:""`
}

func (u *unlinkUserCommand) Run(t *terminal) error {
	return u.with(t, func(c *catalog.Catalog, account domain.Account) error {
		unlinked, err := c.Unlink(t.ctx, account.ID, operator)
		if err == nil {
			t.printf("Unlinked %s from %d identity providers.\n", account.Email, unlinked)
		}
		return err
	})
}
