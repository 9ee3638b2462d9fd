import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Endpoint } from './target.ts';

/**
 * Asks an exporter for its page.
 *
 * @returns the answer, its body not yet read
 * @throws {Error} saying why there is none: no connection, no time left, another status than 200
 */
export async function getPage({ url, address }: Endpoint, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, {
      signal,
      headers: {
        accept: 'application/openmetrics-text;q=0.5,text/plain;version=0.0.4',
        'user-agent': 'gpu-observatory',
      },
      // Each scrape connects anew: an exporter that was replaced behind its name is noticed.
      agent: false,
      ...(address === null ? {} : { lookup: alwaysTo(address) }),
    });
    asked.on('response', resolve).on('error', reject).end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`it answered ${response.statusCode}`);
}

/** Whatever the name, it is at this address; the request and its certificate stay the name's. */
function alwaysTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
