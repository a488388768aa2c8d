// The page that `holdfast serve` serves: one MultiTerminal that fills the window.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MultiTerminal } from '../components/MultiTerminal';
import { signIn } from '../components/probe';
import type { TerminalsClient } from '../terminals/client';
import { webglAddon } from '../xterm/screen';
import './page.css';

declare global {
  /** For the browser's console, and for the tests that drive this page. */
  var holdfast: TerminalsClient | undefined;
}

const problems = {
  wrong: 'This token is not known here.',
  too_many: 'Too many wrong tokens. Wait a minute and try again.',
};

async function signInWith(token: string): Promise<string | undefined> {
  try {
    const answer = await signIn(token);
    return answer === 'right' ? undefined : problems[answer];
  } catch {
    return 'The daemon does not answer.';
  }
}

function setTitle(title: string): void {
  document.title = title === '' ? 'Holdfast' : `${title} · Holdfast`;
}

function keepClient(client: TerminalsClient): void {
  globalThis.holdfast = client;
}

void webglAddon();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MultiTerminal fillsPage onSignIn={signInWith} onTitle={setTitle} onClient={keepClient} />
    </StrictMode>,
  );
