import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type CredentialFiles, readCredentials } from './credentials.ts';
import type { Endpoint } from './target.ts';

/**
 * Requests the page of an exporter.
 *
 * @returns the response, its body unread
 * @throws {Error} with the reason: no connection, an untrusted certificate, timeout, a status other than 200
 */
export async function getPage(
  { url, address }: Endpoint,
  files: CredentialFiles,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { headers, ...trust } = await readCredentials(files);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, {
      signal,
      ...trust,
      headers: {
        ...headers,
        accept: 'application/openmetrics-text;q=0.5,text/plain;version=0.0.4',
        'user-agent': 'gpu-observatory',
      },
      // A new connection per scrape, to notice when the address of the name changes.
      agent: false,
      ...(address === null ? {} : { lookup: fixedLookup(address) }),
    });
    outgoing.on('response', resolve).on('error', reject).end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`HTTP status ${response.statusCode}`);
}

/** Resolves any name to this address. The Host header and the certificate check keep the name. */
function fixedLookup(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
