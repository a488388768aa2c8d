// This browser's sign-in. It has two halves:
// - a cookie, which scripts cannot read, but which browsers send to every port of the host;
// - a secret, kept in localStorage, which only pages of this origin can read.

const key = 'holdfast-secret';
const secretField = 'X-Holdfast-Secret';
const secretProtocol = 'holdfast.secret.';

export type SignInAnswer = 'right' | 'wrong' | 'too_many';

/** The secret, if the address is on the page's own host. */
function secretFor(address: URL): string | undefined {
  if (address.host !== location.host) return undefined;
  return localStorage.getItem(key) ?? undefined;
}

/** The headers that sign in a request, together with the cookie. */
export function signInHeaders(address = new URL(location.href)): Record<string, string> {
  const secret = secretFor(address);
  return secret === undefined ? {} : { [secretField]: secret };
}

/** The same for a WebSocket, which takes no headers. */
export function signInProtocols(address: URL): string[] {
  const secret = secretFor(address);
  return secret === undefined ? [] : [secretProtocol + secret];
}

/** Signs this browser in. Rejects if the daemon does not answer. */
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

/** Signs out the user's other browsers. Gives the daemon's message. */
export async function signOutOthers(): Promise<string> {
  const response = await fetch('/sign-ins', { method: 'DELETE', headers: signInHeaders() });
  return (await response.text()).trim();
}
