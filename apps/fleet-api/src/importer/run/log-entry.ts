import type { JsonEntry } from './json-entries.ts';
import type { Line } from './lines.ts';

/** The text that a program logged, without the wrappers of container runtimes and log collectors. */
export interface LogEntry extends Omit<JsonEntry, 'value'> {
  text: string;
  /** The parsed text, if it is JSON that was parsed already. */
  json?: { value: unknown };
  /** The lines of the entry: several if the runtime split it, or if its JSON is pretty-printed. */
  lines: Line[];
}
