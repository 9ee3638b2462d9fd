import { replay } from './replay.ts';

describe('the three services, compiled', () => {
  it('respond to all frozen requests as recorded', async () => {
    expect(await replay()).toMatch(/^\d{4,} responses compared, 0 differences\n$/);
  });
});
