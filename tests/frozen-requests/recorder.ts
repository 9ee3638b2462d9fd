import type { Deployment, ServiceName } from '../deployment/deployment.ts';
import { exchange, type FrozenRequest, type FrozenResponse } from './exchange.ts';

/** Sends the requests of one service, in order. */
export type Scenario = (deployment: Deployment, recorder: Recorder) => Promise<void>;

/** Sends requests and keeps their responses, without values that differ between two runs. */
export class Recorder {
  /** Responses by the description of their request. */
  readonly responses = new Map<string, FrozenResponse>();
  private readonly deployment: Deployment;
  private readonly every: number;
  private count = 0;

  /** @param every sends only each nth of the requests that a scenario may leave out */
  constructor(deployment: Deployment, every: number) {
    this.deployment = deployment;
    this.every = every;
  }

  /** Returns whether a scenario sends its next optional request. */
  isIncluded(): boolean {
    this.count += 1;
    return this.count % this.every === 0;
  }

  /**
   * Sends a request.
   *
   * @param description without values that differ between two runs; a repeated one gets a number
   * @returns the whole response
   */
  async send(description: string, service: ServiceName, request: FrozenRequest): Promise<FrozenResponse> {
    const name = `${service}: ${description}`;
    let key = name;
    for (let number = 2; this.responses.has(key); number += 1) key = `${name} (${number})`;
    const response = await exchange(this.deployment.urls[service], request);
    this.responses.set(key, this.mask(response, service));
    return response;
  }

  private mask({ status, headers, body }: FrozenResponse, service: ServiceName): FrozenResponse {
    const text = (value: string) => maskText(value, service, this.deployment.urls);
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          name === 'etag' ? '<etag>' : Array.isArray(value) ? value.map(text) : text(value),
        ]),
      ),
      body: text(body),
    };
  }
}

/** Values that are random. Identifiers of the fleet belong to the data set. */
const RANDOM_VALUES: Record<ServiceName, [pattern: RegExp, replacement: string][]> = {
  'fleet-api': [[/("next_page_token":)"[^"]*"/g, '$1"<token>"']],
  'account-service': [
    [/("next_page_token":)"[^"]*"/g, '$1"<token>"'],
    [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>'],
    [/("(?:refresh_token|key|x|y|kid|code|id)":)"[^"]*"/g, '$1"<random>"'],
    [/([?&](?:code|state|code_challenge|nonce)=)[\w.~-]+/g, '$1<random>'],
    [/((?:__Host-|__Secure-)[\w-]+=)[^;]+/g, '$1<random>'],
  ],
  'website-api': [[/("id":)"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '$1"<uuid>"']],
};

function maskText(text: string, service: ServiceName, urls: Record<ServiceName, string>): string {
  let masked = text;
  for (const [name, url] of Object.entries(urls))
    masked = masked.replaceAll(url, `<${name}>`).replaceAll(encodeURIComponent(url), `<${name}>`);
  masked = masked.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<provider>');
  for (const [pattern, replacement] of RANDOM_VALUES[service])
    masked = masked.replaceAll(pattern, replacement);
  return masked;
}
