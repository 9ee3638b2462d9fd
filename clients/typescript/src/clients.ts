import { type Call, callsOf, type Calls, type ClientOptions } from './calls.ts';
import type { ExportCall } from './exports.ts';
import { readAccountError, readFleetError, readWebsiteError } from './errors.ts';
import type { paths as AccountPaths } from './generated/account.ts';
import type { paths as FleetPaths } from './generated/fleet.ts';
import type { paths as WebsitePaths } from './generated/website.ts';
import type { CookieSession } from './sessions.ts';

/** The fleet data API: alerts, GPUs, metrics. Throws `FleetError`. */
export interface FleetClient {
  get: Call<FleetPaths, 'get'>;
  export: ExportCall<FleetPaths>;
}

/** The account service: sign-in, sessions, workspaces, API keys. Throws `AccountError`. */
export type AccountClient = Omit<Calls<AccountPaths>, 'export'>;

/** The account service in cookie mode, where new tokens arrive as cookies and the response has no body. */
export type CookieAccountClient = Omit<
  Calls<AccountPaths, '/api/v1/auth/token' | '/api/v1/auth/refresh'>,
  'export'
>;

/** The website's content and contact requests. Throws `WebsiteError`. */
export type WebsiteClient = Pick<Calls<WebsitePaths>, 'get' | 'post'>;

export function createFleetClient(options: ClientOptions): FleetClient {
  return callsOf<FleetPaths>(options, readFleetError);
}

export function createAccountClient(options: ClientOptions & { session: CookieSession }): CookieAccountClient;
export function createAccountClient(options: ClientOptions): AccountClient;
export function createAccountClient(options: ClientOptions): AccountClient | CookieAccountClient {
  return callsOf<AccountPaths>(options, readAccountError);
}

export function createWebsiteClient(options: ClientOptions): WebsiteClient {
  return callsOf<WebsitePaths>(options, readWebsiteError);
}
