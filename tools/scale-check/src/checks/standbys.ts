import { setTimeout as sleep } from 'node:timers/promises';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { type Check, type CheckContext, must } from './check.ts';
import { askForAlerts, importAlerts, totalAlerts } from './fleet.ts';

const VISIBLE_WITHIN_MS = 5_000;
const RECOVERED_WITHIN_MS = 5_000;

export const readsComeFromStandbys: Check = {
  claim: 'fleet-api reads from the standbys, and never from the primary',
  run: async (context) => {
    await importAlerts(context);
    await untilTotal(context, 1);
    const load = new SteadyLoad(8, () => askForAlerts(context));
    await sleep(1_500);
    const connections = async (server: CheckContext['primary']) => {
      const [row] = await server.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'fleet_api'",
      );
      return row!.count;
    };
    const onPrimary = await connections(context.primary);
    const onStandbys = await Promise.all(context.standbys.map(connections));
    await load.stop();
    must(load.failures.length === 0, describeOutcomes(load.failures));
    must(onPrimary === 0, `${onPrimary} connections of fleet-api on the primary`);
    must(
      onStandbys.every((count) => count > 0),
      `connections on the standbys: ${onStandbys.join(', ')}`,
    );
    return `connections on the primary 0, on the standbys ${onStandbys.join(' and ')}; ${load.samples.length} requests`;
  },
};

export const importsReachStandbys: Check = {
  claim: `what is imported on the primary is served from the standbys within ${VISIBLE_WITHIN_MS / 1000} s`,
  run: async (context) => {
    const before = await totalAlerts(context);
    await importAlerts(context);
    const begin = performance.now();
    await untilTotal(context, before + 1);
    return `1,000 alerts, seen ${Math.round(performance.now() - begin)} ms after the importer ended`;
  },
};

export const saysHowFarItLags: Check = {
  claim: 'fleet-api says in its readiness how far its standby lags',
  run: async (context) => {
    const { standbys, replicas } = context;
    const fleet = replicas.filter(({ service }) => service === 'fleet-api');
    const lagOf = async () =>
      Promise.all(fleet.map(async (replica) => JSON.stringify((await replica.readiness()).checks)));
    const before = await lagOf();
    for (const standby of standbys) await standby.query('SELECT pg_wal_replay_pause()');
    try {
      await importAlerts(context);
      await sleep(4_000);
      const during = await lagOf();
      for (const said of during) {
        const seconds = Number(/(\d+(?:\.\d+)?) s behind/.exec(said)?.[1] ?? NaN);
        must(seconds >= 2, `4 s after replay was stopped it says ${said}; before: ${before[0]}`);
      }
      return /[^"]*behind[^"]*/.exec(during[0]!)![0];
    } finally {
      for (const standby of standbys) await standby.query('SELECT pg_wal_replay_resume()');
    }
  },
};

export const survivesALostStandby: Check = {
  claim: `fleet-api survives the loss of a standby: every answer in its own error shape, and well again within ${RECOVERED_WITHIN_MS / 1000} s`,
  run: async (context) => {
    const [lost] = context.standbys;
    const load = new SteadyLoad(4, () => askForAlerts(context));
    await sleep(1_000);
    const begin = performance.now();
    await lost!.kill();
    await sleep(RECOVERED_WITHIN_MS + 3_000);
    await load.stop();
    const after = load.samples.filter(({ at }) => at >= begin);
    const failures = after.filter(({ outcome }) => outcome !== '2xx');
    const last = Math.max(0, ...failures.map(({ at, milliseconds }) => at + milliseconds - begin));
    must(
      failures.every(({ outcome }) => outcome === '502 upstream_error'),
      describeOutcomes(failures),
    );
    must(last <= RECOVERED_WITHIN_MS, `the last failure came ${Math.round(last)} ms after`);
    const slowest = Math.max(...after.map(({ milliseconds }) => milliseconds));
    must(slowest <= 3_000, `an answer took ${Math.round(slowest)} ms`);
    await lost!.start();
    await importAlerts(context, 1);
    const streaming = await untilAllStream(context);
    const { length } = context.standbys;
    must(streaming === length, `${streaming} of ${length} standbys stream after it is back`);
    return `${after.length} requests after it, ${failures.length} of them 502 within ${Math.round(last)} ms, the slowest answer ${Math.round(slowest)} ms; it streams again`;
  },
};

async function untilTotal(context: CheckContext, atLeast: number): Promise<void> {
  const deadline = Date.now() + VISIBLE_WITHIN_MS;
  while ((await totalAlerts(context)) < atLeast) {
    must(Date.now() < deadline, `${atLeast} alerts were not seen within ${VISIBLE_WITHIN_MS} ms`);
    await sleep(50);
  }
}

/** @returns how many standbys stream, which is all of them unless it took too long */
async function untilAllStream({ primary, standbys }: CheckContext): Promise<number> {
  for (const deadline = Date.now() + 10_000; ; await sleep(200)) {
    const [row] = await primary.query<{ streaming: number }>(
      "SELECT count(*)::int AS streaming FROM pg_stat_replication WHERE state = 'streaming'",
    );
    if (row!.streaming === standbys.length || Date.now() > deadline) return row!.streaming;
  }
}
