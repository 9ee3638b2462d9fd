import { PRIMARY_SETTINGS, startDedicatedServer } from '@gpu-observatory/testing';
import { type FleetUrls, prepareFleetDatabase } from './fleet-database.ts';

/** A primary with the fleet schema and a hot standby, each a separate server. */
export interface DatabasePair {
  primary: FleetUrls;
  standby: FleetUrls;
  /** Stops the primary; the standby keeps running. */
  stopPrimary(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDatabasePair(): Promise<DatabasePair> {
  await using started = new AsyncDisposableStack();
  const primary = await startDedicatedServer({ ...PRIMARY_SETTINGS, shared_buffers: '32MB' });
  started.defer(() => primary.remove());
  const urls = await prepareFleetDatabase(primary.adminUrl);
  const standby = await primary.startStandby();
  started.defer(() => standby.remove());
  const { port } = new URL(standby.adminUrl);
  const onStandby = Object.entries(urls).map(([name, url]: [string, string]) => [
    name,
    Object.assign(new URL(url), { port }).href,
  ]);
  const running = started.move();
  return {
    primary: urls,
    standby: Object.fromEntries(onStandby) as FleetUrls,
    stopPrimary: () => primary.kill(),
    stop: () => running.disposeAsync(),
  };
}
