/** Media types of an export. */
export type ExportType = 'text/csv' | 'application/x-ndjson';

export interface ExportOptions {
  type: ExportType;
  query?: object;
  signal?: AbortSignal;
}

/** The paths of a document whose response can be a CSV. */
export type ExportPath<Paths> = {
  [Path in keyof Paths & string]: Paths[Path] extends {
    get: { responses: { 200: { content: { 'text/csv': unknown } } } };
  }
    ? Path
    : never;
}[keyof Paths & string];

type QueryOf<Path> = Path extends { get: { parameters: { query?: infer Query } } } ? Query : never;

/**
 * Requests all rows of a list that match a query; with `page_size`, one page. Returns a response whose body has not been read: pass it on
 * or read it as a stream. A body that ends early throws while it is read. There are no retries and no time limit.
 *
 * @throws {ServiceError} the service's subclass, for an error status; 429 while another export of the customer runs
 * @throws {ConnectionError} when no response arrives
 */
export type ExportCall<Paths extends object> = <Path extends ExportPath<Paths>>(
  path: Path,
  options: ExportOptions & { query?: QueryOf<Paths[Path]> },
) => Promise<Response>;
