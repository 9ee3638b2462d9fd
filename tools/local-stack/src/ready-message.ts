import { relative } from 'node:path';
import { dataDirectoryFlag } from './data-directory.ts';
import { localUrl } from './ports.ts';
import { root } from './root.ts';
import type { RunningStack } from './stack.ts';

/** Formats the text that `npm start` prints when the stack is ready. */
export function readyMessage({ description, ports, directory }: RunningStack): string {
  const { fleet_url, account_url, site_url, accounts } = description;
  const token = `$(npm run -s token -- --email ada@acme.example${dataDirectoryFlag(directory.path)})`;
  const emails = (maySignIn: boolean) =>
    accounts
      .filter(({ may_sign_in }) => may_sign_in === maySignIn)
      .map(({ email }) => email)
      .join(', ');
  return `
GPU Observatory is running.

  Fleet API         ${fleet_url}/api/v1     ${fleet_url}/docs   ${fleet_url}/openapi.json
  Account service   ${account_url}/api/v1     ${account_url}/docs   ${account_url}/openapi.json
  Website           ${site_url}/api        ${site_url}/docs   ${site_url}/openapi.json

Sign in at ${localUrl(ports.examplePage)} with GitHub or Google (a local test provider, no password):
  Allowed: ${emails(true)}
  Denied:  ${emails(false)}

Call the APIs from another terminal in ${root}:

  curl -H "Authorization: Bearer ${token}" '${account_url}/api/v1/me'
  curl -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/alerts/?page_size=2'
  curl -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/gpus?view=basic&page_size=2'

URLs for scripts: ${pathFromRoot(directory.stackFile)}   Logs: ${pathFromRoot(directory.logs)}
Press Ctrl-C to stop. The data is kept.
`;
}

function pathFromRoot(path: string): string {
  const relativePath = relative(root, path);
  return relativePath.startsWith('..') ? path : relativePath;
}
