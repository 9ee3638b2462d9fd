import { readFileSync } from 'node:fs';
import type { Access } from '@gpu-observatory/domain-types';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const page = readFileSync(new URL('../../../../docs/fleet-api.md', import.meta.url), 'utf8');
/** The literal paths in the page's shell examples. */
const EXAMPLES = [...page.matchAll(/\bapi '([^']+)'/g)].map(([, path]) => path as string);

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([alertRecord(1), gpuRecord('GPU-1')]);
});

it('has examples of each list', () => {
  const resources = new Set(EXAMPLES.map((path) => path.split(/[/?]+/)[1]));
  expect(resources).toEqual(
    new Set([
      'alerts',
      'alerts:search',
      'alerts:groups',
      'alerts:summary',
      'alerts:severityTrend',
      'gpu-status',
      'gpus',
      'hosts',
      'fleet-usage',
      'metrics',
      'xid-incidents',
    ]),
  );
});

it.each(EXAMPLES)('%s returns 200', async (path) => {
  const response = await fleet.get(`/api/v1${path}`, ACCESS);
  expect(`${response.status} ${response.status === 200 ? '' : await response.text()}`).toBe('200 ');
});
