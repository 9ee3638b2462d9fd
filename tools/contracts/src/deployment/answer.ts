/** One request; the path is sent as it is, so that it can be as odd as a rule wants it. */
export interface Request {
  method: string;
  /** Path and query, percent-encoded as far as HTTP needs it. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** What a deployment said. Header names are in lower case; a repeated header is joined by a comma. */
export interface Answer {
  request: Request;
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The body as JSON, or undefined where it is none. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `application/json` of `application/json; charset=utf-8`. */
export function mediaTypeOf({ headers }: Answer): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** As a person would name it: `GET /api/v1/alerts?sort=x -> 400`. */
export function nameOf({ request, status }: Answer): string {
  const path = request.path.length > 160 ? `${request.path.slice(0, 160)}…` : request.path;
  return `${request.method} ${path} -> ${status}`;
}
