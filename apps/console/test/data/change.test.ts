import { changeText } from '../../src/data/change.ts';

describe('the change since the period before', () => {
  it.each([
    [120, 100, '', '+20 %'],
    [75, 100, 'W', '−25 %'],
    [100, 100, '', '±0'],
    [5, 0, '', '+5'],
    [5, 0, 'kWh', '+5 kWh'],
    [42.5, 40, '%', '+2.5 points'],
    [16.7, 16.704, '%', '±0'],
    [52, 50.5, '°C', '+1.5 °C'],
    [null, 40, '%', 'no data'],
    [40, undefined, '', 'no data'],
  ])('to %s from %s (unit: %s)', (now, before, unit, text) => {
    expect(changeText(now, before, unit)).toBe(text);
  });
});
