const ADDRESS = /^(?:PCI:)?(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\.([0-7]))?$/i;

/**
 * A PCI address as NVML writes it, `00000000:9B:00.0`: the kernel's log has `PCI:0000:9b:00`, others have other domains
 * and cases.
 *
 * @returns null when the text is none
 */
export function normalPciAddress(text: string): string | null {
  const match = ADDRESS.exec(text.trim());
  if (!match) return null;
  const [, domain = '', bus = '', device = '', fn = '0'] = match;
  return `${domain.padStart(8, '0')}:${bus.padStart(2, '0')}:${device.padStart(2, '0')}.${fn}`.toUpperCase();
}
