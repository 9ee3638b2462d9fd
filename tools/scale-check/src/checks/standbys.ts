import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@gpu-observatory/embedded-database';
import type { Deployment } from '../deployment.ts';
import { expectThat, expectWithin } from '../run-checks.ts';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { type Check, countAlerts, importAlerts, requestAlerts } from './fleet.ts';

const VISIBILITY_TIMEOUT_MS = 5_000;
const RECOVERY_TIMEOUT_MS = 5_000;
/** Time until a restarted standby has replayed its WAL. */
const STREAMING_TIMEOUT_MS = 10_000;

export const readsComeFromStandbys: Check = {
  claim: 'fleet-api reads from the standbys and never from the primary',
  run: async (context) => {
    await importAlerts(context);
    await waitForTotal(context, 1);
    const load = new SteadyLoad(8, () => requestAlerts(context));
    await sleep(1_500);
    const connections = async (server: Deployment['primary']) => {
      const [row] = await query<{ count: number }>(
        server.adminUrl,
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'fleet_api'",
      );
      return row!.count;
    };
    const onPrimary = await connections(context.primary);
    const onStandbys = await Promise.all(context.standbys.map(connections));
    await load.stop();
    expectThat(load.failures.length === 0, describeOutcomes(load.failures));
    expectThat(onPrimary === 0, `fleet-api has ${onPrimary} connections to the primary`);
    expectThat(
      onStandbys.every((count) => count > 0),
      `connections to the standbys: ${onStandbys.join(', ')}`,
    );
    return `connections: primary 0, standbys ${onStandbys.join(' and ')}; ${load.samples.length} requests`;
  },
};

export const importsReachStandbys: Check = {
  claim: `the standbys serve what was imported on the primary within ${VISIBILITY_TIMEOUT_MS / 1000} s`,
  run: async (context) => {
    const before = await countAlerts(context);
    await importAlerts(context);
    const milliseconds = await waitForTotal(context, before + 1);
    return `1,000 alerts, visible ${Math.round(milliseconds)} ms after the import`;
  },
};

export const readinessReportsLag: Check = {
  claim: 'the readiness of fleet-api reports the lag of its standby',
  run: async (context) => {
    const { standbys, replicas } = context;
    const fleet = replicas.filter(({ service }) => service === 'fleet');
    const readChecks = () => Promise.all(fleet.map((replica) => replica.readiness()));
    const before = await readChecks();
    for (const standby of standbys) await query(standby.adminUrl, 'SELECT pg_wal_replay_pause()');
    try {
      await importAlerts(context);
      await sleep(4_000);
      const during = await readChecks();
      for (const checks of during) {
        const seconds = Number(/(\d+(?:\.\d+)?) s behind/.exec(checks)?.[1] ?? NaN);
        expectThat(
          seconds >= 2,
          `4 s after replay was paused readiness reports ${checks}; before: ${before[0]}`,
        );
      }
      return /[^"]*behind[^"]*/.exec(during[0]!)![0];
    } finally {
      for (const standby of standbys) await query(standby.adminUrl, 'SELECT pg_wal_replay_resume()');
    }
  },
};

export const survivesStandbyFailure: Check = {
  claim: `fleet-api survives the loss of a standby: every error has its format, and it recovers within ${RECOVERY_TIMEOUT_MS / 1000} s`,
  run: async (context) => {
    const [killed] = context.standbys;
    const load = new SteadyLoad(4, () => requestAlerts(context));
    await sleep(1_000);
    const started = performance.now();
    await killed!.kill();
    await sleep(RECOVERY_TIMEOUT_MS + 3_000);
    await load.stop();
    const after = load.samples.filter(({ at }) => at >= started);
    const failures = after.filter(({ outcome }) => outcome !== '2xx');
    const last = Math.max(0, ...failures.map(({ at, milliseconds }) => at + milliseconds - started));
    expectThat(
      failures.every(({ outcome }) => outcome === '502 upstream_error'),
      describeOutcomes(failures),
    );
    expectThat(last <= RECOVERY_TIMEOUT_MS, `the last failure was ${Math.round(last)} ms after the kill`);
    const slowest = Math.max(...after.map(({ milliseconds }) => milliseconds));
    expectThat(slowest <= 3_000, `a response took ${Math.round(slowest)} ms`);
    await killed!.start();
    await importAlerts(context, 1);
    await waitForStreaming(context);
    return `${after.length} requests after the kill, ${failures.length} of them 502 within ${Math.round(last)} ms, the slowest response ${Math.round(slowest)} ms; the standby streams again`;
  },
};

/** @returns the time until then in ms */
function waitForTotal(context: Deployment, atLeast: number): Promise<number> {
  const isVisible = async () => (await countAlerts(context)) >= atLeast;
  return expectWithin(VISIBILITY_TIMEOUT_MS, isVisible, `${atLeast} alerts are not visible`);
}

async function waitForStreaming({ primary, standbys }: Deployment): Promise<void> {
  const isStreaming = async () => {
    const rows = await query(primary.adminUrl, "SELECT FROM pg_stat_replication WHERE state = 'streaming'");
    return rows.length === standbys.length;
  };
  await expectWithin(STREAMING_TIMEOUT_MS, isStreaming, 'not all standbys stream');
}
