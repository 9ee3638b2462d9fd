import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { type RetryOptions, sendWithRetries } from './attempts.ts';
import { ConnectionError, NotModified, type ReadError, retryAfterSeconds } from './errors.ts';
import type { ExportCall, ExportOptions } from './exports.ts';
import type { Fetch, Session } from './sessions.ts';
import { ValidatedResponses } from './validated-responses.ts';

export interface ClientOptions {
  /** The service's address, such as `https://fleet.example.com`. */
  baseUrl: string;
  /** Adds the credential of a signed-in user. Without one, only public endpoints succeed. */
  session?: Session;
  /** Replaces the global `fetch`. A client with a session uses the session's. */
  fetch?: Fetch;
  /**
   * Caches the last response of each URL with its `ETag` and sends conditional requests. A 304 returns the cached data,
   * as the same object. `true` keeps 100 URLs.
   */
  conditional?: boolean | { maxEntries: number };
  /** Bounds of automatic retries; `false` turns them off. */
  retry?: RetryOptions | false;
  /** Time limit of one attempt, in ms. Default 30,000. */
  timeoutMs?: number;
}

/** The parts of a response that its body does not carry. */
export interface ResponseDetails {
  status: number;
  headers: Headers;
  etag: string | undefined;
  /** `X-Data-As-Of`: the time of the newest import that the data includes, RFC 3339. */
  dataAsOf: string | undefined;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
  /** Whether the data is that of an earlier response, confirmed by a 304. */
  notModified: boolean;
}

export interface DataWithResponse<Data> {
  data: Data;
  response: ResponseDetails;
}

/** The promise of a response body. */
export interface CallResult<Data> extends Promise<Data> {
  /** The body together with status and headers. */
  withResponse(): Promise<DataWithResponse<Data>>;
}

/** Options of one call, in place of the client's. */
export interface CallOptions extends Pick<ClientOptions, 'retry' | 'timeoutMs'> {
  /** `false` keeps the response out of the client's cache. */
  conditional?: false;
}

type Init<Value> = RequiredKeysOf<Value> extends never ? [(Value & CallOptions)?] : [Value & CallOptions];
/** The success body of an operation, as the OpenAPI document describes it. */
type Data<Operation> =
  Operation extends Record<string | number, unknown>
    ? Exclude<FetchResponse<Operation, object, 'application/json'>['data'], undefined>
    : never;
/** Each path also exists with a trailing slash. */
type WithTrailingSlash<Paths extends object> = Paths & {
  [Path in keyof Paths & string as `${Path}/`]: Paths[Path];
};

/**
 * Requests a path of the OpenAPI document with `{ params: { path, query, header }, body, signal }` and returns the
 * success body. `Empty` lists the paths whose success has no body.
 *
 * @throws {ServiceError} the service's subclass, for an error status
 * @throws {ConnectionError} when no complete response arrives
 * @throws {NotModified} for a 304 to an `If-None-Match` of the caller's own
 */
export type Call<Paths extends object, Method extends HttpMethod, Empty extends string = never> = <
  Path extends PathsWithMethod<WithTrailingSlash<Paths>, Method>,
  Options extends MaybeOptionalInit<
    WithTrailingSlash<Paths>[Path],
    Extract<Method, keyof WithTrailingSlash<Paths>[Path]>
  >,
>(
  path: Path,
  ...init: Init<Options>
) => CallResult<
  Path extends Empty | `${Empty}/`
    ? undefined
    : Data<WithTrailingSlash<Paths>[Path] extends Record<Method, infer Operation> ? Operation : never>
>;

export interface Calls<Paths extends object, EmptyPosts extends string = never> {
  get: Call<Paths, 'get'>;
  post: Call<Paths, 'post', EmptyPosts>;
  put: Call<Paths, 'put'>;
  delete: Call<Paths, 'delete'>;
  export: ExportCall<Paths>;
}

interface Outcome {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type UntypedCall = (path: string, init: object) => Promise<Outcome>;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ENTRIES = 100;

/** Creates the typed calls of one service. */
export function callsOf<Paths extends object>(options: ClientOptions, readError: ReadError): Calls<Paths> {
  const { baseUrl, session, fetch: plainFetch = (request) => fetch(request), conditional = false } = options;
  const send = session?.send ?? plainFetch;
  const cache =
    conditional === false
      ? undefined
      : new ValidatedResponses(conditional === true ? DEFAULT_MAX_ENTRIES : conditional.maxEntries);
  const client = createClient<Paths>({
    baseUrl: baseUrl.replace(/\/$/, ''),
    headers: { accept: 'application/json' },
    // The services take lists of values as one parameter, separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  });

  const call = async (
    method: unknown,
    path: string,
    {
      retry = options.retry ?? {},
      timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      conditional: isConditional,
      ...init
    }: CallOptions,
  ): Promise<DataWithResponse<unknown>> => {
    let url = '';
    let cached: ReturnType<ValidatedResponses['get']>;
    const { data, error, response } = await (method as UntypedCall)(path, {
      ...init,
      fetch: (request: Request) => {
        if (isConditional !== false && request.method === 'GET' && !request.headers.has('if-none-match')) {
          url = request.url;
          cached = cache?.get(url);
          if (cached) request.headers.set('if-none-match', cached.etag);
        }
        return sendWithRetries(send, request, { retry, timeoutMs });
      },
    });
    const details = responseDetails(response);
    if (response.status === 304) {
      if (cached === undefined) throw new NotModified('The data has not changed.');
      return { data: cached.data, response: details };
    }
    // The cached data belongs to a session that has ended.
    if (response.status === 401) cache?.clear();
    if (!response.ok) throw readError(response, error);
    if (url !== '' && details.etag !== undefined) cache?.set(url, { etag: details.etag, data });
    return { data, response: details };
  };
  const exportList = async (path: string, { type, query, signal }: ExportOptions): Promise<Response> => {
    const { error, response } = await (client.GET as unknown as UntypedCall)(path, {
      params: { query },
      headers: { accept: type },
      parseAs: 'stream',
      signal,
      fetch: async (request: Request) => {
        try {
          return await send(request);
        } catch (cause) {
          if (signal?.aborted || (cause as Error).name !== 'TypeError') throw cause;
          throw new ConnectionError('unreachable', `GET ${request.url}: no response.`, cause);
        }
      },
    });
    if (!response.ok) throw readError(response, error);
    return response;
  };
  const callWith = (method: unknown) => (path: string, init?: CallOptions) => {
    const result = call(method, path, init ?? {});
    const data = result.then((outcome) => outcome.data);
    const withResponse = () => {
      // The caller handles `result`; without this a rejection of `data` would be reported as unhandled.
      data.catch(() => undefined);
      return result;
    };
    return Object.assign(data, { withResponse });
  };
  return {
    get: callWith(client.GET),
    post: callWith(client.POST),
    put: callWith(client.PUT),
    delete: callWith(client.DELETE),
    export: exportList,
  } as unknown as Calls<Paths>;
}

function responseDetails({ status, headers }: Response): ResponseDetails {
  return {
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    dataAsOf: headers.get('x-data-as-of') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers),
    notModified: status === 304,
  };
}
