import type { Attributed } from '../records/records.ts';
import type { Origin } from '../write/batch.ts';

/** A record read from a source, or lines that are not a valid record. */
export type SourceItem = { record: Attributed; origin: Origin } | { fault: string; origin: Origin };
