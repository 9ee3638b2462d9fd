/**
 * Whether a path's id has a form that the list hands out: a UUID with its prefix, or `host|pci|guest`. A bare PCIe
 * address has neither, and resolves to nothing (contract 4.3).
 */
export function isGpuId(text: string): boolean {
  return text.startsWith('GPU-') || text.split('|').length === 3;
}
