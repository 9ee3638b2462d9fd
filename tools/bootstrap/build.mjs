import { runTargets } from './nx.mjs';

/** Builds all changed services and libraries. */
export async function build() {
  const started = performance.now();
  const { passed, cached } = await runTargets(['build']);
  if (!passed) throw new Error('The build failed (see above).');
  if (!cached) console.error(`Built in ${Math.round((performance.now() - started) / 1000)} s.`);
}
