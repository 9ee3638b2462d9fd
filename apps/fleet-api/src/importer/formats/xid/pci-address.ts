const ADDRESS = /^(?:PCI:)?(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\.([0-7]))?$/i;

/**
 * Normalizes a PCI address to the form of NVML, `00000000:9B:00.0`. Kernel logs have `PCI:0000:9b:00`; other sources differ
 * in domain length and case.
 *
 * @returns null if the text is not a PCI address
 */
export function normalizePciAddress(text: string): string | null {
  const match = ADDRESS.exec(text.trim());
  if (!match) return null;
  const [, domain = '', bus = '', device = '', fn = '0'] = match;
  return `${domain.padStart(8, '0')}:${bus.padStart(2, '0')}:${device.padStart(2, '0')}.${fn}`.toUpperCase();
}
