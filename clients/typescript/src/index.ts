export { type RetryOptions } from './attempts.ts';
export {
  type Call,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  type DataWithResponse,
  type ResponseDetails,
} from './calls.ts';
export {
  type AccountClient,
  type CookieAccountClient,
  createAccountClient,
  createFleetClient,
  createWebsiteClient,
  type FleetClient,
  type WebsiteClient,
} from './clients.ts';
export { type Alert, type AlertQuery, everyAlert } from './every-alert.ts';
export { type ExportCall, type ExportOptions, type ExportPath, type ExportType } from './exports.ts';
export {
  type AccountCode,
  AccountError,
  ConnectionError,
  type FleetCode,
  FleetError,
  NotModified,
  ServiceError,
  type WebsiteCode,
  WebsiteError,
} from './errors.ts';
export type * as accountTypes from './generated/account.ts';
export type * as fleetTypes from './generated/fleet.ts';
export type * as websiteTypes from './generated/website.ts';
export { type MachineOptions, machineSession } from './machine-session.ts';
export {
  type BearerOptions,
  bearerSession,
  type CookieSession,
  cookieSession,
  type Fetch,
  type Session,
  type SessionEnd,
  type SessionTokens,
} from './sessions.ts';
export { type StartedSignIn, startSignIn } from './sign-in.ts';
