import type { Access } from '@gpu-observatory/domain-types';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { gpuRecord } from '../support/records.ts';

const GPUS = 1_500;
const CALLERS: [string, Access, string][] = [
  ['one customer', [{ customer_id: 1, workspace_ids: 'all' }], ''],
  [
    'two customers',
    [
      { customer_id: 1, workspace_ids: 'all' },
      { customer_id: 2, workspace_ids: [21] },
    ],
    '',
  ],
  ['two workspaces', [{ customer_id: 1, workspace_ids: [10, 11] }], ''],
  ['a workspace', [{ customer_id: 1, workspace_ids: 'all' }], '&workspace_id=11'],
  ['an API key', [{ customer_id: 1, workspace_ids: 'all' }], '&api_key_id=7'],
];

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import(
    Array.from({ length: GPUS }, (_unused, n) =>
      gpuRecord(`GPU-${(n * 7919) % GPUS}`, {
        customer_id: 1 + (n % 2),
        workspace_id: 10 * (1 + (n % 2)) + (n % 3),
        api_key_id: n % 5 === 0 ? 7 : null,
        hostname: `node-${n % 200}`,
        report_interval_seconds: 86_400,
      }),
    ),
  );
});

/**
 * Sets health signals by the GPU number modulo `modulus`. Every seventh GPU also has an expired signal, or one that is
 * not its worst. Some GPUs without a recent report have a critical signal, and some have never sent telemetry.
 */
const setHealth = (modulus: string) =>
  rowsOf(
    fleet.database.administratorUrl,
    `UPDATE fleet.gpus SET
       critical_until = CASE WHEN n % 7 = 0 THEN now() - interval '1 hour' WHEN n % (${modulus}) < 2 THEN now() + interval '1 day' END,
       degraded_until = CASE WHEN n % 5 = 0 THEN now() - interval '1 hour' WHEN n % (${modulus}) < 5 THEN now() + interval '1 day' END,
       has_telemetry = n % 11 > 0,
       last_seen = CASE WHEN n % (${modulus}) IN (0, 6) OR n % 13 = 0 THEN now() - interval '9 days' ELSE now() END
     FROM (SELECT customer_id AS c, gpu_id AS id, substr(gpu_id, 5)::integer AS n FROM fleet.gpus) AS numbered
     WHERE customer_id = c AND gpu_id = id`,
  );

interface Row {
  gpu_id: string;
  health: string;
  hostname: string;
}

const list = async (access: Access, query: string) =>
  (await bodyOf<{ gpus: Row[] }>(await fleet.get(`/api/v1/gpus?view=basic${query}`, access), 'listGpus'))
    .gpus;

/** GPUs that the database has as missing and with a critical signal. */
const lostGpus = async () => {
  const rows = await rowsOf<{ gpu_id: string }>(
    fleet.database.administratorUrl,
    'SELECT gpu_id FROM fleet.gpus WHERE has_telemetry AND last_seen < now() - interval $$8 days$$ AND critical_until > now()',
  );
  return new Set(rows.map(({ gpu_id }) => gpu_id));
};

const keyOf = ({ health, hostname, gpu_id }: Row, lost: Set<string>) =>
  [
    ['critical', 'lost', 'degraded', 'missing', 'healthy'].indexOf(lost.has(gpu_id) ? 'lost' : health),
    hostname,
    gpu_id,
  ].join('\n');

describe.each([
  ['few GPUs are unhealthy', '97'],
  ['many GPUs are unhealthy', '9'],
  ['no GPU is healthy', '3'],
])('when %s', (_name, modulus) => {
  beforeAll(() => setHealth(modulus));

  it.each(CALLERS)('a page for %s is a prefix of the unlimited list', async (_who, access, query) => {
    const all = await list(access, query);
    expect(all.length).toBeGreaterThan(50);
    const lost = await lostGpus();
    expect(lost.size).toBeGreaterThan(0);
    expect(all.filter(({ gpu_id, health }) => lost.has(gpu_id) && health !== 'missing')).toEqual([]);
    expect(all).toEqual(all.toSorted((a, b) => (keyOf(a, lost) < keyOf(b, lost) ? -1 : 1)));
    expect(new Set(all.map(({ health }) => health)).size).toBeGreaterThan(1);
    for (const size of [1, 30, 400, 1_000]) {
      expect(await list(access, `${query}&page_size=${size}`)).toEqual(all.slice(0, size));
    }
  });
});
