import { Deployment, type HttpRequest, type HttpResponse, jsonBody } from '@gpu-observatory/contracts';

/** Changes an answer in place, or does nothing to it. */
export type Bend = (answer: HttpResponse, request: HttpRequest) => void;

/** A deployment as it is, but for what a bend does to its answers. */
export class BentDeployment {
  private readonly deployment: Deployment;
  private readonly bend: Bend;

  constructor(url: string, bend: Bend) {
    this.deployment = new Deployment(url);
    this.bend = bend;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const answer = await this.deployment.send(request);
    this.bend(answer, request);
    return answer;
  }

  close(): void {
    this.deployment.close();
  }
}

type Tree = Record<string, unknown>;

/** Bends the JSON bodies of answers whose path matches. */
export function body(path: RegExp, change: (body: Tree, request: HttpRequest) => unknown): Bend {
  return (answer, request) => {
    if (!path.test(decodeURIComponent(request.path)) || answer.status >= 300) return;
    const value = jsonBody(answer) as Tree;
    answer.text = JSON.stringify(change(value, request) ?? value);
  };
}

export function status(path: RegExp, code: number, from?: number): Bend {
  return (answer, request) => {
    if (path.test(request.path) && (from === undefined || answer.status === from)) answer.status = code;
  };
}

/** Sets a header, or takes it away. */
export function header(path: RegExp, name: string, value?: string): Bend {
  return (answer, request) => {
    if (!path.test(request.path)) return;
    if (value === undefined) delete answer.headers[name];
    else answer.headers[name] = value;
  };
}

export function textOf(path: RegExp, change: (text: string) => string): Bend {
  return (answer, request) => {
    if (path.test(request.path)) answer.text = change(answer.text);
  };
}
