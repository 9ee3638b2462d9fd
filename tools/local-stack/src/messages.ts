import { relative } from 'node:path';
import { dataDirectoryFlag } from './data-directory.ts';
import { root } from './root.ts';
import type { RunningStack } from './stack.ts';
import type { StackFile } from './stack-file.ts';

/** Formats the text that `npm start` prints when users can sign in. */
export function signInMessage({
  console_url,
  fleet_url,
  account_url,
  site_url,
  accounts,
  certificate_file,
}: StackFile): string {
  const emails = (maySignIn: boolean) =>
    accounts
      .filter(({ may_sign_in }) => may_sign_in === maySignIn)
      .map(({ email }) => email)
      .join(', ');
  const safari =
    certificate_file === undefined
      ? 'Safari rejects the session cookies of http://localhost: use another browser, or npm start -- --https.'
      : `Trust the certificate ${certificate_file} first: tools/local-stack/README.md#https`;
  return `
${safari}
Sign in at ${console_url} with GitHub or Google (a local test provider, no password):
  Allowed: ${emails(true)}
  Denied:  ${emails(false)}

  Fleet API         ${fleet_url}/api/v1     ${fleet_url}/docs   ${fleet_url}/openapi.json
  Account service   ${account_url}/api/v1     ${account_url}/docs   ${account_url}/openapi.json
  Website           ${site_url}/api        ${site_url}/docs   ${site_url}/openapi.json
`;
}

/** Formats the text that `npm start` prints when the data is complete. */
export function readyMessage({ description, directory }: RunningStack): string {
  const { fleet_url, account_url } = description;
  const { certificate_file: certificate } = description;
  const curl = certificate === undefined ? 'curl' : `curl --cacert '${certificate}'`;
  const token = `$(npm run -s token -- --email ada@acme.example${dataDirectoryFlag(directory.path)})`;
  return `
GPU Observatory is running. Call the APIs from another terminal in ${root}:

  ${curl} -H "Authorization: Bearer ${token}" '${account_url}/api/v1/me'
  ${curl} -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/alerts/?page_size=2'
  ${curl} -H "Authorization: Bearer ${token}" '${fleet_url}/api/v1/gpus?view=basic&page_size=2'

URLs for scripts: ${pathFromRoot(directory.stackFile)}   Logs: ${pathFromRoot(directory.logs)}
Press Ctrl-C to stop. The data is kept.
`;
}

function pathFromRoot(path: string): string {
  const relativePath = relative(root, path);
  return relativePath.startsWith('..') ? path : relativePath;
}
