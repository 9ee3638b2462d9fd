import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@gpu-observatory/embedded-database';
import type { Deployment } from '../deployment.ts';
import { expectWithin } from '../run-checks.ts';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { type Check, countAlerts, importAlerts, requestAlerts } from './fleet.ts';

const VISIBILITY_TIMEOUT_MS = 5_000;
const RECOVERY_TIMEOUT_MS = 5_000;
/** Time until a restarted standby has replayed its WAL. */
const STREAMING_TIMEOUT_MS = 10_000;

export const readsComeFromStandbys: Check = {
  claim: `fleet-api reads imported alerts from the standbys within ${VISIBILITY_TIMEOUT_MS / 1000} s, and never reads from the primary`,
  run: async (context) => {
    const before = await countAlerts(context);
    await importAlerts(context);
    const isVisible = async () => (await countAlerts(context)) > before;
    await expectWithin(VISIBILITY_TIMEOUT_MS, isVisible, 'the imported alerts are not visible');
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
    assert(load.failures.length === 0, describeOutcomes(load.failures));
    assert(onPrimary === 0, `fleet-api has ${onPrimary} connections to the primary`);
    assert(
      onStandbys.every((count) => count > 0),
      `connections to the standbys: ${onStandbys.join(', ')}`,
    );
    return `connections: primary 0, standbys ${onStandbys.join(' and ')}; ${load.samples.length} requests`;
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
    assert(
      failures.every(({ outcome }) => outcome === '502 upstream_error'),
      describeOutcomes(failures),
    );
    assert(last <= RECOVERY_TIMEOUT_MS, `the last failure was ${Math.round(last)} ms after the kill`);
    const slowest = Math.max(...after.map(({ milliseconds }) => milliseconds));
    assert(slowest <= 3_000, `a response took ${Math.round(slowest)} ms`);
    await killed!.start();
    await importAlerts(context, 1);
    const isStreaming = async () => {
      const rows = await query(
        context.primary.adminUrl,
        "SELECT FROM pg_stat_replication WHERE state = 'streaming'",
      );
      return rows.length === context.standbys.length;
    };
    await expectWithin(STREAMING_TIMEOUT_MS, isStreaming, 'not all standbys stream');
    return `${after.length} requests after the kill, ${failures.length} of them 502 within ${Math.round(last)} ms, the slowest response ${Math.round(slowest)} ms; the standby streams again`;
  },
};
