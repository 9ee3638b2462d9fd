import { cpuTimeOf } from '@gpu-observatory/embedded-database';
import type { Bench, ExpectedResponse } from '../bench.ts';
import type { Target } from '../../target.ts';

/** Average CPU time of a request in each process that takes part in it, in us. */
export interface CpuTime {
  service: number;
  database: number;
  client: number;
}

export const inAll = ({ service, database, client }: CpuTime): number => service + database + client;

/**
 * Sends requests as `requestLoad` does and returns the CPU time of one.
 *
 * @param processId of the service
 */
export async function measureCpuTime(
  { databaseTime, seconds }: Bench,
  { target, processId, path, expected }: Measured,
): Promise<CpuTime> {
  const used = async () => ({
    service: cpuTimeOf(processId),
    database: await databaseTime.cpuTimes('fleet_api'),
    client: cpuTimeOf(process.pid),
  });
  const before = await used();
  const { length: requests } = await target.times(path, { seconds }, expected);
  const after = await used();
  const perRequest = (ns: number) => ns / 1_000 / requests;
  // A server process that started meanwhile has used all of its time for the requests.
  const database = [...after.database].reduce(
    (sum, [pid, ns]) => sum + ns - (before.database.get(pid) ?? 0),
    0,
  );
  return {
    service: perRequest(after.service - before.service),
    database: perRequest(database),
    client: perRequest(after.client - before.client),
  };
}

/** Requests to a server, and the process of the server. */
export interface Measured {
  target: Target;
  processId: number;
  path: string;
  expected: ExpectedResponse;
}
