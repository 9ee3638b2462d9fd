import { runTargets } from './nx.mjs';

/** Builds all changed services and libraries. */
export async function build() {
  const started = performance.now();
  if (!(await runTargets(['build']))) throw new Error('The build failed (see above).');
  const seconds = (performance.now() - started) / 1000;
  // A build from the cache takes less than a second.
  if (seconds > 5) console.error(`Built in ${Math.round(seconds)} s.`);
}
