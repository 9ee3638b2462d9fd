/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function closingLine({ passed, failed, skipped }) {
  return `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
