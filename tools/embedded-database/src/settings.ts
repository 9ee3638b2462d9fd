/** Server settings by their name in postgresql.conf. */
export type ServerSettings = Record<string, string | number>;

/** Settings for a developer's machine with two cores and little memory, which also runs the services. */
export const DEFAULT_SETTINGS: ServerSettings = {
  max_connections: 100,
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  // Times hash_mem_multiplier (2) and three processes fits into the default 64 MB of shared memory of a container.
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: 1.1,
  // JIT compilation takes longer than the queries.
  jit: 'off',
  // Imports write in bursts: fewer checkpoints, and no WAL for replicas.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_level: 'minimal',
  max_wal_senders: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%u@%d ',
};

/** Settings for test data, which a power failure may destroy. */
export const DISPOSABLE_SETTINGS: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Returns the arguments of `postgres` for these settings. Later ones win. */
export function settingArguments(...settings: ServerSettings[]): string[] {
  return Object.entries(Object.assign({}, ...settings) as ServerSettings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
