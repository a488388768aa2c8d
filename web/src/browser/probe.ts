// Browsers hide why a WebSocket was refused. A plain request to the same address tells.

import type { Refusal } from '../terminals/state';
import { signInHeaders } from './signIn';

const refusals: Record<number, Refusal> = {
  401: 'sign_in',
  403: 'origin',
  421: 'host',
  429: 'too_many',
};

export async function probe(socketAddress: URL): Promise<Refusal | undefined> {
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
    return undefined; // The daemon is away, or this page has another origin: just retry.
  }
}
