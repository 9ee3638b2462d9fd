import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { demoAccounts } from '@gpu-observatory/identity-provider';
import { type DataDirectory, dataDirectoryAt } from './data-directory.ts';
import type { DatabaseUrls } from './databases/roles.ts';
import { StackError } from './failures.ts';
import { localUrl, type Ports } from './ports.ts';
import { type ServiceKey, serviceKeys } from './services/services.ts';
import { holderOf } from './stack-lock.ts';

/** What runs where: `stack.json` in the data directory, for scripts, while the stack runs. */
export interface StackFile {
  fleet_url: string;
  account_url: string;
  site_url: string;
  identity_provider_url: string;
  management_urls: Record<ServiceKey, string>;
  /** The schemas' owner roles. */
  database_urls: Record<ServiceKey, string>;
  accounts: { email: string; providers: ('github' | 'google')[]; may_sign_in: boolean }[];
  pid: number;
}

/** The only customers of the demo whose people may sign in. */
const activeDomains = ['acme.example', 'globex.example'];

export function describeStack(ports: Ports, urls: DatabaseUrls): StackFile {
  return {
    fleet_url: localUrl(ports.fleet),
    account_url: localUrl(ports.account),
    site_url: localUrl(ports.website),
    identity_provider_url: localUrl(ports.identityProvider),
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

/** @returns removes it again */
export function writeStackFile({ stackFile }: DataDirectory, stack: StackFile): () => void {
  // Put in place whole: who waits for it must not read half of it.
  writeFileSync(`${stackFile}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${stackFile}.new`, stackFile);
  return () => rmSync(stackFile, { force: true });
}

/**
 * The stack that runs on a data directory.
 *
 * @throws {StackError} when there is none
 */
export function readRunningStack(dataDirectory: string): StackFile {
  const directory = dataDirectoryAt(dataDirectory);
  if (!holderOf(directory) || !existsSync(directory.stackFile)) {
    throw new StackError(
      `Nothing is ready in ${dataDirectory}: start it with "npm start" and wait for its addresses, or name its --data-directory.`,
    );
  }
  return JSON.parse(readFileSync(directory.stackFile, 'utf8')) as StackFile;
}
