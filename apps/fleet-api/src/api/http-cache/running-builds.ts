import type { IncomingMessage, ServerResponse } from 'node:http';

/** `done`: the response cache may have the response, unless the client left. `uncacheable`: each request builds its own. */
type Outcome = 'done' | 'uncacheable';

/** Responses that are being built, by cache key, so that concurrent equal requests wait for the first of them. */
export class RunningBuilds {
  private readonly outcomes = new Map<string, Promise<Outcome>>();
  private readonly settleByRequest = new WeakMap<IncomingMessage, (outcome: Outcome) => void>();

  /** Resolves when the build of this response has ended; undefined when none runs. */
  outcomeOf(key: string): Promise<Outcome> | undefined {
    return this.outcomes.get(key);
  }

  /** Makes this request the one that others wait for, until `end` or the end of its response. */
  start(key: string, request: IncomingMessage, response: ServerResponse): void {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const settle = (outcome: Outcome) => {
      if (this.outcomes.get(key) === promise) this.outcomes.delete(key);
      resolve(outcome);
    };
    this.outcomes.set(key, promise);
    this.settleByRequest.set(request, settle);
    response.once('close', () => settle('done'));
  }

  end(request: IncomingMessage, outcome: Outcome): void {
    this.settleByRequest.get(request)?.(outcome);
  }
}
