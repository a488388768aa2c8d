// This browser's sign-in. The daemon gives it two halves: a cookie, which scripts cannot read and which browsers send to
// every port of the host, and a secret, which is kept here, where only pages of this origin can read it.

const key = 'holdfast-secret';
const secretField = 'X-Holdfast-Secret';
const secretProtocol = 'holdfast.secret.';

export type SignInAnswer = 'right' | 'wrong' | 'too_many';

/** The secret, if that address is of the page's own origin. */
function secretFor(address: URL): string | undefined {
  if (address.host !== location.host) return undefined;
  return localStorage.getItem(key) ?? undefined;
}

/** What a request to the daemon is signed in with, besides the cookie. */
export function signInHeaders(address = new URL(location.href)): Record<string, string> {
  const secret = secretFor(address);
  return secret === undefined ? {} : { [secretField]: secret };
}

/** The same for a WebSocket, which takes no headers. */
export function signInProtocols(address: URL): string[] {
  const secret = secretFor(address);
  return secret === undefined ? [] : [secretProtocol + secret];
}

/** Signs this browser in. Rejects if the daemon is not there. */
export async function signIn(credential: { token: string } | { code: string }): Promise<SignInAnswer> {
  const response = await fetch('/sign-in', { method: 'POST', body: JSON.stringify(credential) });
  if (response.status === 429) return 'too_many';
  if (!response.ok) return 'wrong';
  const { secret } = (await response.json()) as { secret: string };
  localStorage.setItem(key, secret);
  return 'right';
}

export async function isSignedIn(): Promise<boolean> {
  const headers = signInHeaders();
  if (Object.keys(headers).length === 0) return false;
  return (await fetch('/sign-in', { headers })).ok;
}

export async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST', headers: signInHeaders() });
  localStorage.removeItem(key);
}

/** Signs every other browser of this user out; says what came of it. */
export async function signOutOthers(): Promise<string> {
  const response = await fetch('/sign-ins', { method: 'DELETE', headers: signInHeaders() });
  return (await response.text()).trim();
}
