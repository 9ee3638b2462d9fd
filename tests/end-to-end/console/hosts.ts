import { type ConsoleBrowser, eventually } from './console-browser.ts';

interface Reason {
  evidence: string;
}

interface Host {
  hostname: string;
  health: string;
  reason: (Reason & { gpu_id: string }) | null;
  gpu_count: number;
}

interface HostGpu {
  gpu_id: string;
  pcie_address: string;
  health: string;
  reasons: Reason[];
}

/** Compares the list of hosts and the page of a host with the API. */
export function describeHosts(browser: ConsoleBrowser): void {
  const hostsOf = async (query = '') => (await browser.api<{ hosts: Host[] }>(`fleet/hosts${query}`)).hosts;
  const slotOf = (address: string) => address.replace(/^[0-9A-F]+:/i, '');

  describe('hosts', () => {
    it('lists the hosts in the order of the API, filters them by health and opens one by its row', async () => {
      const page = await browser.open('/hosts');
      const names = page.locator('[role=row] a bdi');
      await names.first().waitFor();
      await eventually(async () => {
        const hosts = await hostsOf();
        expect(await names.allInnerTexts()).toEqual(hosts.map(({ hostname }) => hostname));
      });
      const { health } = (await hostsOf('?page_size=1'))[0]!;
      await page.getByRole('checkbox', { name: health }).check();
      await page.waitForURL(`**/hosts?health=${health}`);
      await eventually(async () => {
        const selected = await hostsOf(`?health=${health}`);
        expect(await names.allInnerTexts()).toEqual(selected.map(({ hostname }) => hostname));
      });
      await page.getByLabel('Order').selectOption('name');
      await page.waitForURL(`**/hosts?health=${health}&sort=name`);
      await names.first().waitFor();
      await page.keyboard.press('j');
      const first = await page.locator('[role=row][data-cursor=true] a bdi').innerText();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/hosts/${first}?health=${health}&sort=name`);
      await page.getByRole('heading', { level: 1, name: first }).waitFor();
      await page.getByRole('link', { name: 'All hosts' }).click();
      await page.waitForURL(`**/hosts?health=${health}&sort=name`);
    });

    it('shows the GPUs of the worst host side by side, with each reason and what to do', async () => {
      const [worst] = await hostsOf('?page_size=1');
      const page = await browser.open(`/hosts/${worst!.hostname}`);
      await page.getByRole('heading', { level: 1, name: worst!.hostname }).waitFor();
      await eventually(async () => {
        const { host } = await browser.api<{ host: { gpus: HostGpu[] } }>(`fleet/hosts/${worst!.hostname}`);
        const columns = page.getByRole('region', { name: 'GPUs side by side' }).locator('thead a');
        expect(await columns.allInnerTexts()).toEqual(
          host.gpus.map(({ pcie_address }) => slotOf(pcie_address)),
        );
        const faults = page.getByLabel('Health', { exact: true }).locator('li');
        const reasons = host.gpus.flatMap((gpu) => gpu.reasons);
        expect((await faults.count()) > 0).toBe(reasons.length > 0);
        for (const fault of await faults.allInnerTexts()) expect(fault).toContain('What to do:');
      });
    });

    it.each([
      ['overview', '/'],
      ['GPU', '/gpus/'],
    ])('are linked from the %s', async (_name, path) => {
      const { gpus } = await browser.api<{ gpus: { gpu_id: string; hostname: string }[] }>(
        'fleet/gpu-status?page_size=1',
      );
      const { gpu_id, hostname } = gpus[0]!;
      const page = await browser.open(path === '/' ? path : path + encodeURIComponent(gpu_id));
      await page.getByRole('main').getByRole('link', { name: hostname, exact: true }).first().click();
      await page.waitForURL(`**/hosts/${hostname}*`);
      await page.getByRole('heading', { level: 1, name: hostname }).waitFor();
    });

    it('explains an unknown host and leads back to the list', async () => {
      const page = await browser.open('/hosts/nowhere');
      await page.getByRole('heading', { name: 'Not found.' }).waitFor();
      await page.getByRole('link', { name: 'Go to the list' }).click();
      await page.getByRole('heading', { name: 'Hosts', exact: true }).waitFor();
    });

    it('requests the evidence of all unhealthy GPUs of the overview at once', async () => {
      const page = await browser.open('/keys');
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.goto(new URL('/', page.url()).href);
      const rows = page
        .locator('section', { has: page.getByRole('heading', { name: 'GPUs that need a person now' }) })
        .locator('li');
      await eventually(async () => {
        const { gpus } = await browser.api<{ gpus: { hostname: string }[] }>(
          'fleet/gpu-status?health=critical,missing,degraded',
        );
        expect((await rows.count()) > 0).toBe(gpus.length > 0);
        const hosts = new Set(gpus.map(({ hostname }) => hostname));
        for (const row of await rows.getByRole('link').first().allInnerTexts()) expect(hosts).toContain(row);
      });
      expect(paths.filter((path) => path.startsWith('/api/v1/gpus/'))).toEqual([]);
    });
  });
}
