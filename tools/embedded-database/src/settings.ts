/** Server settings by name, as in postgresql.conf. */
export type ServerSettings = Record<string, string | number>;

/** For a developer's machine of two cores that also runs the services: real data, bursts of import, small memory. */
export const DEFAULT_SETTINGS: ServerSettings = {
  max_connections: 100,
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  // Times two (hash_mem_multiplier) and three processes this still fits into a container's 64 MB of shared memory.
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: 1.1,
  // Compiling a plan costs more than our queries take.
  jit: 'off',
  // An import writes a lot at once: few checkpoints, and no log for replicas that do not exist.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_level: 'minimal',
  max_wal_senders: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%u@%d ',
};

/** For data that nobody misses after a power cut. */
export const DISPOSABLE_SETTINGS: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** The command line of `postgres` for these settings; later ones win. */
export function settingArguments(...settings: ServerSettings[]): string[] {
  return Object.entries(Object.assign({}, ...settings) as ServerSettings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
