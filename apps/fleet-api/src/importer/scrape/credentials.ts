import { readFile } from 'node:fs/promises';

/** Files that authenticate a collector and its exporters. They are read for each scrape, so that they can be rotated. */
export interface CredentialFiles {
  /** PEM certificates that replace the system's authorities. */
  caFile?: string;
  bearerTokenFile?: string;
  basicAuth?: { username: string; passwordFile: string };
}

/** Options of a request to an exporter. */
interface RequestCredentials {
  ca?: string;
  headers: { authorization?: string };
}

/** Reads the files. @throws {Error} with the file that cannot be read, or that is empty */
export async function readCredentials(files: CredentialFiles): Promise<RequestCredentials> {
  const { caFile, bearerTokenFile, basicAuth } = files;
  const ca = caFile === undefined ? {} : { ca: await read('--ca-file', caFile) };
  if (bearerTokenFile !== undefined) {
    const token = await readSecret('--bearer-token-file', bearerTokenFile);
    return { ...ca, headers: { authorization: `Bearer ${token}` } };
  }
  if (basicAuth !== undefined) {
    const password = await readSecret('--password-file', basicAuth.passwordFile);
    const pair = Buffer.from(`${basicAuth.username}:${password}`).toString('base64');
    return { ...ca, headers: { authorization: `Basic ${pair}` } };
  }
  return { ...ca, headers: {} };
}

/** Reads a file whose last line may end with a line feed. */
async function readSecret(option: string, file: string): Promise<string> {
  const secret = (await read(option, file)).replace(/\r?\n$/, '');
  if (/[\r\n]/.test(secret)) throw new Error(`${option} ${file} has more than one line`);
  return secret;
}

async function read(option: string, file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (failure) {
    throw new Error(`cannot read ${option}: ${(failure as Error).message}`, { cause: failure });
  }
  if (text.trim() === '') throw new Error(`${option} ${file} is empty`);
  return text;
}
