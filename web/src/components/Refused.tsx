// Shown when the daemon refuses the page: why, and what to do about it.

import { useState } from 'react';
import type { Refusal } from '../terminals/state';
import './Refused.css';

interface Props {
  why: Refusal;
  /** Why an earlier attempt to sign in failed. */
  problem?: string | undefined;
  /** Signs in with a token. Resolves to an error message, or to nothing on success. */
  onSignIn?: ((token: string) => Promise<string | undefined>) | undefined;
  onRetry(): void;
}

const reasons: Record<Exclude<Refusal, 'sign_in'>, { title: string; text: string }> = {
  origin: {
    title: 'Origin not allowed',
    text: `The daemon does not accept the origin ${globalThis.location?.origin ?? ''}. Open the address that it printed, or start it with --allowed-origins ${globalThis.location?.origin ?? ''}`,
  },
  host: {
    title: 'Unrecognized host name',
    text: `The daemon does not accept the host ${globalThis.location?.host ?? ''}. Open the address that it printed, or start it with --allowed-hosts ${globalThis.location?.hostname ?? ''}`,
  },
  too_many: {
    title: 'Too many connections or failed sign-ins',
    text: 'Close other windows or wait a minute. This page retries by itself.',
  },
};

export function Refused({ why, problem, onSignIn, onRetry }: Props) {
  if (why === 'sign_in') return <SignIn problem={problem} onSignIn={onSignIn} onRetry={onRetry} />;
  const { title, text } = reasons[why];
  return (
    <main className="hf-refused">
      <div className="hf-card hf-refused__card" role="alert">
        <h1>{title}</h1>
        <p>{text}</p>
        <button type="button" className="hf-button hf-button--main" onClick={onRetry}>
          Try again
        </button>
      </div>
    </main>
  );
}

function SignIn({ problem, onSignIn, onRetry }: Omit<Props, 'why'>) {
  const [token, setToken] = useState('');
  const [wrong, setWrong] = useState<string | null>(problem ?? null);
  const [isBusy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    if (!onSignIn || token.trim() === '') return;
    setBusy(true);
    const problem = await onSignIn(token.trim());
    setBusy(false);
    if (problem === undefined) onRetry();
    else setWrong(problem);
  }

  return (
    <main className="hf-refused">
      <form
        className="hf-card hf-refused__card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>Sign in</h1>
        <p>
          Run <code>holdfast link</code> and open the link it prints, or paste a token.
        </p>
        {onSignIn && (
          <>
            <input
              className="hf-input"
              type="password"
              aria-label="Token"
              autoComplete="current-password"
              placeholder="Token"
              // biome-ignore lint/a11y/noAutofocus: this is the only thing to do here.
              autoFocus
              value={token}
              onChange={(event) => {
                setToken(event.target.value);
                setWrong(null);
              }}
            />
            {wrong && (
              <p className="hf-refused__wrong" role="alert">
                {wrong}
              </p>
            )}
            <button
              type="submit"
              className="hf-button hf-button--main"
              disabled={isBusy || token.trim() === ''}
            >
              Sign in
            </button>
          </>
        )}
      </form>
    </main>
  );
}
