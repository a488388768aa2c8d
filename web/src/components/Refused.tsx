// Shown when the daemon refuses the page: why, and what to do about it.

import { useState } from 'react';
import type { Refusal } from '../terminals/state';
import { words } from '../words';
import './Refused.css';

interface Props {
  why: Refusal;
  /** Why an earlier attempt to sign in failed. */
  problem?: string | undefined;
  /** Signs in with a token. Resolves to an error message, or to nothing on success. */
  onSignIn?: ((token: string) => Promise<string | undefined>) | undefined;
  onRetry(): void;
}

function reasonOf(why: Exclude<Refusal, 'sign_in'>): { title: string; text: string } {
  if (why === 'origin') return words.refused.origin(location.origin);
  if (why === 'host') return words.refused.host(location.host, location.hostname);
  return words.refused[why];
}

export function Refused({ why, problem, onSignIn, onRetry }: Props) {
  if (why === 'sign_in') return <SignIn problem={problem} onSignIn={onSignIn} onRetry={onRetry} />;
  const { title, text } = reasonOf(why);
  return (
    <main className="hf-refused">
      <div className="hf-card hf-refused__card" role="alert">
        <h1>{title}</h1>
        <p>{text}</p>
        <button type="button" className="hf-button hf-button--main" onClick={onRetry}>
          {words.tryAgain}
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
        <h1>{words.signIn.title}</h1>
        <p>
          {words.signIn.how[0]}
          <code>{words.signIn.how[1]}</code>
          {words.signIn.how[2]}
        </p>
        {onSignIn && (
          <>
            <input
              className="hf-input"
              type="password"
              aria-label={words.signIn.token}
              autoComplete="current-password"
              placeholder={words.signIn.token}
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
              {words.signIn.title}
            </button>
          </>
        )}
      </form>
    </main>
  );
}
