/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { replaceInvalidLanguage } from '../../src/charts/browser-language.ts';

const language = navigator.language;
const setLanguage = (value: string) =>
  Object.defineProperty(navigator, 'language', { value, configurable: true });
const series = [{ label: 'Utilization', unit: '%', values: [1, null] }];

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  setLanguage(language);
  jest.restoreAllMocks();
});

it.each(['C', 'not a language', '', 'en-US@posix'])(
  'replaces the invalid language "%s", so that uPlot loads',
  async (value) => {
    setLanguage(value);
    replaceInvalidLanguage();
    expect(navigator.language).toBe('en-US');
    await expect(import('uplot')).resolves.toHaveProperty('default');
  },
);

it('keeps a valid language', () => {
  setLanguage('de-CH');
  replaceInvalidLanguage();
  expect(navigator.language).toBe('de-CH');
});

it('is replaced by a message if it cannot be drawn, and the rest of the view stays', async () => {
  const { TimeSeries } = await import('../../src/charts/time-series.tsx');
  jest.spyOn(globalThis, 'ResizeObserver').mockImplementation(() => {
    throw new Error('ResizeObserver is broken');
  });
  render(
    <>
      <TimeSeries title="Utilization over 24 hours" times={[0, 1]} series={series} />
      <p>Other parts</p>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain(
    'The chart “Utilization over 24 hours” cannot be drawn. Error: ResizeObserver is broken',
  );
  screen.getByText('Other parts');
});
