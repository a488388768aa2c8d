// The page that `holdfast serve` serves.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { TerminalsClient } from '../terminals/client';
import { webglAddon } from '../xterm/screen';
import { Page } from './Page';
import './page.css';

declare global {
  /** For the browser's console, and for the tests that drive this page. */
  var holdfast: TerminalsClient | undefined;
}

void webglAddon();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
