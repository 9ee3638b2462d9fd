import { isUuid, parsePositiveInteger } from '../src/index.ts';

describe('parsePositiveInteger', () => {
  it.each([
    ['1', 1],
    ['10000', 10000],
    ['2147483648', 2147483648],
  ])('parses %s', (text, expected) => {
    expect(parsePositiveInteger(text)).toBe(expected);
  });

  it.each(['', '0', '-1', '1.5', '1e3', '0x10', ' 1', '1 ', '+1', '01', '１', 'NaN'])(
    'rejects %j',
    (text) => {
      expect(parsePositiveInteger(text)).toBeNull();
    },
  );
});

describe('isUuid', () => {
  it('accepts the canonical form only', () => {
    expect(isUuid('0193e3a0-7b5c-7c3e-9f00-2f6b1c1d2e3f')).toBe(true);
    expect(isUuid('0193E3A0-7B5C-7C3E-9F00-2F6B1C1D2E3F')).toBe(true);
    expect(isUuid('0193e3a07b5c7c3e9f002f6b1c1d2e3f')).toBe(false);
    expect(isUuid('{0193e3a0-7b5c-7c3e-9f00-2f6b1c1d2e3f}')).toBe(false);
    expect(isUuid('')).toBe(false);
  });
});
