import { type ConsoleBrowser, eventually } from './console-browser.ts';

interface Usage {
  gpu_count: number;
  busy_gpu_hours: number;
  idle_gpu_hours: number;
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Compares the usage of the fleet with the API. */
export function describeUsage(browser: ConsoleBrowser): void {
  /** Start of the window of the view, which is a whole hour. */
  const from = () =>
    encodeURIComponent(new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - WEEK_MS).toISOString());
  const hours = (value: number) => {
    const digits =
      value < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: value < 10 ? 1 : 0 };
    return `${value.toLocaleString('en-US', digits)} h`;
  };

  describe('usage', () => {
    it('has the hours of all GPUs and of each workspace, the most idle first', async () => {
      const page = await browser.open('/usage');
      const rows = page.getByRole('region', { name: 'Who uses the GPUs' }).locator('tbody tr');
      await rows.first().waitFor();
      const { workspaces } = await browser.api<{ workspaces: { id: number; name: string }[] }>(
        'account/workspaces',
      );
      await eventually(async () => {
        const { groups, total } = await browser.api<{
          groups: (Usage & { workspace_id: number })[];
          total: Usage;
        }>(`fleet/fleet-usage?group_by=workspace&from=${from()}`);
        const sums = page.getByLabel('Sums of all GPUs');
        expect(await sums.locator('dd').first().innerText()).toBe(hours(total.busy_gpu_hours));
        const expected = groups.map(({ workspace_id, gpu_count, busy_gpu_hours, idle_gpu_hours }) => [
          workspaces.find(({ id }) => id === workspace_id)!.name,
          String(gpu_count),
          hours(busy_gpu_hours),
          hours(idle_gpu_hours),
        ]);
        const shown = [];
        for (const row of await rows.all()) {
          const cells = await row.locator('th, td').allInnerTexts();
          shown.push([0, 1, 4, 5].map((n) => cells[n]!.split('\n')[0]!.trim()));
        }
        expect(shown).toEqual(expected);
      });
      await page.getByRole('button', { name: 'Hosts', exact: true }).click();
      await page.waitForURL('**/usage?by=host');
      // The table keeps the workspaces until the hosts have arrived.
      await rows.locator('a[href^="/hosts/"]').first().click();
      await page.waitForURL('**/hosts/*');
    });

    it('lists the GPUs that were idle for the window', async () => {
      const page = await browser.open('/usage');
      const panel = page.locator('section', {
        has: page.getByRole('heading', { name: 'GPUs idle for 7 days' }),
      });
      await panel.waitFor();
      await eventually(async () => {
        const { gpus } = await browser.api<{ gpus: { hostname: string }[] }>(
          `fleet/gpu-status?idle=true&sort=idle&page_size=1000&from=${from()}`,
        );
        await panel
          .getByText(`${gpus.length} GPUs with a mean utilization below 5 %`)
          .waitFor({ timeout: 2_000 });
        const hosts = panel.locator('tbody th');
        expect(await hosts.allInnerTexts()).toEqual(gpus.slice(0, 25).map(({ hostname }) => hostname));
      });
    });
  });
}
