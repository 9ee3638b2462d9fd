import { join, relative } from 'node:path';
import { localUrl } from './ports.ts';
import { root } from './root.ts';
import type { RunningStack } from './stack.ts';

/** What a person reads once everything runs. */
export function screenOf({ description, ports, directory }: RunningStack): string {
  const { fleet_url, account_url, site_url, accounts } = description;
  const elsewhere = directory.path === join(root, '.local') ? '' : ` --data-directory '${directory.path}'`;
  const token = `$(npm run -s token -- --email ada@acme.example${elsewhere})`;
  const may = (yes: boolean) =>
    accounts
      .filter(({ may_sign_in }) => may_sign_in === yes)
      .map(({ email }) => email)
      .join(', ');
  return `
GPU Observatory runs.

  Fleet data API    ${fleet_url}/api/v1     ${fleet_url}/docs   ${fleet_url}/openapi.json
  Account service   ${account_url}/api/v1     ${account_url}/docs   ${account_url}/openapi.json
  Website           ${site_url}/api        ${site_url}/docs   ${site_url}/openapi.json

Sign in at ${localUrl(ports.examplePage)} with GitHub or Google (a local stand-in without passwords) as
  ${may(true)};
  ${may(false)} are refused.

In another terminal, in ${root}:

  curl -H "Authorization: Bearer ${token}" '${account_url}/api/v1/me'
  curl -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/alerts/?page_size=2'
  curl -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/gpus?view=basic&page_size=2'

Addresses for scripts: ${fromHere(directory.stackFile)}   Logs: ${fromHere(directory.logs)}
Ctrl-C stops everything and keeps the data.
`;
}

function fromHere(path: string): string {
  const way = relative(root, path);
  return way.startsWith('..') ? path : way;
}
