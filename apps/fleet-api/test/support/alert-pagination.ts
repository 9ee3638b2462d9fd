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
 * One page of `GET /alerts/`, in the shape of the document.
 *
 * @param onAway where a 502 is asked again, as clients do; without it a 502 is a failure
 */
export async function getPage(
  fleet: FleetService,
  query: Record<string, string | number | undefined> = {},
  access: Access = EVERYTHING_OF_CUSTOMER_1,
  onAway?: () => void,
): Promise<AlertPage> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(parameters as [string, string][]).toString();
  let answer = await fleet.get(`/api/v1/alerts/${text && `?${text}`}`, access);
  for (let asked = 1; onAway && answer.status === 502 && asked < 10; asked++) {
    onAway();
    await sleep(500);
    answer = await fleet.get(`/api/v1/alerts/${text && `?${text}`}`, access);
  }
  return bodyOf<AlertPage>(answer, 'listAlerts');
}

/** Every page from here on, one after the other. */
export async function walk(
  fleet: FleetService,
  sizes: number[],
  {
    access = EVERYTHING_OF_CUSTOMER_1,
    between = async () => undefined,
    query = {},
    onAway,
  }: {
    access?: Access;
    between?: () => Promise<unknown>;
    query?: Record<string, string>;
    onAway?: () => void;
  } = {},
): Promise<AlertPage[]> {
  const pages: AlertPage[] = [];
  for (let token: string | undefined; pages.length === 0 || token !== undefined;) {
    if (pages.length > 0) await between();
    const page = await getPage(
      fleet,
      { ...query, page_size: sizes[pages.length % sizes.length], page_token: token },
      access,
      onAway,
    );
    pages.push(page);
    token = page.next_page_token;
  }
  return pages;
}
