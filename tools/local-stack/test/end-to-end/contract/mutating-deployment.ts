import { Deployment, type HttpRequest, type HttpResponse, jsonBody } from '@gpu-observatory/contracts';

/** Changes a response in place, or leaves it unchanged. */
export type Mutation = (response: HttpResponse, request: HttpRequest) => void;

/** A deployment whose responses are changed by a mutation. */
export class MutatingDeployment {
  private readonly deployment: Deployment;
  private readonly mutation: Mutation;

  constructor(url: string, mutation: Mutation) {
    this.deployment = new Deployment(url);
    this.mutation = mutation;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.deployment.send(request);
    this.mutation(response, request);
    return response;
  }

  close(): void {
    this.deployment.close();
  }
}

type Tree = Record<string, unknown>;

/** Changes the JSON body of successful responses. */
export function body(path: RegExp, change: (body: Tree, request: HttpRequest) => unknown): Mutation {
  return (response, request) => {
    if (!path.test(decodeURIComponent(request.path)) || response.status >= 300) return;
    const value = jsonBody(response) as Tree;
    response.text = JSON.stringify(change(value, request) ?? value);
  };
}

export function status(path: RegExp, code: number, from?: number): Mutation {
  return (response, request) => {
    if (path.test(request.path) && (from === undefined || response.status === from)) response.status = code;
  };
}

/** Sets or removes a header. */
export function header(path: RegExp, name: string, value?: string): Mutation {
  return (response, request) => {
    if (!path.test(request.path)) return;
    if (value === undefined) delete response.headers[name];
    else response.headers[name] = value;
  };
}

export function text(path: RegExp, change: (text: string) => string): Mutation {
  return (response, request) => {
    if (path.test(request.path)) response.text = change(response.text);
  };
}
