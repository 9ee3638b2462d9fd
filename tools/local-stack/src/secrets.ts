import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';
import { reasonOf, StackError } from './failures.ts';

const names = [
  'superuser_password',
  'fleet_owner_password',
  'fleet_api_password',
  'fleet_importer_password',
  'account_owner_password',
  'account_service_password',
  'website_owner_password',
  'website_api_password',
  'internal_credential',
  'signing_key_secret',
  'github_client_secret',
  'google_client_secret',
] as const;

/** What the parts of one local stack prove themselves to each other with. */
export type Secrets = Record<(typeof names)[number], string>;

/**
 * The secrets of a data directory; what is missing is made, at random, and kept for the next start.
 *
 * @throws {StackError} when the file is there and cannot be used
 */
export function ensureSecrets({ secretsFile }: DataDirectory): Secrets {
  const known = existsSync(secretsFile) ? readSecrets(secretsFile) : {};
  if (names.every((name) => known[name])) return known as Secrets;
  const secrets = Object.fromEntries(
    names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')]),
  ) as Secrets;
  // Written beside its place: a start that is cut short must not lose what opens the database.
  writeFileSync(`${secretsFile}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${secretsFile}.new`, secretsFile);
  return secrets;
}

/** @throws {StackError} when it cannot be read */
export function readSecrets(secretsFile: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(secretsFile, 'utf8')) as Partial<Secrets>;
  } catch (failure) {
    throw new StackError(
      `${secretsFile} cannot be read (${failure instanceof SyntaxError ? 'it is not JSON' : reasonOf(failure)}): put it right, or start with --reset to begin anew.`,
    );
  }
}
