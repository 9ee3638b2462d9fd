/** A response body and the `ETag` that validates it (RFC 9110, section 8.8.3). */
export interface ValidatedResponse {
  etag: string;
  data: unknown;
}

/** The last validated response of each URL, least recently used first. */
export class ValidatedResponses {
  private readonly responses = new Map<string, ValidatedResponse>();

  constructor(private readonly maxEntries: number) {}

  get(url: string): ValidatedResponse | undefined {
    const response = this.responses.get(url);
    if (response) this.set(url, response);
    return response;
  }

  set(url: string, response: ValidatedResponse): void {
    this.responses.delete(url);
    this.responses.set(url, response);
    const [oldest] = this.responses.keys();
    if (this.responses.size > this.maxEntries && oldest !== undefined) this.responses.delete(oldest);
  }

  clear(): void {
    this.responses.clear();
  }
}
