/** A login that is some time ago: what concerns keys needs the password once more. */
import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/error';
import { PasswordField } from '../../ui/PasswordField';
import { type Submission, useSubmission } from '../../ui/useSubmission';

export interface Confirmation extends Submission {
  /** Null until the server has asked for it. */
  password: string | null;
  setPassword: (password: string) => void;
  /** Why the password was not taken. */
  fault: string;
}

/** A submission that asks for the password when the server does, and keeps all else as typed. */
export function useConfirmation(): Confirmation {
  const submission = useSubmission();
  const [password, setPassword] = useState<string | null>(null);
  const [fault, setFault] = useState('');
  const run: Submission['run'] = (work, onRefused = () => false) => {
    setFault('');
    return submission.run(work, (refusal) => {
      if (!asksForPassword(refusal)) return onRefused(refusal);
      setPassword('');
      if (refusal.code === 'invalid_login') setFault('This is not your password.');
      return true;
    });
  };
  return { ...submission, run, password, setPassword, fault };
}

function asksForPassword({ code }: ApiError): boolean {
  return code === 'password_required' || code === 'invalid_login';
}

/** The field for it; nothing until the server asks. */
export function PasswordAgain({ confirmation }: { confirmation: Confirmation }) {
  const { password, setPassword, fault } = confirmation;
  const field = useRef<HTMLInputElement>(null);
  const isAsked = password !== null;
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  if (password === null) return null;
  return (
    <PasswordField
      ref={field}
      label="Your password"
      description="You logged in over 10 minutes ago."
      autoComplete="current-password"
      required
      value={password}
      onChange={(event) => setPassword(event.currentTarget.value)}
      error={fault}
    />
  );
}
