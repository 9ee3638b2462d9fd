import { appendFileSync } from 'node:fs';

/** Reports what a test did, for the table of `npm run torture`. */
export function reportTorture(counts: { operations: number; faults: number }): void {
  const file = process.env['TORTURE_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(counts)}\n`);
}
