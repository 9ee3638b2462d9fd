import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { dropFreeBlocks } from './reused-memory.ts';

/** Growth of the heap between two collections, in percent. V8 chooses up to 300 with much memory, 40 in a container of 1 GiB. */
const HEAP_GROWTH_PERCENT = 200;
/** Number of garbage collections for which V8 keeps the hidden classes of objects that optimized code expects. Its default is 2. */
const KEPT_CLASSES_COLLECTIONS = 100;
const CHECK_INTERVAL_MS = 20_000;
/** Largest share of an interval in which an idle process runs JavaScript. */
const MAX_IDLE_UTILIZATION = 0.02;
/** Growth since the last collection that is worth its pause. */
const MIN_GROWTH_BYTES = 32 * 1024 * 1024;

/**
 * Bounds the garbage that V8 keeps, and collects it when the process has been idle for an interval. V8 collects when memory is
 * allocated, so an idle process would keep the garbage of its last requests.
 *
 * A collection that returns as much memory as possible discards most optimized code: the next second of requests takes up to
 * twice the CPU time. V8 itself would run one after 8 s with few allocations.
 */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString('--no-memory-reducer-favors-memory');
  setFlagsFromString(`--retain-maps-for-n-gc=${KEPT_CLASSES_COLLECTIONS}`);
  const collect = garbageCollector();
  let previous = performance.eventLoopUtilization();
  let residentBytes = process.memoryUsage.rss();
  const check = () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, previous);
    previous = current;
    if (utilization > MAX_IDLE_UTILIZATION) return;
    if (process.memoryUsage.rss() < residentBytes + MIN_GROWTH_BYTES) return;
    dropFreeBlocks();
    collect();
    residentBytes = process.memoryUsage.rss();
  };
  setInterval(check, CHECK_INTERVAL_MS).unref();
}

/** V8 defines `gc` only in contexts that are created while its flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
