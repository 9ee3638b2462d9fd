import type { Attributed } from '../records/records.ts';
import type { Origin } from '../write/batch.ts';

/** What a source makes of its input: a record to write, or lines that are none. */
export type SourceItem = { record: Attributed; origin: Origin } | { fault: string; origin: Origin };
