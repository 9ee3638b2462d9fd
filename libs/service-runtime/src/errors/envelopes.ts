import { accountErrors, fleetErrors, websiteErrors } from './error-catalog.ts';
import type { ErrorKind } from './domain-error.ts';

/** The format of one service's error responses. */
export interface ErrorEnvelope {
  readonly contentType: string;
  body(kind: ErrorKind, message: string): object;
  /** Returns the kind of a request that the framework rejected with this 4xx status, such as a body of invalid JSON. */
  kindForStatus(status: number): ErrorKind;
  /** A path or method that does not exist; without it, the response is the framework's default body. */
  readonly unknownPath?: ErrorKind;
  /** A backing service is unavailable. */
  readonly unavailable: ErrorKind;
  /** Any error without a kind. */
  readonly unexpected: ErrorKind;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `{error, message}` of fleet-api. The API takes no bodies, so a malformed request is an invalid query. */
export const fleetEnvelope: ErrorEnvelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ error: kind.code, message }),
  kindForStatus: (status) => genericKind(fleetErrors, status) ?? fleetErrors.invalidQuery,
  unavailable: fleetErrors.upstreamError,
  unexpected: fleetErrors.internalServerError,
};

/** `{title, detail}` of account-service. */
export const accountEnvelope: ErrorEnvelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ title: kind.code, detail: message }),
  kindForStatus: (status) => genericKind(accountErrors, status) ?? accountErrors.invalidRequest,
  unknownPath: accountErrors.notFound,
  unavailable: accountErrors.serviceUnavailable,
  unexpected: accountErrors.internalServerError,
};

/** Problem details of website-api. The type `about:blank` means that the title is the status phrase (RFC 9457, section 4.2.1). */
export const problemEnvelope: ErrorEnvelope = {
  contentType: 'application/problem+json; charset=utf-8',
  body: (kind, message) => ({ type: 'about:blank', title: kind.code, status: kind.status, detail: message }),
  kindForStatus: (status) => genericKind(websiteErrors, status) ?? websiteErrors.badRequest,
  unavailable: websiteErrors.serviceUnavailable,
  unexpected: websiteErrors.internalServerError,
};

/** Statuses of rejections before a handler that have exactly one kind in a catalog. Several kinds share 400 and 401, for example. */
const GENERIC_STATUSES = [408, 413, 415, 417, 429, 431];

/** Returns the kind of such a status; undefined if the catalog has none. */
function genericKind(catalog: Record<string, ErrorKind>, status: number): ErrorKind | undefined {
  if (!GENERIC_STATUSES.includes(status)) return undefined;
  return Object.values(catalog).find((kind) => kind.status === status);
}
