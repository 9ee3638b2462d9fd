import { setTimeout as sleep } from 'node:timers/promises';
import type { Access, AlertListItem } from '@gpu-observatory/domain-types';
import { bodyOf } from './responses.ts';
import type { FleetService } from './fleet-service.ts';

export interface AlertPage {
  alerts: AlertListItem[];
  next_page_token?: string;
  total_size: number | null;
}

export const EVERYTHING_OF_CUSTOMER_1: Access = [{ customer_id: 1, workspace_ids: 'all' }];

/**
 * Requests one page of `GET /alerts/`, with parameters of a search of `GET /alerts:search`, and validates its schema.
 *
 * @param onUnavailable called before each retry of a 502; without it a 502 fails the test
 */
export async function getPage(
  fleet: FleetService,
  query: Record<string, string | number | undefined> = {},
  access: Access = EVERYTHING_OF_CUSTOMER_1,
  onUnavailable?: () => void,
): Promise<AlertPage> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(parameters as [string, string][]).toString();
  const isSearch = ['q', 'filter[hostname][notIn]', 'filter[title][notIn]'].some((name) => name in query);
  const [list, operation] = isSearch ? ['alerts:search', 'searchAlerts'] : ['alerts/', 'listAlerts'];
  const path = `/api/v1/${list}${text && `?${text}`}`;
  let response = await fleet.get(path, access);
  for (let attempt = 1; onUnavailable && response.status === 502 && attempt < 10; attempt++) {
    onUnavailable();
    await sleep(500);
    response = await fleet.get(path, access);
  }
  return bodyOf<AlertPage>(response, operation);
}

/** Requests all pages in sequence. */
export async function paginate(
  fleet: FleetService,
  sizes: number[],
  {
    access = EVERYTHING_OF_CUSTOMER_1,
    between = async () => undefined,
    query = {},
    onUnavailable,
  }: {
    access?: Access;
    between?: () => Promise<unknown>;
    query?: Record<string, string>;
    onUnavailable?: () => void;
  } = {},
): Promise<AlertPage[]> {
  const pages: AlertPage[] = [];
  for (let token: string | undefined; pages.length === 0 || token !== undefined;) {
    if (pages.length > 0) await between();
    const page = await getPage(
      fleet,
      { ...query, page_size: sizes[pages.length % sizes.length], page_token: token },
      access,
      onUnavailable,
    );
    pages.push(page);
    token = page.next_page_token;
  }
  return pages;
}
