import type { Page } from 'playwright-core';
import { type ConsoleBrowser, eventually } from './console-browser.ts';

interface Alert {
  id: string;
  title: string;
  hostname: string | null;
}
interface AlertList {
  alerts: Alert[];
  total_size: number;
}
interface Group {
  hostname: string | null;
  severity: string;
  count: number;
}

const HOUR_MS = 3_600_000;
const digits = (value: number) => value.toLocaleString('en-US');
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Compares what an analyst does with a list of alerts with the numbers of the API. */
export function describeTriage(browser: ConsoleBrowser): void {
  // The live feed adds alerts after this time.
  const toMs = Date.now();
  const window = `from=${isoOf(toMs - 24 * HOUR_MS)}&to=${isoOf(toMs)}`;
  const listOf = (query: string) => browser.api<AlertList>(`fleet/alerts${query}`);
  const groupsOf = async (query: string) =>
    (await browser.api<{ groups: Group[] }>(`fleet/alerts:groups?${query}`)).groups;
  const hasTotal = async (page: Page, { total_size }: AlertList) => {
    const text = `${digits(total_size)} ${total_size === 1 ? 'alert' : 'alerts'}`;
    await page
      .getByRole('heading', { name: 'Alerts' })
      .locator('..')
      .getByText(text, { exact: true })
      .waitFor();
  };

  describe('triage of alerts', () => {
    it('keeps a relative window in the URL and requests its current times', async () => {
      const page = await browser.open('/alerts');
      const request = page.waitForRequest((each) => {
        const { pathname, searchParams } = new URL(each.url());
        return pathname.endsWith('/alerts') && searchParams.has('sort') && searchParams.has('from');
      });
      await page.getByRole('button', { name: '24 h', exact: true }).click();
      await page.waitForURL('**/alerts?window=24h');
      const { searchParams } = new URL((await request).url());
      const ageMs = Date.now() - Date.parse(searchParams.get('from')!);
      expect(searchParams.has('to')).toBe(false);
      expect(ageMs / HOUR_MS).toBeCloseTo(24, 0);
      await page.getByRole('button', { name: 'Exact…' }).click();
      await page.getByLabel('or last').fill('36h');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.waitForURL('**/alerts?window=36h');
      await page.getByRole('button', { name: '36 hours' }).waitFor();
    });

    it('compares a window with the period before', async () => {
      const before = `from=${isoOf(toMs - 36 * HOUR_MS)}&to=${isoOf(toMs - 24 * HOUR_MS)}`;
      const now = `from=${isoOf(toMs - 24 * HOUR_MS)}&to=${isoOf(toMs - 12 * HOUR_MS)}`;
      const page = await browser.open(`/alerts?${now}`);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.waitForURL('**compare=before');
      const [{ total_size: current }, { total_size: past }] = await Promise.all([
        listOf(`?page_size=1&${now}`),
        listOf(`?page_size=1&${before}`),
      ]);
      const text = page.locator('p', { hasText: 'in this period' });
      expect(await text.innerText()).toMatch(`${digits(current)} in this period, `);
      expect(await text.innerText()).toMatch(`from ${digits(past)} in the period before`);
    });

    it('excludes values of facets and of an alert', async () => {
      const page = await browser.open(`/alerts?${window}`);
      await page.getByRole('button', { name: 'not high', exact: true }).click();
      await page.waitForURL('**not_severity=high');
      await hasTotal(page, await listOf(`?page_size=1&${window}&filter[severity][notIn]=high`));
      const { alerts } = await listOf(`?${window}&filter[severity][notIn]=high`);
      const { id, hostname } = alerts.find((each) => each.hostname !== null)!;
      await page.goto(`${page.url()}&alert=${id}`);
      await page.getByRole('link', { name: 'not this host' }).click();
      await page.waitForURL(`**not_hostname=${hostname}`);
      const both = `${window}&filter[severity][notIn]=high&filter[hostname][notEquals]=${hostname}`;
      await hasTotal(page, await listOf(`?page_size=1&${both}`));
      await page.getByRole('button', { name: `Remove not host ${hostname}` }).click();
      await hasTotal(page, await listOf(`?page_size=1&${window}&filter[severity][notIn]=high`));
    });

    it('excludes several hosts at once', async () => {
      const page = await browser.open(`/alerts?${window}`);
      const hosts = (await groupsOf(`group_by=host&${window}`)).flatMap(({ hostname }) => hostname ?? []);
      const excluded = hosts.slice(0, 3);
      for (const host of excluded)
        await page
          .getByRole('button', { name: `not ${host}`, exact: true })
          .first()
          .click();
      await page.waitForURL(`**not_hostname=${excluded.join('%2C')}`);
      const query = `${window}&filter[hostname][notIn]=${excluded.join(',')}`;
      const rest = await browser.api<AlertList>(`fleet/alerts:search?page_size=1&${query}`);
      await hasTotal(page, rest);
      for (const host of excluded)
        await page.getByRole('button', { name: `Remove not host ${host}` }).waitFor();
      const facet = page.locator('fieldset', { has: page.getByText('State', { exact: true }) });
      await eventually(async () => {
        const counts = (await facet.locator('label').allInnerTexts()).map((text) =>
          Number(text.replaceAll(/\D/g, '')),
        );
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rest.total_size);
      });
    });

    it('searches title, description and host at once', async () => {
      const page = await browser.open(`/alerts?${window}`);
      await page.getByRole('searchbox').fill('GPU');
      await page.waitForURL('**q=GPU*');
      await hasTotal(page, await browser.api<AlertList>(`fleet/alerts:search?page_size=1&${window}&q=GPU`));
      const groups = await groupsOf(`group_by=severity&${window}&q=GPU`);
      const facet = page.locator('fieldset', { has: page.getByText('Severity', { exact: true }) });
      await eventually(async () => {
        const counts = (await facet.locator('label').allInnerTexts()).map((text) => text.trim().split(/\s+/));
        expect(Object.fromEntries(counts)).toEqual(
          Object.fromEntries(groups.map(({ severity, count }) => [severity, digits(count)])),
        );
      });
    });

    it('groups alerts by host and shows those of one', async () => {
      const page = await browser.open(`/alerts?${window}`);
      await page.getByLabel('Group by').selectOption('host');
      const [group] = (await groupsOf(`group_by=host&${window}`)).filter(({ hostname }) => hostname);
      const { hostname, count } = group!;
      const row = page.getByRole('row', { name: new RegExp(`^${hostname} ${digits(count)}\\b`) });
      await row.getByRole('link').click();
      await page.waitForURL(`**hostname=${hostname}&hostname_operator=equals`);
      await hasTotal(page, await listOf(`?page_size=1&${window}&filter[hostname][equals]=${hostname}`));
    });

    it('groups equal alerts', async () => {
      const page = await browser.open(`/alerts?${window}&group=equal`);
      const { alerts } = await listOf(`?${window}`);
      const sizes = [...Map.groupBy(alerts, ({ title, hostname }) => `${title} ${hostname}`).values()].map(
        ({ length }) => length,
      );
      const table = page.getByRole('region', { name: 'Groups of alerts' });
      await table.getByRole('row').nth(1).waitFor();
      const cells = await table.locator('tbody td:nth-child(2)').allInnerTexts();
      expect(cells.map((text) => Number(text)).slice(0, 5)).toEqual(sizes.sort((a, b) => b - a).slice(0, 5));
    });

    it('copies selected rows as CSV', async () => {
      const page = await browser.open(`/alerts?${window}`);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const boxes = page.getByRole('checkbox', { name: /^Select / });
      await boxes.nth(0).check();
      await boxes.nth(2).click({ modifiers: ['Shift'] });
      await page.getByRole('button', { name: 'Copy CSV' }).click();
      await page.getByText('Copied 3 alerts as CSV.').waitFor();
      const csv = await page.evaluate<string>('navigator.clipboard.readText()');
      const { alerts } = await listOf(`?page_size=3&${window}`);
      const ids = csv
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, 36));
      expect(ids).toEqual(alerts.map(({ id }) => id));
    });

    it('moves to the next and the previous alert on a page, and back to the list', async () => {
      const { alerts } = await listOf(`?page_size=3&${window}&sort=severity`);
      const [first, second] = alerts;
      const page = await browser.open(`/alerts/${first!.id}?${window}&sort=severity`);
      await page.getByRole('link', { name: 'Next', exact: true }).click();
      await page.waitForURL(`**/alerts/${second!.id}?*`);
      await page.getByRole('heading', { level: 1, name: second!.title }).waitFor();
      await page.keyboard.press('k');
      await page.waitForURL(`**/alerts/${first!.id}?*`);
      await page.keyboard.press('j');
      await page.waitForURL(`**/alerts/${second!.id}?*`);
    });

    it('saves a view in the browser, with its columns, and opens it again', async () => {
      const page = await browser.open('/alerts?severity=critical&window=7d');
      await page.locator('summary', { hasText: 'Columns' }).click();
      await page.getByLabel('Workspace', { exact: true }).check();
      await page.getByRole('columnheader', { name: 'Workspace' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('summary', { hasText: 'Views' }).click();
      await page.getByLabel('Name of the view').fill('Critical of the week');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const { search } = new URL(page.url());
      await page.goto(new URL('/alerts', page.url()).href);
      await page.locator('summary', { hasText: 'Views' }).click();
      await page.getByRole('link', { name: 'Critical of the week' }).click();
      await page.getByRole('columnheader', { name: 'Workspace' }).waitFor();
      const parametersOf = (text: string) => Object.fromEntries(new URLSearchParams(text));
      expect(parametersOf(new URL(page.url()).search)).toEqual(parametersOf(search));
    });

    it('shows the identifiers of an alert and what else mentions one of its values', async () => {
      const { alerts } = await listOf(`?${window}`);
      const pid = /pid \d{2,}/.exec(JSON.stringify(alerts))![0];
      const found = await browser.api<AlertList>(`fleet/alerts:search?q=${encodeURIComponent(pid)}`);
      const { id, hostname } = found.alerts[0]!;
      const page = await browser.open(`/alerts/${id}`);
      await page.getByText(id, { exact: true }).waitFor();
      await page.getByRole('link', { name: pid, exact: true }).first().click();
      await page.waitForURL(`**/alerts?q=${pid.replace(' ', '+')}*hostname=${hostname}*`);
      await page
        .locator('[role=row]', { has: page.locator('[role=cell] a') })
        .first()
        .waitFor();
    });
  });

  describe('time of other views', () => {
    it('the GPUs have the means of the chosen window', async () => {
      const page = await browser.open('/gpus?view=table&sort=host');
      const request = page.waitForRequest((each) => each.url().includes('view=basic&from='));
      await page.getByRole('button', { name: '7 d', exact: true }).click();
      await page.waitForURL('**window=7d');
      const from = new URL((await request).url()).searchParams.get('from')!;
      const { gpus } = await browser.api<{ gpus: { utilization_pct: number | null }[] }>(
        `fleet/gpus?view=basic&from=${from}`,
      );
      await page.getByText('Means and XID errors of 7 days.').waitFor();
      const idle = gpus.filter(({ utilization_pct: percent }) => percent !== null && percent < 5).length;
      const inUse = gpus.filter(({ utilization_pct: percent }) => percent !== null && percent >= 5).length;
      const load = page.locator('fieldset', { has: page.getByText('Load', { exact: true }) });
      const expected = { ...(idle > 0 && { idle: String(idle) }), 'in use': String(inUse) };
      await eventually(async () => {
        const counts = await load.locator('label').allInnerTexts();
        expect(counts.map((text) => text.trim().replaceAll(/\s+/g, ' '))).toEqual(
          expect.arrayContaining(Object.entries(expected).map((entry) => entry.join(' '))),
        );
      });
    });

    it('the metrics compare complete days with those before', async () => {
      const page = await browser.open('/metrics?window=1d&compare=before');
      const endMs = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
      const metricsOf = async (from: number, to: number) => {
        const query = `from=${isoOf(from)}&to=${isoOf(to)}`;
        const path = `fleet/metrics?${query}`;
        return browser.api<{ metrics: { alerts_by_severity: { label: string; value: number }[] } }>(path);
      };
      const [now, before] = await Promise.all([
        metricsOf(endMs - 24 * HOUR_MS, endMs),
        metricsOf(endMs - 48 * HOUR_MS, endMs - 24 * HOUR_MS),
      ]);
      const panel = page.locator('section', {
        has: page.getByRole('heading', { name: 'Alerts by severity' }),
      });
      await panel.locator('li').first().waitFor();
      const texts = (await panel.locator('li').allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, ' ').trim(),
      );
      for (const [n, { label, value }] of now.metrics.alerts_by_severity.entries()) {
        const past = before.metrics.alerts_by_severity[n]!.value;
        expect(texts[n]).toMatch(new RegExp(`^${label} ${digits(value)}, .* from ${digits(past)}$`));
      }
    });
  });
}
