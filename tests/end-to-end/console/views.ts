import type { Page } from 'playwright-core';
import { type ConsoleBrowser, eventually } from './console-browser.ts';

interface Gpu {
  gpu_id: string;
  hostname: string;
  health: string;
  utilization_pct: number | null;
}

interface Alert {
  id: string;
  title: string;
  hostname: string;
}

interface Count {
  value: string;
  count: number;
}

const digits = (value: number) => value.toLocaleString('en-US');
const numberIn = (text: string) => Number(text.replaceAll(/[^\d]/g, ''));
const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

/** Compares the numbers on the screen with those of the APIs. The live feed changes both. */
export function describeViews(browser: ConsoleBrowser): void {
  const gpusOfApi = async () => (await browser.api<{ gpus: Gpu[] }>('fleet/gpus?view=basic')).gpus;
  const summaryOfApi = async (query = '') =>
    (await browser.api<{ summary: Record<string, Count[]> }>(`fleet/alerts:summary${query}`)).summary;
  /** Returns the first of the most severe alerts that has events, and their number. Not all alerts of the feed have some. */
  const alertWithEvents = async () => {
    const { alerts } = await browser.api<{ alerts: Alert[] }>('fleet/alerts?page_size=50&sort=severity');
    for (const alert of alerts) {
      const timeline = await browser.api<{ timeline_events: object[] }>(`fleet/alerts/${alert.id}/timeline`);
      const events = timeline.timeline_events.length;
      if (events > 0) return { ...alert, events };
    }
    throw new Error('none of the 50 most severe alerts has events');
  };

  describe('views', () => {
    it('the overview counts GPUs by health and links to them', async () => {
      const page = await browser.open('/');
      const counts = page.locator('header dl > div');
      await counts.first().waitFor();
      await eventually(async () => {
        const gpus = await gpusOfApi();
        const known = gpus.flatMap(({ utilization_pct: percent }) => percent ?? []);
        expect(await page.getByRole('link', { name: /GPUs idle$/ }).innerText()).toBe(
          `${known.filter((percent) => percent < 5).length} of ${known.length} GPUs idle`,
        );
        const expected = ['critical', 'degraded', 'missing', 'healthy'].map((health) => [
          health,
          digits(gpus.filter((gpu) => gpu.health === health).length),
        ]);
        const shown = await counts.allInnerTexts();
        expect(shown.map((text) => text.trim().split(/\s+/))).toEqual([
          ['GPUs', digits(gpus.length)],
          ...expected,
        ]);
      });
      await counts.last().getByRole('link').click();
      await page.waitForURL('**/gpus?health=healthy');
    });

    it('the overview counts the alerts of the last 72 hours', async () => {
      const page = await browser.open('/');
      const link = page.getByRole('link', { name: /^[\d,]+ alerts$/ }).first();
      await link.waitFor();
      await eventually(async () => {
        const from = new URL((await link.getAttribute('href'))!, 'http://localhost').searchParams.get(
          'from',
        )!;
        const { total_size } = await browser.api<{ total_size: number }>(
          `fleet/alerts?page_size=1&from=${encodeURIComponent(from)}`,
        );
        expect(await link.innerText()).toBe(`${digits(total_size)} alerts`);
      });
    });

    it('the alerts have a total and facets with counts', async () => {
      const page = await browser.open('/alerts');
      await facetOf(page, 'Severity').waitFor();
      await eventually(async () => {
        await page.reload();
        await facetOf(page, 'Severity').waitFor();
        const summary = await summaryOfApi();
        expect(await page.getByText(/^[\d,]+ alerts$/).innerText()).toBe(
          `${digits(sum(summary['severity']!))} alerts`,
        );
        for (const facet of ['severity', 'type', 'state']) {
          const counts = await facetOf(page, facet).locator('label > :nth-child(3)').allInnerTexts();
          expect(counts.map(numberIn)).toEqual(summary[facet]!.map(({ count }) => count));
        }
      });
    });

    it('a facet filters the alerts, and its own counts ignore the selection', async () => {
      const page = await browser.open('/alerts');
      await facetOf(page, 'Severity')
        .getByRole('checkbox', { name: /^critical/ })
        .check();
      await page.waitForURL('**/alerts?severity=critical');
      await eventually(async () => {
        const summary = await summaryOfApi('?filter[severity][equals]=critical');
        const critical = summary['severity']!.find(({ value }) => value === 'critical')!;
        expect(await page.getByText(/^[\d,]+ alerts$/).innerText()).toBe(`${digits(critical.count)} alerts`);
        const marks = await page.locator('[role=row] [data-kind^=severity]').allInnerTexts();
        expect(new Set(marks.map((mark) => mark.trim()))).toEqual(new Set(['critical']));
      });
      expect(await facetOf(page, 'Severity').locator('label').count()).toBeGreaterThan(1);
    });

    it('an alert shows its title, its events and its host', async () => {
      const { id, title, hostname, events } = await alertWithEvents();
      const page = await browser.open(`/alerts?sort=severity&alert=${id}`);
      await page.getByLabel('Alert', { exact: true }).getByRole('heading', { name: title }).waitFor();
      // The last entry of the timeline is the alert itself.
      await page.getByText('This alert was raised.').waitFor();
      expect(await page.locator('aside ol').last().locator('> li').count()).toBe(events + 1);
      await page.getByRole('link', { name: 'Open as a page' }).click();
      await page.waitForURL(`**/alerts/${id}?sort=severity`);
      await page.getByText(hostname, { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'All alerts' }).click();
      await page.waitForURL('**/alerts?sort=severity');
    });

    it('the GPUs are counted in total and by facet', async () => {
      const page = await browser.open('/gpus?view=table');
      await facetOf(page, 'Health').waitFor();
      await eventually(async () => {
        const gpus = await gpusOfApi();
        expect(await page.getByText(/^[\d,]+ GPUs$/).innerText()).toBe(`${digits(gpus.length)} GPUs`);
        const counts = await facetOf(page, 'Health').locator('label').allInnerTexts();
        const expected = Map.groupBy(gpus, ({ health }) => health);
        expect(Object.fromEntries(counts.map((text) => text.trim().split(/\s+/)))).toEqual(
          Object.fromEntries([...expected].map(([health, group]) => [health, digits(group.length)])),
        );
      });
      const { hostname } = (await gpusOfApi())[0]!;
      await page.getByRole('searchbox').fill(hostname);
      const matching = (await gpusOfApi()).filter((gpu) => gpu.hostname.includes(hostname));
      await page.getByText(`${matching.length} of `, { exact: false }).waitFor();
    });

    it('a GPU shows its health and its alerts', async () => {
      const gpu = (await gpusOfApi())[0]!;
      const { gpu: detail } = await browser.api<{
        gpu: { security_diagnostics: { alerts_24h: number; recent_xid_errors: object[] } };
      }>(`fleet/gpus/${encodeURIComponent(gpu.gpu_id)}`);
      const page = await browser.open(`/gpus/${encodeURIComponent(gpu.gpu_id)}`);
      await page.getByLabel('Health', { exact: true }).getByText(gpu.health).first().waitFor();
      await page.getByText(`${digits(detail.security_diagnostics.alerts_24h)} in all`).waitFor();
      await page.getByRole('link', { name: 'Alerts of this host' }).click();
      await page.waitForURL(`**/alerts?hostname=${gpu.hostname}&hostname_operator=equals`);
      expect(await page.getByLabel('Operator of Host').inputValue()).toBe('equals');
      await eventually(async () => {
        await page.reload();
        const { total_size } = await browser.api<{ total_size: number }>(
          `fleet/alerts?page_size=1&filter[hostname][equals]=${gpu.hostname}`,
        );
        const noun = total_size === 1 ? 'alert' : 'alerts';
        await page.getByText(/^[\d,]+ alerts?$/).waitFor();
        expect(await page.getByText(/^[\d,]+ alerts?$/).innerText()).toBe(`${digits(total_size)} ${noun}`);
      });
    });

    it('the metrics show means, charts and the number of assets', async () => {
      const page = await browser.open('/metrics?window=30d');
      const to = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
      const from = new Date(to.getTime() - 30 * 86_400_000);
      const { metrics } = await browser.api<{
        metrics: { metrics_summary: { avg_gpu_utilization: number }; asset_coverage: { count: number }[] };
      }>(`fleet/metrics?from=${from.toISOString()}&to=${to.toISOString()}`);
      await page.locator('h3').first().waitFor();
      const { avg_gpu_utilization: utilization } = metrics.metrics_summary;
      await page
        .getByText(`${utilization.toLocaleString('en-US', { maximumFractionDigits: 1 })} %`)
        .first()
        .waitFor();
      const charts = page.locator('.uplot');
      const assets = page.locator('section', { has: page.getByRole('heading', { name: 'Assets' }) });
      await eventually(async () => {
        expect(await charts.count()).toBeGreaterThan(10);
        expect((await assets.locator('strong').allInnerTexts()).map(numberIn)).toEqual(
          metrics.asset_coverage.map(({ count }) => count),
        );
      });
    });
  });
}

function facetOf(page: Page, title: string) {
  return page.locator('fieldset', {
    has: page.locator('legend', { hasText: new RegExp(`^${title}$`, 'i') }),
  });
}
