// A browser does not say why a WebSocket was refused. The same address, asked for as a plain page, does.

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
    // A GET to its own origin would come without the origin that is to be judged.
    const response = await fetch(address, {
      method: 'POST',
      headers: signInHeaders(address),
      signal: AbortSignal.timeout(5000),
    });
    return refusals[response.status];
  } catch {
    return undefined; // Nobody there, or a page of another origin: trying again is all there is.
  }
}
