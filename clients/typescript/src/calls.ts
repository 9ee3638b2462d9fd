import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { NotModified, type ReadFailure } from './failures.ts';
import type { Fetch, Session } from './sessions.ts';

export interface ClientOptions {
  /** The service's address, such as `https://fleet.example.com`. */
  baseUrl: string;
  /** Who asks; without one, only what needs no credential answers. */
  session?: Session;
  /** In place of the global `fetch`; with a session, that one's counts. */
  fetch?: Fetch;
}

type Init<Value> = RequiredKeysOf<Value> extends never ? [Value?] : [Value];
/** The body of an operation's success, as its document has it. */
type Data<Operation> =
  Operation extends Record<string | number, unknown>
    ? Exclude<FetchResponse<Operation, object, 'application/json'>['data'], undefined>
    : never;

/**
 * Asks a path of the document with its parameters and body, `{ params: { path, query, header }, body }`, and gives the
 * body of the success.
 *
 * @throws {ServiceError} the service's own, for every other answer
 * @throws {NotModified} for a 304
 */
export type Call<Paths extends object, Method extends HttpMethod> = <
  Path extends PathsWithMethod<Paths, Method>,
  Options extends MaybeOptionalInit<Paths[Path], Extract<Method, keyof Paths[Path]>>,
>(
  path: Path,
  ...init: Init<Options>
) => Promise<Data<Paths[Path] extends Record<Method, infer Operation> ? Operation : never>>;

export interface Calls<Paths extends object> {
  get: Call<Paths, 'get'>;
  post: Call<Paths, 'post'>;
  delete: Call<Paths, 'delete'>;
}

interface Outcome {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type UntypedCall = (path: string, init?: object) => Promise<Outcome>;

export function callsOf<Paths extends object>(
  { baseUrl, session, fetch }: ClientOptions,
  readFailure: ReadFailure,
): Calls<Paths> {
  const client = createClient<Paths>({
    baseUrl: baseUrl.replace(/\/$/, ''),
    headers: { accept: 'application/json' },
    ...(session ? { fetch: session.send } : fetch && { fetch }),
  });
  const call = (method: unknown) => async (path: string, init?: object) => {
    const { data, error, response } = await (method as UntypedCall)(path, init);
    if (response.ok) return data;
    if (response.status === 304) throw new NotModified('The data has not changed.');
    throw readFailure(response, error);
  };
  return { get: call(client.GET), post: call(client.POST), delete: call(client.DELETE) } as Calls<Paths>;
}
