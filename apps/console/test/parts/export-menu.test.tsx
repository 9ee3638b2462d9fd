/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createFleetClient } from '@gpu-observatory/client';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ExportMenu } from '../../src/parts/export-menu.tsx';
import { type Services, ServicesContext } from '../../src/session/services.ts';

let saved: { name: string; blob: Blob }[];
let requests: Request[];
let respond: () => Promise<Response>;

beforeEach(() => {
  [saved, requests] = [[], []];
  respond = () => Promise.resolve(new Response('id\r\n1\r\n'));
  let blob: Blob;
  jest.spyOn(URL, 'createObjectURL').mockImplementation((object) => {
    blob = object as Blob;
    return 'blob:file';
  });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob });
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function renderMenu(): void {
  const fetch = (request: Request) => {
    requests.push(request);
    return respond();
  };
  const fleet = createFleetClient({ baseUrl: 'http://fleet.example', fetch });
  render(
    <ServicesContext value={{ fleet } as unknown as Services}>
      <ExportMenu path="/api/v1/alerts" query={{ sort: 'severity' }} name="alerts" title="All alerts" />
    </ServicesContext>,
  );
}

const choose = (format: string) =>
  fireEvent.click(screen.getByRole('button', { name: `Export as ${format}` }));

it('saves the rows of the list, as a CSV that spreadsheets read as UTF-8', async () => {
  renderMenu();
  choose('CSV');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(requests.map(({ url, headers }) => [url, headers.get('accept')])).toEqual([
    ['http://fleet.example/api/v1/alerts?sort=severity', 'text/csv'],
  ]);
  expect(saved[0]?.name).toMatch(/^alerts-\d{4}-\d\d-\d\d\.csv$/);
  expect([...new Uint8Array((await saved[0]?.blob.arrayBuffer()) as ArrayBuffer)].slice(0, 5)).toEqual([
    0xef, 0xbb, 0xbf, 0x69, 0x64,
  ]);
});

it('saves NDJSON as it is', async () => {
  respond = () => Promise.resolve(new Response('{"id":1}\n'));
  renderMenu();
  choose('NDJSON');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(/\.ndjson$/);
  expect(await saved[0]?.blob.text()).toBe('{"id":1}\n');
});

it('shows why an export was rejected, and offers it again', async () => {
  respond = () =>
    Promise.resolve(
      Response.json({ error: 'too_many_requests', message: 'Another export is running.' }, { status: 429 }),
    );
  renderMenu();
  choose('CSV');
  expect((await screen.findByRole('alert')).textContent).toBe('Another export is running.');
  expect(screen.getByRole('button', { name: 'Export as CSV' })).toBeTruthy();
  expect(saved).toEqual([]);
});

it('saves nothing of an export that is cut off', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  respond = () => Promise.resolve(new Response(broken));
  renderMenu();
  choose('CSV');
  expect((await screen.findByRole('alert')).textContent).toMatch(/nothing was saved/);
  expect(saved).toEqual([]);
});

it('can be canceled', async () => {
  respond = () => new Promise(() => undefined);
  renderMenu();
  choose('CSV');
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the export' }));
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(await screen.findByRole('button', { name: 'Export as CSV' })).toBeTruthy();
  expect(saved).toEqual([]);
});
