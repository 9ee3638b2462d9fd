import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** One exporter or, with `dns+`, one at each address of a name, such as a headless Kubernetes service. */
export interface Target {
  /** The text of the option. */
  name: string;
  url: URL;
  /** Whether there is an exporter at each address of the name. */
  everyAddress: boolean;
  /** Host of its GPUs, whatever their labels contain: the fragment of the URL. */
  host?: string;
}

/** One exporter of a target. */
export interface Endpoint {
  /** Name in logs and metrics. */
  name: string;
  url: URL;
  /** The address to connect to; null when the name is resolved for each request. */
  address: string | null;
  /** See `Target.host`. */
  host?: string;
}

/** Parses a --target option. */
export function parseTarget(text: string): Target | { fault: string } {
  const everyAddress = text.startsWith('dns+');
  const address = everyAddress ? text.slice('dns+'.length) : text;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    return {
      fault: 'It must be a URL such as http://node-1:9400/metrics, or dns+http://exporters:9400/metrics.',
    };
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return { fault: 'It must be a URL without credentials.' };
  if (url.pathname === '/') url.pathname = '/metrics';
  if (url.hash === '') return { name: text, url, everyAddress };
  if (everyAddress)
    return { fault: 'It must be a URL without a fragment: the exporters of dns+ have different hosts.' };
  const host = url.hash.slice(1);
  url.hash = '';
  return { name: text, url, everyAddress, host };
}

/**
 * Resolves the exporters of a target. If the name has IPv4 addresses, IPv6 addresses are ignored, because they belong to the same
 * exporters.
 *
 * @throws {Error} when the name cannot be resolved
 */
export async function endpointsOf({ everyAddress, ...target }: Target): Promise<Endpoint[]> {
  const { name, url } = target;
  if (!everyAddress) return [{ ...target, address: null }];
  const found = await lookup(url.hostname, { all: true });
  const ipv4 = found.filter(({ address }) => isIP(address) === 4);
  const addresses = (ipv4.length > 0 ? ipv4 : found).map(({ address }) => address).sort();
  return [...new Set(addresses)].map((address) => ({ name: `${name} (${address})`, url, address }));
}
