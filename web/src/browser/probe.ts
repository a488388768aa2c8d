// Browsers hide why a WebSocket was refused. A plain request to the same address tells.

import type { Away, Refusal } from '../terminals/state';
import { signInHeaders } from './signIn';

const refusals: Record<number, Refusal | Away> = {
  401: 'sign_in',
  403: 'origin',
  421: 'host',
  429: 'too_many',
  502: 'away',
  503: 'full',
  504: 'away',
};

export async function probe(socketAddress: URL): Promise<Refusal | Away | undefined> {
  const address = new URL(socketAddress);
  address.protocol = address.protocol === 'wss:' ? 'https:' : 'http:';
  try {
    // POST, because browsers send no Origin header with a same-origin GET.
    const response = await fetch(address, {
      method: 'POST',
      headers: signInHeaders(address),
      signal: AbortSignal.timeout(5000),
    });
    return refusals[response.status];
  } catch {
    // A request to another origin fails for many reasons, and browsers do not tell which.
    return address.origin === location.origin ? 'away' : undefined;
  }
}
