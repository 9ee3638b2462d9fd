import type { FleetClient } from './clients.ts';
import type { components, operations } from './generated/fleet.ts';

export type Alert = components['schemas']['AlertModel'];
/** Filters, window, scope and sort of the list. `page_size` is the number of alerts per request. */
export type AlertQuery = Omit<NonNullable<operations['listAlerts']['parameters']['query']>, 'page_token'>;

/**
 * Yields every alert that matches a query, each once, and requests a page only when it is needed. All pages show the
 * data as of the first one. The page token expires after 24 hours.
 *
 * @throws {FleetError} `invalid_cursor` when the page token has expired
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
