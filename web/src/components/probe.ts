// A browser does not say why a WebSocket was refused. The same address, asked for as a plain page, does.

import type { Refusal } from '../terminals/state';

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
    // A GET to its own origin would come without the origin that is to be judged.
    const response = await fetch(address, { method: 'POST', signal: AbortSignal.timeout(5000) });
    return refusals[response.status];
  } catch {
    return undefined; // Nobody there, or a page of another origin: trying again is all there is.
  }
}

/** Signs this browser in. Resolves to whether the token was right; rejects if the daemon is not there. */
export async function signIn(token: string): Promise<'right' | 'wrong' | 'too_many'> {
  const response = await fetch(`/?token=${encodeURIComponent(token)}`, { redirect: 'manual' });
  if (response.status === 429) return 'too_many';
  // The redirect that takes the token out of the address is the sign that it was right.
  return response.type === 'opaqueredirect' || response.ok ? 'right' : 'wrong';
}
