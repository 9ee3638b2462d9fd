import { readFileSync } from 'node:fs';
import type { Access } from '@gpu-observatory/domain-types';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const page = readFileSync(new URL('../../../../docs/api-design.md', import.meta.url), 'utf8');
/** The paths of its examples: those that are written in full. */
const EXAMPLES = [...page.matchAll(/\bapi '([^']+)'/g)].map(([, path]) => path as string);

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([alertRecord(1), gpuRecord('GPU-1')]);
});

afterAll(() => fleet.stop());

it('has examples of each list', () => {
  const resources = new Set(EXAMPLES.map((path) => path.split(/[/?]+/)[1]));
  expect(resources).toEqual(new Set(['alerts', 'alerts:summary', 'alerts:severityTrend', 'gpus', 'metrics']));
});

it.each(EXAMPLES)('%s works as it stands in the page', async (path) => {
  const answer = await fleet.get(`/api/v1${path}`, ACCESS);
  expect(`${answer.status} ${answer.status === 200 ? '' : await answer.text()}`).toBe('200 ');
});
