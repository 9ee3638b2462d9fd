import { openContenders } from './contenders/contenders.ts';
import { startDatabaseServer } from './database-server.ts';
import { FleetBuild } from './fleet-build.ts';
import { measureGrowth } from './growth.ts';
import { measureImports } from './imports.ts';
import type { Case, Options } from './options.ts';
import { measureReads } from './reads.ts';
import type { Row } from './report.ts';

/** Part of the alerts of the data set that requests are compared with for growth. */
const SMALLER = 10;

/**
 * Measures fleet-api.
 *
 * @param directory of the databases, which are kept between runs
 * @yields the figures of a case, one row at a time
 */
export async function* benchmark(
  directory: string,
  options: Options,
  log: (line: string) => void,
): AsyncGenerator<{ name: Case; row: Row }> {
  const { size, cases } = options;
  const other = options.against === undefined ? null : new FleetBuild(options.against);
  const server = await startDatabaseServer(directory);
  try {
    for (const name of cases) {
      await using contenders = await openContenders(server);
      const dataSet = (alerts: number) => server.dataSet({ ...size, alerts }, FleetBuild.own, 'fleet', log);
      const measure = {
        reads: async () => {
          const ofOther = other && { build: other, set: await server.dataSet(size, other, 'other', log) };
          return measureReads(server, await dataSet(size.alerts), ofOther, contenders, options);
        },
        growth: async () => {
          const smaller = await dataSet(Math.floor(size.alerts / SMALLER));
          return measureGrowth(await dataSet(size.alerts), smaller, contenders, options);
        },
        imports: () => Promise.resolve(measureImports(server, other, options)),
      };
      for await (const row of await measure[name]()) {
        log(`${name}: ${Object.values(row)[0]}`);
        yield { name, row };
      }
    }
  } finally {
    await server.stop();
  }
}
