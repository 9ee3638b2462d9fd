export { type Call, type ClientOptions } from './calls.ts';
export {
  type AccountClient,
  createAccountClient,
  createFleetClient,
  createWebsiteClient,
  type FleetClient,
  type WebsiteClient,
} from './clients.ts';
export { type Alert, type AlertQuery, everyAlert } from './every-alert.ts';
export {
  type AccountCode,
  AccountError,
  type FleetCode,
  FleetError,
  NotModified,
  ServiceError,
  type WebsiteCode,
  WebsiteError,
} from './failures.ts';
export type * as accountTypes from './generated/account.ts';
export type * as fleetTypes from './generated/fleet.ts';
export type * as websiteTypes from './generated/website.ts';
export {
  type BearerOptions,
  bearerSession,
  cookieSession,
  type Fetch,
  type Session,
  type SessionTokens,
} from './sessions.ts';
