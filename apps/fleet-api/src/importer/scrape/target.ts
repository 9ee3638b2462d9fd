import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** What is scraped: one exporter, or (`dns+`) one at each address of a name, such as a headless service's. */
export interface Target {
  /** As the operator gave it. */
  name: string;
  url: URL;
  everyAddress: boolean;
}

/** One exporter. */
export interface Endpoint {
  /** How logs and metrics call it. */
  name: string;
  url: URL;
  /** The address to connect to; null: what the name means when it is asked. */
  address: string | null;
}

/** @returns the target, or what it should be */
export function parseTarget(text: string): Target | { fault: string } {
  const everyAddress = text.startsWith('dns+');
  const address = everyAddress ? text.slice('dns+'.length) : text;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    return {
      fault: 'It should be a URL such as http://node-1:9400/metrics, or dns+http://exporters:9400/metrics.',
    };
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return { fault: 'It should be a URL without credentials.' };
  if (url.pathname === '/') url.pathname = '/metrics';
  return { name: text, url, everyAddress };
}

/**
 * The exporters of a target now. A name's IPv4 addresses alone where it has any: the same exporter answers at both.
 *
 * @throws {Error} when the name is not known
 */
export async function endpointsOf({ name, url, everyAddress }: Target): Promise<Endpoint[]> {
  if (!everyAddress) return [{ name, url, address: null }];
  const found = await lookup(url.hostname, { all: true });
  const ofFour = found.filter(({ address }) => isIP(address) === 4);
  const addresses = (ofFour.length > 0 ? ofFour : found).map(({ address }) => address).sort();
  return [...new Set(addresses)].map((address) => ({ name: `${name} (${address})`, url, address }));
}
