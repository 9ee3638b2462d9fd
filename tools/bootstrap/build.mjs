import { runTargets } from './nx.mjs';

/** Builds the services and libraries that have changed. */
export async function build() {
  const started = performance.now();
  if (!(await runTargets(['build']))) throw new Error('The build failed (see above).');
  const seconds = (performance.now() - started) / 1000;
  // From the cache it is over before anyone wonders.
  if (seconds > 5) console.error(`Built in ${Math.round(seconds)} s.`);
}
