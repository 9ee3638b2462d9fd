import { evidenceSections } from '../src/alerts/evidence.ts';
import type { AlertDetail } from '../src/data/queries.ts';

it('writes every percentage with a space', () => {
  const alert = {
    resource_details: { gpu_details: { gpu_utilization: '99' }, memory_details: { memory_used: '33.4%' } },
  } as unknown as AlertDetail;
  const values = evidenceSections(alert, 'utc').flatMap(({ fields }) => fields.map(({ value }) => value));
  expect(values.sort()).toEqual(['33.4 %', '99 %']);
});
