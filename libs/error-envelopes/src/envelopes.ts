import { accountFailures, fleetFailures, websiteFailures } from './catalogue.ts';
import type { FailureKind } from './domain-error.ts';

/** How one service writes its failures. */
export interface Envelope {
  readonly contentType: string;
  body(kind: FailureKind, message: string): object;
  /** The kind for a request that the framework itself refuses with this 4xx status (a body that is not JSON, say). */
  refused(status: number): FailureKind;
  /** A backing service is away. */
  readonly away: FailureKind;
  /** Anything nobody foresaw. */
  readonly unexpected: FailureKind;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `{error, message}` (contract 7.1). Whatever the framework refuses was a bad query: the API has no bodies. */
export const fleetEnvelope: Envelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ error: kind.code, message }),
  refused: () => fleetFailures.invalidQuery,
  away: fleetFailures.upstreamError,
  unexpected: fleetFailures.internalServerError,
};

/** `{title, detail}` (contract 7.2). */
export const accountEnvelope: Envelope = {
  contentType: JSON_TYPE,
  body: (kind, message) => ({ title: kind.code, detail: message }),
  refused: (status) => ofStatus(accountFailures, status, accountFailures.invalidRequest),
  away: accountFailures.serviceUnavailable,
  unexpected: accountFailures.internalServerError,
};

/** RFC 9457 problem details; `about:blank` says that the title is the status' own phrase (section 4.2.1 there). */
export const problemEnvelope: Envelope = {
  contentType: 'application/problem+json; charset=utf-8',
  body: (kind, message) => ({ type: 'about:blank', title: kind.code, status: kind.status, detail: message }),
  refused: (status) => ofStatus(websiteFailures, status, websiteFailures.badRequest),
  away: websiteFailures.serviceUnavailable,
  unexpected: websiteFailures.internalServerError,
};

/** The generic kind of a status: a catalogue may hold several of one status, the generic ones name the status' phrase. */
function ofStatus(
  catalogue: Record<string, FailureKind>,
  status: number,
  otherwise: FailureKind,
): FailureKind {
  const generic = [413, 415, 429].includes(status)
    ? Object.values(catalogue).find((kind) => kind.status === status)
    : undefined;
  return generic ?? otherwise;
}
