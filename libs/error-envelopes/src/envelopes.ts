import { accountErrors, fleetErrors, websiteErrors } from './error-catalog.ts';
import type { ErrorKind } from './domain-error.ts';

/** How one service writes its failures. */
export interface ErrorEnvelope {
  readonly contentType: string;
  body(kind: ErrorKind, message: string): object;
  /** The kind for a request that the framework itself refuses with this 4xx status (a body that is not JSON, say). */
  rejected(status: number): ErrorKind;
  /** A backing service is away. */
  readonly unavailable: ErrorKind;
  /** Anything nobody foresaw. */
  readonly unexpected: ErrorKind;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `{error, message}` (contract 7.1). Whatever the framework refuses was a bad query: the API has no bodies. */
export const fleetEnvelope: ErrorEnvelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ error: kind.code, message }),
  rejected: () => fleetErrors.invalidQuery,
  unavailable: fleetErrors.upstreamError,
  unexpected: fleetErrors.internalServerError,
};

/** `{title, detail}` (contract 7.2). */
export const accountEnvelope: ErrorEnvelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ title: kind.code, detail: message }),
  rejected: (status) => ofStatus(accountErrors, status, accountErrors.invalidRequest),
  unavailable: accountErrors.serviceUnavailable,
  unexpected: accountErrors.internalServerError,
};

/** RFC 9457 problem details; `about:blank` says that the title is the status' own phrase (section 4.2.1 there). */
export const problemEnvelope: ErrorEnvelope = {
  contentType: 'application/problem+json; charset=utf-8',
  body: (kind, message) => ({ type: 'about:blank', title: kind.code, status: kind.status, detail: message }),
  rejected: (status) => ofStatus(websiteErrors, status, websiteErrors.badRequest),
  unavailable: websiteErrors.serviceUnavailable,
  unexpected: websiteErrors.internalServerError,
};

/** The generic kind of a status: a catalogue may hold several of one status, the generic ones name the status' phrase. */
function ofStatus(catalogue: Record<string, ErrorKind>, status: number, otherwise: ErrorKind): ErrorKind {
  const generic = [413, 415, 429].includes(status)
    ? Object.values(catalogue).find((kind) => kind.status === status)
    : undefined;
  return generic ?? otherwise;
}
