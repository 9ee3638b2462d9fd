/** One request. The path is sent unchanged, so that a rule can send a malformed one. */
export interface HttpRequest {
  method: string;
  /** Path and query, percent-encoded as far as HTTP requires it. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** A response of the deployment. Header names are in lower case; repeated headers are joined by commas. */
export interface HttpResponse {
  request: HttpRequest;
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Parses the body as JSON. Returns undefined for any other body. */
export function jsonBody({ text }: HttpResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns `application/json` for `application/json; charset=utf-8`. */
export function mediaTypeOf({ headers }: HttpResponse): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Returns a summary for reports: `GET /api/v1/alerts?sort=x -> 400`. */
export function summaryOf({ request, status }: HttpResponse): string {
  const path = request.path.length > 160 ? `${request.path.slice(0, 160)}…` : request.path;
  return `${request.method} ${path} -> ${status}`;
}
