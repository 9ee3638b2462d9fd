import { setFlagsFromString } from 'node:v8';

/**
 * Percent between two collections. V8 chooses by the memory of the machine: about 30 in a container of 512 MB, where a third of the
 * CPU time of an import is garbage collection, and 300 on a large machine, where a command takes memory that it does not need.
 */
const HEAP_GROWTH_PERCENT = 100;

/** Bounds the growth of the heap of a command that produces much garbage (docs/decisions/memory.md). */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
