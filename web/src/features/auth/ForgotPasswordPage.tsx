import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '@/api'
import { Button, Callout, linkClass, TextField } from '@/ui'
import { useForgotPassword } from './api/usePasswordReset'
import { AuthLayout } from './AuthLayout'
import { emailProblem } from './model/checks'

/** Asks for a link to a new password. What it says does not tell whether there is such an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [wasTried, setTried] = useState(false)
  const forgot = useForgotPassword()
  const problem = emailProblem(email)
  const back = (
    <Link to="/auth/sign-in" className={linkClass}>
      Back to sign-in
    </Link>
  )
  if (forgot.isSuccess) {
    return (
      <AuthLayout title="Look into your mail">
        <p className="text-text-2">
          If there is an account with this address and the server can send mail, a link to a new
          password is on its way. No mail? An owner of your organization can make the link, too, and
          whoever runs the server with{' '}
          <code className="rounded-sm bg-surface-2 px-1 font-mono text-sm">
            almanac users set-password
          </code>
          .
        </p>
        {back}
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      description="You get a link by mail with which you can set a new one."
    >
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
        {back}
      </form>
    </AuthLayout>
  )
}
