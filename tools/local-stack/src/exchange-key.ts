import { StackError } from './errors.ts';
import { trustCertificate } from './https/certificate.ts';
import type { StackFile } from './stack-file.ts';

/**
 * Exchanges an API key for an access token (docs/account-service.md#access-tokens-for-programs).
 *
 * @param client id of the key, a colon and the key
 * @throws {StackError} when the service rejects the key
 */
export async function exchangeKey(
  { account_url, certificate_file }: Pick<StackFile, 'account_url' | 'certificate_file'>,
  client: string,
): Promise<{ access_token: string }> {
  if (certificate_file !== undefined) trustCertificate(certificate_file);
  const response = await fetch(`${account_url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(client).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const body = (await response.json()) as {
    access_token: string;
    error?: string;
    error_description?: string;
  };
  if (response.ok) return body;
  throw new StackError(`The key was rejected: ${body.error}: ${body.error_description}`);
}
