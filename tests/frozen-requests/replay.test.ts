import { replay } from './replay.ts';

describe('the three services, compiled', () => {
  it('respond to a tenth of the frozen requests as recorded', async () => {
    expect(await replay('--every', '10')).toMatch(/^\d{3,} responses compared, 0 differences\n$/);
  });
});
