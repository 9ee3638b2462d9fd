import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { demoAccounts } from '@gpu-observatory/identity-provider';
import { type DataDirectory, dataDirectoryAt } from './data-directory.ts';
import type { DatabaseUrls } from './databases/roles.ts';
import { StackError } from './errors.ts';
import { localUrl, type Ports, publicUrls } from './ports.ts';
import { type ServiceKey, serviceKeys } from './services/services.ts';
import { readLockHolder } from './stack-lock.ts';

/** `stack.json` in the data directory: the URLs of the running stack, for scripts. Removed when the stack stops. */
export interface StackFile {
  console_url: string;
  fleet_url: string;
  account_url: string;
  site_url: string;
  identity_provider_url: string;
  /** Certificate of the URLs with https; only with `--https`. */
  certificate_file?: string;
  management_urls: Record<ServiceKey, string>;
  /** URLs of the owner roles of the schemas. */
  database_urls: Record<ServiceKey, string>;
  accounts: { email: string; providers: ('github' | 'google')[]; may_sign_in: boolean }[];
  pid: number;
}

/** Domains of the demo customers whose users may sign in. */
const activeDomains = ['acme.example', 'globex.example'];

export function describeStack(
  ports: Ports,
  urls: DatabaseUrls,
  certificateFile: string | undefined,
): StackFile {
  const { console, fleet, account, website } = publicUrls(ports, certificateFile !== undefined);
  return {
    console_url: console,
    fleet_url: fleet,
    account_url: account,
    site_url: website,
    identity_provider_url: localUrl(ports.identityProvider),
    ...(certificateFile !== undefined && { certificate_file: certificateFile }),
    management_urls: Object.fromEntries(
      serviceKeys.map((key) => [key, localUrl(ports[`${key}Management`])]),
    ) as StackFile['management_urls'],
    database_urls: urls.owners,
    accounts: demoAccounts.map(({ email }) => ({
      email,
      providers: ['github', 'google'],
      may_sign_in: activeDomains.some((domain) => email.endsWith(`@${domain}`)),
    })),
    pid: process.pid,
  };
}

/** @returns a function that removes the file */
export function writeStackFile({ stackFile }: DataDirectory, stack: StackFile): () => void {
  // Renamed into place, so that a waiting script never reads a partial file.
  writeFileSync(`${stackFile}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${stackFile}.new`, stackFile);
  return () => rmSync(stackFile, { force: true });
}

/**
 * Reads the stack file of a data directory.
 *
 * @throws {StackError} when no stack is running
 */
export function readRunningStack(dataDirectory: string): StackFile {
  const directory = dataDirectoryAt(dataDirectory);
  if (!readLockHolder(directory) || !existsSync(directory.stackFile)) {
    throw new StackError(
      `No stack is ready in ${dataDirectory}: run "npm start" and wait until it is ready, or pass its --data-directory.`,
    );
  }
  return JSON.parse(readFileSync(directory.stackFile, 'utf8')) as StackFile;
}
