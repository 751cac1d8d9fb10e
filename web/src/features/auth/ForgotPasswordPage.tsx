import { Link } from '@tanstack/react-router'
import { useForm } from '@/features/forms'
import { useSession } from '@/features/session'
import { emailProblem } from '@/lib/email'
import { linkClass, TextField } from '@/ui'
import { useForgotPassword } from './api/usePasswordReset'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'

const title = 'Forgot your password?'

/** Requests a password reset link. The page does not reveal whether the account exists. */
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
      <Back />
    </AuthLayout>
  )
}

function EmailForm({ forgot }: { forgot: ReturnType<typeof useForgotPassword> }) {
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: emailProblem(email) }),
    error: forgot.error,
  })
  return (
    <AuthForm
      action="Send the link"
      isPending={forgot.isPending}
      error={form.error}
      onSubmit={() => form.submit(({ email }) => forgot.mutate({ email: email.trim() }))}
    >
      <TextField
        {...form.field('email')}
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
      />
    </AuthForm>
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
