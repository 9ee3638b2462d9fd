import { type Call, callsOf, type Calls, type ClientOptions } from './calls.ts';
import { accountFailure, fleetFailure, websiteFailure } from './failures.ts';
import type { paths as AccountPaths } from './generated/account.ts';
import type { paths as FleetPaths } from './generated/fleet.ts';
import type { paths as WebsitePaths } from './generated/website.ts';

/** The fleet data API: alerts, GPUs, metrics. Failures are `FleetError`s. */
export interface FleetClient {
  get: Call<FleetPaths, 'get'>;
}

/** The account service: sign-in, sessions, workspaces, API keys. Failures are `AccountError`s. */
export type AccountClient = Calls<AccountPaths>;

/** The website's content and contact requests. Failures are `WebsiteError`s. */
export type WebsiteClient = Pick<Calls<WebsitePaths>, 'get' | 'post'>;

export function createFleetClient(options: ClientOptions): FleetClient {
  return callsOf<FleetPaths>(options, fleetFailure);
}

export function createAccountClient(options: ClientOptions): AccountClient {
  return callsOf<AccountPaths>(options, accountFailure);
}

export function createWebsiteClient(options: ClientOptions): WebsiteClient {
  return callsOf<WebsitePaths>(options, websiteFailure);
}
