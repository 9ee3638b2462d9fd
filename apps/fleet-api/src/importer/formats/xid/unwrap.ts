import type { LogEntry } from '../../run/log-entry.ts';
import { LogUnwrapper } from '../../run/log-unwrapper.ts';
import { isDriverFault, mayBeFault } from './driver-text.ts';

/** journald writes a message that is not printable as a list of its bytes. */
const LIST_OF_BYTES = /\[\s*\d+\s*,/;
/** dmesg -J without line breaks. */
const JSON_LIST = /^\s*(?:\{\s*"dmesg"\s*:\s*)?\[\s*\{/;

/** First stage: returns an unwrapper for kernel logs. */
export function kernelLogUnwrapper(): LogUnwrapper {
  return new LogUnwrapper({
    mayContain: (text) => mayBeFault(text) || LIST_OF_BYTES.test(text),
    matches: (value) => typeof value === 'string' && isDriverFault(value),
  });
}

/** Returns the first fault of the lines of an entry, such as an excessive length; undefined without one. */
export function lineFault({ text, lines }: Pick<LogEntry, 'text' | 'lines'>): string | undefined {
  const fault = lines.find((line) => line.fault !== undefined)?.fault;
  return fault !== undefined && JSON_LIST.test(text)
    ? `${fault}: import dmesg -J as it is printed, with one field per line`
    : fault;
}
