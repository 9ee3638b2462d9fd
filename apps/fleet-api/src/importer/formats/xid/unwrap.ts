import type { LogEntry } from '../../run/log-entry.ts';
import { LogUnwrapper } from '../../run/log-unwrapper.ts';
import { isDriverFault, mayBeFault } from './recognize.ts';

const LIST_OF_BYTES = /\[\s*\d+\s*,/;
const JSON_LIST = /^\s*(?:\{\s*"dmesg"\s*:\s*)?\[\s*\{/;

/** Returns an unwrapper for kernel logs. */
export function kernelLogUnwrapper(): LogUnwrapper {
  return new LogUnwrapper({
    mayBeIn: (text) => mayBeFault(text) || LIST_OF_BYTES.test(text),
    is: (value) => typeof value === 'string' && isDriverFault(value),
  });
}

/** Returns the fault of a line of the entry. */
export function lineFault({ text, lines }: Pick<LogEntry, 'text' | 'lines'>): string | undefined {
  const fault = lines.find((line) => line.fault !== undefined)?.fault;
  return fault !== undefined && JSON_LIST.test(text)
    ? `${fault}: import dmesg -J as it is printed, with one field per line`
    : fault;
}
