import type { FleetClient } from './clients.ts';
import type { components, operations } from './generated/fleet.ts';

export type Alert = components['schemas']['AlertModel'];
/** Filters, window, scope and sort of the list; `page_size` says how many to fetch at a time. */
export type AlertQuery = Omit<NonNullable<operations['listAlerts']['parameters']['query']>, 'page_token'>;

/**
 * Every alert of a query, page by page as they are asked for, each once: a walk is a snapshot of its first page's
 * moment. It may take up to 24 hours, then it throws a `FleetError` of code `invalid_cursor`.
 */
export async function* everyAlert(
  fleet: FleetClient,
  query: AlertQuery = {},
): AsyncGenerator<Alert, void, undefined> {
  let pageToken: string | undefined;
  do {
    const page = await fleet.get('/api/v1/alerts', {
      params: { query: { ...query, ...(pageToken !== undefined && { page_token: pageToken }) } },
    });
    yield* page.alerts;
    pageToken = page.next_page_token;
  } while (pageToken !== undefined);
}
