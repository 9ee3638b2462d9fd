import type { ConsoleBrowser } from './console-browser.ts';
import { eventually, fetchBody } from './console-browser.ts';

interface Incident {
  code: number;
  hostname: string;
  first_at: string;
}

const DAY_MS = 86_400_000;

/** Compares the XIDs by code, host and day with the API. */
export function describeXids(browser: ConsoleBrowser): void {
  /** The incidents of the window of the view, which begins at a whole hour. */
  const incidentsOf = async (days: number) => {
    const fromMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * DAY_MS;
    const from = new Date(fromMs).toISOString();
    return (
      await browser.api<{ incidents: Incident[] }>(
        `fleet/xid-incidents?page_size=1000&from=${encodeURIComponent(from)}`,
      )
    ).incidents;
  };
  const countBy = (incidents: Incident[], keyOf: (incident: Incident) => string) =>
    Object.fromEntries(
      [...Map.groupBy(incidents, keyOf)].map(([key, group]) => [key, group.length]).sort(),
    ) as Record<string, number>;

  describe('XIDs', () => {
    it('are counted by code, host and day', async () => {
      const page = await browser.open('/xids?window=30d');
      const region = page.getByRole('region', { name: 'Hosts by day' });
      await region.waitFor();
      await eventually(async () => {
        const incidents = await incidentsOf(30);
        expect(incidents.length).toBeGreaterThan(0);
        const labels = page.locator('fieldset label');
        const codes: Record<string, number> = {};
        for (const text of await labels.allInnerTexts()) {
          const [code, count] = [/^\s*(\d+)/.exec(text)?.[1], /(\d+)\s*$/.exec(text)?.[1]];
          codes[code!] = Number(count);
        }
        expect(codes).toEqual(countBy(incidents, ({ code }) => String(code)));
        const rows = region.locator('tbody tr');
        const sums: Record<string, number> = {};
        for (const row of (await rows.all()).slice(1)) {
          const host = await row.getByRole('link').innerText();
          sums[host] = Number(await row.locator('td').nth(1).innerText());
          // The cells of the days add up to the sum.
          const cells = await row.locator('td').allInnerTexts();
          expect(cells.slice(2).reduce((sum, cell) => sum + Number(cell), 0)).toBe(sums[host]);
        }
        expect(Object.entries(sums).sort()).toEqual(
          Object.entries(countBy(incidents, ({ hostname }) => hostname)),
        );
      });
    });

    it('lead from a day of a host to its incidents', async () => {
      const [newest] = await incidentsOf(30);
      const { hostname } = newest!;
      const day = newest!.first_at.slice(0, 10);
      const page = await browser.open('/xids?window=30d');
      await page.getByRole('button', { name: `${hostname} on ${day}: ` }).click();
      await page.waitForURL(`**/xids?window=30d&host=${hostname}&day=${day}`);
      const list = page
        .locator('section', { has: page.getByRole('heading', { name: 'Incidents' }) })
        .locator('li');
      await eventually(async () => {
        const expected = (await incidentsOf(30)).filter(
          (incident) => incident.hostname === hostname && incident.first_at.startsWith(day),
        );
        const shown = await list.locator('strong').allInnerTexts();
        expect(shown.map((text) => Number(/XID (\d+)/.exec(text)![1]))).toEqual(
          expected.map(({ code }) => code),
        );
      });
      await page.getByRole('button', { name: `Remove the filter Host ${hostname}` }).click();
      await page.waitForURL(`**/xids?window=30d&day=${day}`);
      await page.getByRole('button', { name: 'Clear filters' }).first().click();
      await page.waitForURL('**/xids?window=30d');
    });

    it('name the host when several of its GPUs had the same fault', async () => {
      const page = await browser.open('/keys');
      await page.context().route('**/api/v1/xid-incidents?**', async (route) => {
        const response = await fetchBody(route);
        const body = (await response.json()) as { incidents?: object[] };
        const incidents = [1, 2, 3].map((n) => ({
          code: 79,
          name: 'GPU has fallen off the bus',
          severity: 'critical',
          action: 'restart host',
          gpu_id: `GPU-${n}`,
          hostname: 'rack-1',
          workspace_id: 1,
          alert_id: null,
          first_at: new Date(Date.now() - n * 60_000).toISOString(),
          last_at: new Date(Date.now() - n * 60_000).toISOString(),
          count: 1,
          message: '',
          workloads: [],
        }));
        await route.fulfill({ response, json: body.incidents ? { incidents } : body });
      });
      await page.goto(new URL('/xids', page.url()).href);
      const repeated = page.getByRole('region', { name: 'The same fault on several GPUs of a host' });
      await repeated.getByText('rack-1: 3 different GPUs with XID 79').waitFor();
      await repeated.getByRole('link', { name: 'Show them' }).click();
      await page.waitForURL('**/xids?code=79&host=rack-1');
      await page.context().unrouteAll({ behavior: 'ignoreErrors' });
    });
  });
}
