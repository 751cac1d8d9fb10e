import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '@/api'
import { useSession } from '@/features/session'
import { Button, Callout, linkClass, TextField } from '@/ui'
import { useForgotPassword } from './api/usePasswordReset'
import { AuthLayout } from './AuthLayout'
import { emailProblem } from './model/checks'

const title = 'Forgot your password?'

/** Asks for a link to a new password. What it says does not tell whether there is such an account. */
export function ForgotPasswordPage() {
  const { mail } = useSession()
  const forgot = useForgotPassword()
  if (!mail) {
    return (
      <AuthLayout title={title}>
        <p className="text-text-2">
          This server sends no e-mail. <OtherWays />
        </p>
        <Back />
      </AuthLayout>
    )
  }
  if (forgot.isSuccess) {
    return (
      <AuthLayout title="Check your e-mail">
        <p className="text-text-2">
          We sent a link to a new password if there is an account with this address. It works once,
          for an hour.
        </p>
        <p className="text-text-2">
          Nothing there? Look into the spam folder, or ask again in a while: nobody gets many of
          these. <OtherWays />
        </p>
        <Back />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={title} description="You get a link by e-mail with which you set a new one.">
      <EmailForm forgot={forgot} />
    </AuthLayout>
  )
}

function EmailForm({ forgot }: { forgot: ReturnType<typeof useForgotPassword> }) {
  const [email, setEmail] = useState('')
  const [wasTried, setTried] = useState(false)
  const problem = emailProblem(email)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (problem === undefined) forgot.mutate({ email: email.trim() })
      }}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={setEmail}
        error={wasTried ? problem : undefined}
      />
      {forgot.isError && <Callout tone="danger">{messageOf(forgot.error)}</Callout>}
      <Button type="submit" variant="primary" size="lg" isPending={forgot.isPending}>
        Send the link
      </Button>
      <Back />
    </form>
  )
}

function OtherWays() {
  return (
    <>
      An owner of your organization can make a link to a new password, and whoever runs the server
      can set one with{' '}
      <code className="rounded-sm bg-surface-2 px-1 font-mono text-sm">
        almanac users set-password
      </code>
      .
    </>
  )
}

function Back() {
  return (
    <Link to="/auth/sign-in" className={linkClass}>
      Back to sign-in
    </Link>
  )
}
