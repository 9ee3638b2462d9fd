/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function summaryLine({ passed, failed, skipped }) {
  return `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
