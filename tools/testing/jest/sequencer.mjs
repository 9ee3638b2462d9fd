import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Approximate durations of slow test files in s, for a clone in which Jest has not measured them yet. */
const durations = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8'));

/** Size of a test file that usually takes 1 s. */
const BYTES_PER_SECOND = 2_000;

/** Starts the slowest test files first, so that no worker is idle while another one runs a slow file at the end. */
export default class SlowestFirst extends TestSequencer {
  time(test) {
    const { config, hasteFS } = test.context;
    const file = relative(config.rootDir, test.path);
    return super.time(test) ?? (durations[file] ?? hasteFS.getSize(test.path) / BYTES_PER_SECOND) * 1_000;
  }
}
