import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { reasonOf } from '@gpu-observatory/embedded-database';
import type { DataDirectory } from './data-directory.ts';
import { StackError } from './errors.ts';

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

/** Credentials between the parts of a local stack. */
export type Secrets = Record<(typeof names)[number], string>;

/**
 * Reads the secrets of a data directory. Missing ones are generated and saved.
 *
 * @throws {StackError} when the file exists but is invalid
 */
export function ensureSecrets({ secretsFile }: DataDirectory): Secrets {
  const known = existsSync(secretsFile) ? readSecrets(secretsFile) : {};
  if (names.every((name) => known[name])) return known as Secrets;
  const secrets = Object.fromEntries(
    names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')]),
  ) as Secrets;
  // Written to another file and renamed, so that an interrupted start does not lose the database password.
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
      `${secretsFile} cannot be read (${failure instanceof SyntaxError ? 'it is not JSON' : reasonOf(failure)}): correct it, or start with --reset to delete all data.`,
    );
  }
}
