import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { StackError } from './errors.ts';
import { trustCertificate } from './https/certificate.ts';
import type { StackFile } from './stack-file.ts';

export type ProviderName = 'github' | 'google';

/** Response of `POST /auth/token` (docs/account-service.md#authorization-codes). */
export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

/** What a sign-in needs of `StackFile`. */
export type SignInStack = Pick<StackFile, 'account_url' | 'certificate_file'> & {
  accounts: readonly { email: string }[];
};

/**
 * Signs in over HTTP like a browser and exchanges the code for tokens.
 *
 * @param frontendUrl an allowed frontend URL; it is not fetched
 * @throws {StackError} for an unknown email, or when the service denies the sign-in
 */
export async function signIn(
  { account_url, accounts, certificate_file }: SignInStack,
  frontendUrl: string,
  email: string,
  provider: ProviderName,
): Promise<SessionTokens> {
  if (certificate_file !== undefined) trustCertificate(certificate_file);
  if (!accounts.some((account) => account.email === email)) {
    const known = accounts.map((account) => account.email).join(', ');
    throw new StackError(`The identity provider has no account ${email}: use one of ${known}.`);
  }
  const start = `${account_url}/api/v1/auth/${provider}?${new URLSearchParams({ frontend_url: frontendUrl })}`;
  const callback = await signInWithoutBrowser(start, email);
  const error = callback.searchParams.get('error');
  if (error !== null) throw new StackError(`The sign-in of ${email} was denied: ${error}.`);

  const response = await fetch(`${account_url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ code: callback.searchParams.get('code'), redirect_uri: frontendUrl }),
  });
  if (!response.ok)
    throw new StackError(`POST /auth/token failed with status ${response.status}: ${await response.text()}`);
  return (await response.json()) as SessionTokens;
}
