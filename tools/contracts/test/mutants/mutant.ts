import type { HttpRequest, HttpResponse } from '../../src/deployment/http-exchange.ts';

/** A service that differs from the one behind `send` in the requests that it serves differently. */
export type Mutant = (
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpResponse>,
) => Promise<HttpResponse>;

/** A service that issues other access tokens. */
export interface TokenMutant {
  token(token: string): string;
}

/** Mutants of one rule by their fault, as the end of "fails if the service …". */
export type MutantsOfRule = Record<string, Mutant | TokenMutant>;

type Change<Value> = (value: Value, request: HttpRequest) => unknown;

/** Changes responses to requests whose method and path match, such as `GET /api/v1/gpus?view=basic`. */
export function changeResponse(matching: RegExp, change: Change<HttpResponse>): Mutant {
  return async (request, send) => {
    const response = await send(request);
    if (!matching.test(`${request.method} ${request.path}`)) return response;
    const changed = { ...response, headers: { ...response.headers } };
    change(changed, request);
    return changed;
  };
}

/** Changes JSON bodies of successful responses. A body that is returned replaces the changed one. */
export function changeBody<Body>(matching: RegExp, change: Change<Body>): Mutant {
  return changeResponse(matching, (response, request) => {
    if (response.status >= 300 || response.text === '') return;
    const body = JSON.parse(response.text) as Body;
    const replacement = change(body, request);
    response.text = JSON.stringify(
      typeof replacement === 'object' && replacement !== null ? replacement : body,
    );
  });
}

/** Applies several mutants. */
export const combine = (...mutants: Mutant[]): Mutant =>
  mutants.reduce((one, other) => (request, send) => one(request, (sent) => other(sent, send)));

export function setHeader(matching: RegExp, name: string, value: string | undefined): Mutant {
  return changeResponse(matching, ({ headers }) => {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  });
}

export function setStatus(matching: RegExp, status: number): Mutant {
  return changeResponse(matching, (response) => {
    response.status = status;
  });
}

/** Serves requests whose method and path match like another request. */
export function redirect(matching: RegExp, change: (request: HttpRequest) => Partial<HttpRequest>): Mutant {
  return (request, send) =>
    send(
      matching.test(`${request.method} ${request.path}`) ? { ...request, ...change(request) } : request,
    ).then((response) => ({ ...response, request }));
}

/** Serves requests as if the matching part of their path were absent or another text. */
export const rewritePath = (part: RegExp, replacement = ''): Mutant =>
  redirect(part, ({ path }) => ({
    path: path.replace(part, replacement).replace(/\?&/, '?').replace(/[?&]$/, ''),
  }));

/** Serves requests as if they had no such header. */
export const ignoreHeader = (matching: RegExp, name: string): Mutant =>
  redirect(matching, ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
  }));
