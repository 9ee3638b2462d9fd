import { type Answer, nameOf, type Request } from '../deployment/answer.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { AnswerCheck } from '../document/answer-check.ts';
import {
  type Operation,
  operationFor,
  operationsOf,
  type RawDocument,
} from '../document/openapi-document.ts';
import { expectThat, type Finding, NotSeen } from './rule.ts';

export interface SubjectOptions {
  /** An access token, from `--token-command`. */
  token?: string;
  /** A browser origin that the deployment allows. */
  origin?: string;
  /** A URL on the account service's allowlist. */
  frontendUrl?: string;
  /** Whether what changes data may be tried too. */
  write: boolean;
}

/** A deployment with what a run knows about it. Every answer to a documented operation is held to the document. */
export class Subject {
  readonly operations: Operation[];
  readonly document: RawDocument;
  readonly options: SubjectOptions;
  private readonly deployment: Pick<Deployment, 'send'>;
  private readonly check: AnswerCheck;
  private readonly answers = new Map<string, { statuses: Set<number>; count: number; faults: Set<string> }>();

  constructor(deployment: Pick<Deployment, 'send'>, document: RawDocument, options: SubjectOptions) {
    this.deployment = deployment;
    this.document = document;
    this.options = options;
    this.operations = operationsOf(document);
    this.check = new AnswerCheck(document);
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: Partial<Pick<Request, 'headers' | 'body'>> = {},
  ): Promise<Answer> {
    const answer = await this.deployment.send({
      method,
      path,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    this.hold(answer);
    if (answer.status === 429) this.endLimited(answer);
    return answer;
  }

  /** Without a credential. */
  get(path: string, headers: Request['headers'] = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  /** With the token. */
  async read(path: string, headers: Request['headers'] = {}): Promise<Answer> {
    return this.get(path, { ...this.bearer(), ...headers });
  }

  /** @throws {NotSeen} without a `--token-command` */
  bearer(): { authorization: string } {
    if (this.options.token === undefined) throw new NotSeen('needs --token-command');
    return { authorization: `Bearer ${this.options.token}` };
  }

  /** The text without the token, which belongs in no report. */
  withoutToken(text: string): string {
    const { token } = this.options;
    return token === undefined ? text : text.replaceAll(token, '<token>');
  }

  /** @throws {NotSeen} without `--write` */
  mayWrite(): void {
    if (!this.options.write) throw new NotSeen('changes data: needs --write');
  }

  /** The operations that a GET without any parameter reads. */
  plainReads(): Operation[] {
    return this.operations.filter(
      ({ method, path, parameters, responses }) =>
        method === 'GET' &&
        '200' in responses &&
        !path.includes('{') &&
        parameters.every(({ required }) => !required),
    );
  }

  /** One finding an operation: what its answers were, held to the document. */
  documentFindings(): Finding[] {
    return this.operations.map(({ id }) => {
      const seen = this.answers.get(id);
      const statuses = [...(seen?.statuses ?? [])].sort().join(', ');
      return {
        rule: `as-documented: ${id}`,
        source: 'openapi.json',
        result: !seen ? 'not seen' : seen.faults.size > 0 ? 'broken' : 'holds',
        seen: !seen
          ? 'nothing asked for it'
          : seen.faults.size > 0
            ? [...seen.faults].slice(0, 3).join('; ')
            : `${seen.count} answers: ${statuses}`,
        milliseconds: 0,
      };
    });
  }

  /** What a limit keeps from us is not seen; how it does is (decisions, section 1, Rate limits). */
  private endLimited(answer: Answer): never {
    const { 'retry-after': seconds } = answer.headers;
    expectThat(/^\d+$/.test(seconds ?? ''), `${nameOf(answer)} has Retry-After ${seconds}`);
    throw new NotSeen(`limited: ${nameOf(answer)}, again in ${seconds} s`);
  }

  private hold(answer: Answer): void {
    const operation = operationFor(this.operations, answer.request.method, answer.request.path);
    if (!operation) return;
    const seen = this.answers.get(operation.id) ?? { statuses: new Set(), count: 0, faults: new Set() };
    this.answers.set(operation.id, seen);
    seen.count += 1;
    seen.statuses.add(answer.status);
    for (const fault of this.check.faultsOf(operation, answer))
      seen.faults.add(this.withoutToken(`${nameOf(answer)}: ${fault}`));
  }
}
