/** A sign-in that this program started. */
export interface StartedSignIn {
  /** For a method of type `oauth`: open it in the browser. */
  url: string;
  /** For a method of type `password`: part of the body of `POST /api/v1/auth/password`. */
  start: { frontend_url: string; code_challenge: string; code_challenge_method: 'S256' };
  /**
   * Part of the body of `POST /api/v1/auth/token`, together with the code. Keep it where only this client reads it: in a
   * browser, in the session storage of the tab.
   */
  exchange: { redirect_uri: string; code_verifier: string };
}

/**
 * Starts a sign-in with a new PKCE verifier (https://www.rfc-editor.org/rfc/rfc7636). The service then accepts the code
 * only from this client, and this client no code of another sign-in. Needs a secure context in browsers.
 *
 * @param methodUrl the `url` of a method of `GET /api/v1/auth/methods`
 * @param frontendUrl where the sign-in returns to, an allowed URL
 */
export async function startSignIn(methodUrl: string, frontendUrl: string): Promise<StartedSignIn> {
  const codeVerifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  const start = {
    frontend_url: frontendUrl,
    code_challenge: toBase64Url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  } as const;
  return {
    url: `${methodUrl}?${new URLSearchParams(start).toString()}`,
    start,
    exchange: { redirect_uri: frontendUrl, code_verifier: codeVerifier },
  };
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => BASE64_TO_URL[character] ?? '');
}

const BASE64_TO_URL: Record<string, string> = { '+': '-', '/': '_' };
