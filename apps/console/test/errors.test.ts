import { ChunkError, loadChunk } from '../src/parts/chunk-error.ts';
import { clearedFiltersUrl, listUrl } from '../src/parts/way-back.ts';

let isOnline = true;
beforeEach(() => {
  Object.defineProperty(globalThis.navigator, 'onLine', { configurable: true, get: () => isOnline });
});
afterEach(() => {
  isOnline = true;
});

it.each([
  'Unable to preload CSS for /assets/keys-1a2b.css',
  'Failed to fetch dynamically imported module: https://app.example.com/assets/keys-1a2b.js',
  'error loading dynamically imported module: https://app.example.com/assets/keys-1a2b.js',
  'Importing a module script failed.',
])('recognizes a failed import by its message: %s', async (message) => {
  const failed = loadChunk(() => Promise.reject(new TypeError(message)));
  await expect(failed).rejects.toBeInstanceOf(ChunkError);
});

it('distinguishes an offline browser from a new deployment, at the time of the failure', async () => {
  const fail = () =>
    loadChunk(() => Promise.reject(new Error('Importing a module script failed.'))).catch(
      (error: unknown) => error as ChunkError,
    );
  isOnline = false;
  const offline = (await fail()) as ChunkError;
  isOnline = true;
  const online = (await fail()) as ChunkError;
  expect([offline.isOffline, online.isOffline]).toEqual([true, false]);
});

it('passes modules and other errors through', async () => {
  const load = jest.fn(() => Promise.resolve('module'));
  expect(await loadChunk(load)).toBe('module');
  const error = new Error('x is not defined');
  await expect(loadChunk(() => Promise.reject(error))).rejects.toBe(error);
});

it('clears the filters of a URL and keeps its scope', () => {
  const search = '?workspace=7&severity=wrong&from=never';
  expect(clearedFiltersUrl({ pathname: '/alerts', search })).toBe('/alerts?workspace=7');
  expect(clearedFiltersUrl({ pathname: '/alerts', search: '?severity=wrong' })).toBe('/alerts');
  expect(clearedFiltersUrl({ pathname: '/alerts', search: '?workspace=7' })).toBeUndefined();
});

it('does not blame the filters of the list for the wrong id of an item', () => {
  expect(clearedFiltersUrl({ pathname: '/alerts/abc', search: '?severity=high' })).toBeUndefined();
});

it('leads from the page of an item back to its list', () => {
  expect(listUrl({ pathname: '/gpus/GPU-1', search: '?customer=1&range=24h' })).toBe('/gpus?customer=1');
  expect(listUrl({ pathname: '/alerts', search: '?alert=999' })).toBeUndefined();
});
