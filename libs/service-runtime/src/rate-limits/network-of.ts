import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the rate-limit key of a client address: the IPv4 address, or the /64 of an IPv6 address, because one household or
 * machine has a whole /64. An IPv4-mapped IPv6 address counts as IPv4. Drops a port, which some proxies forward and which the
 * client can choose. Returns text that is not an address as is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = withoutPort(address).split('%');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return address;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function withoutPort(address: string): string {
  const [, inBrackets, dotted] = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return inBrackets ?? dotted ?? address;
}

/** Returns the eight groups of a valid IPv6 address (RFC 4291, section 2.2). */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [left = [], right = []] = hexadecimal
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => parseInt(group, 16))));
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
