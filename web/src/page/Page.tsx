// One MultiTerminal that fills the window, after signing in with a link's code if there is one.

import { useEffect, useState } from 'react';
import { isSignedIn, type SignInAnswer, signIn, signOut, signOutOthers } from '../browser/signIn';
import { MultiTerminal } from '../components/MultiTerminal';
import { usePreferences, useTheme } from '../components/usePreferences';
import type { TerminalsClient } from '../terminals/client';
import type { Attention } from '../terminals/urgency';
import { words } from '../words';
import { cameFromElsewhere, takeCode } from './arrival';
import { PageTitle } from './pageTitle';

async function tried(answer: Promise<SignInAnswer>, wrong: string): Promise<string | undefined> {
  try {
    return { right: undefined, wrong, too_many: words.signIn.tooMany }[await answer];
  } catch {
    return words.signIn.noAnswer;
  }
}

function signInWithToken(token: string): Promise<string | undefined> {
  return tried(signIn({ token }), words.signIn.unknownToken);
}

function signInWithCode(code: string): Promise<string | undefined> {
  return tried(signIn({ code }), words.signIn.usedLink);
}

const pageTitle = new PageTitle();
const setTitle = (title: string) => pageTitle.setLabel(title);
const setAttention = (attention: Attention) => pageTitle.setAttention(attention);

function keepClient(client: TerminalsClient): void {
  globalThis.holdfast = client;
}

type Step =
  | { kind: 'waiting' }
  | { kind: 'asking'; code: string }
  | { kind: 'ready'; problem?: string | undefined };

const firstCode = takeCode();
let unusedCode = firstCode;
const isOthersLink = cameFromElsewhere();

export function Page() {
  const [step, setStep] = useState<Step>(firstCode === undefined ? { kind: 'ready' } : { kind: 'waiting' });

  useEffect(() => {
    async function use(code: string, isOthers: boolean): Promise<void> {
      // A browser that is signed in stays signed in as the same user.
      if (await isSignedIn().catch(() => false)) return setStep({ kind: 'ready' });
      if (isOthers) return setStep({ kind: 'asking', code });
      setStep({ kind: 'ready', problem: await signInWithCode(code) });
    }
    // Treated as foreign: a page that holds this window's handle can change the hash.
    const onHashChange = () => {
      const code = takeCode();
      if (code !== undefined) void use(code, true);
    };
    if (unusedCode !== undefined) void use(unusedCode, isOthersLink);
    unusedCode = undefined;
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);

  if (step.kind === 'waiting') return null;
  if (step.kind === 'asking') {
    const { code } = step;
    const answer = async (isWanted: boolean) =>
      setStep({ kind: 'ready', problem: isWanted ? await signInWithCode(code) : undefined });
    return <ConfirmSignIn onAnswer={(isWanted) => void answer(isWanted)} />;
  }
  return (
    <MultiTerminal
      fillsPage
      onSignIn={signInWithToken}
      signInProblem={step.problem}
      onSignOut={signOut}
      onSignOutOthers={signOutOthers}
      onTitle={setTitle}
      onAttention={setAttention}
      onClient={keepClient}
    />
  );
}

// An attacker's link would sign the reader in as the attacker, who could then see what they type.
function ConfirmSignIn({ onAnswer }: { onAnswer(isWanted: boolean): void }) {
  const theme = useTheme(usePreferences()[0].theme);
  return (
    <div className="hf-root" data-theme={theme}>
      <main className="hf-refused">
        <div className="hf-card hf-refused__card" role="alertdialog" aria-label={words.signIn.confirmTitle}>
          <h1>{words.signIn.confirmTitle}</h1>
          <p>{words.signIn.confirmText}</p>
          <button type="button" className="hf-button hf-button--main" onClick={() => onAnswer(true)}>
            {words.signIn.title}
          </button>
          <button type="button" className="hf-button" onClick={() => onAnswer(false)}>
            {words.cancel}
          </button>
        </div>
      </main>
    </div>
  );
}
