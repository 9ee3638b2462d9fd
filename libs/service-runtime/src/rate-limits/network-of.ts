import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the rate-limit key of a client address: the IPv4 address, or the /64 of an IPv6 address, because one household or
 * machine has a whole /64. An IPv4-mapped IPv6 address counts as IPv4. Drops a port, which some proxies forward and which the
 * client can choose. Returns text that is not an address as is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = withoutPort(address).split('%');
  if (isIP(bare) === 0) return address;
  const normalized = ipaddr.process(bare).toNormalizedString();
  return isIPv4(normalized) ? normalized : `${normalized.split(':').slice(0, 4).join(':')}::/64`;
}

function withoutPort(address: string): string {
  const [, inBrackets, dotted] = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return inBrackets ?? dotted ?? address;
}
