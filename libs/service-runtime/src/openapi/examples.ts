import type { OpenAPIObject } from '@nestjs/swagger';

/** Example of one operation. The linter of tools/contracts compares it with the schemas. */
export interface OperationExample {
  /** Values of parameters by name; only these occur in the example request. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Body of the request, as JSON or the fields of a form. */
  body?: unknown;
  /** JSON body of the successful response; none for a response without a body. */
  response?: unknown;
}

const FORM = 'application/x-www-form-urlencoded';

interface Media {
  example?: unknown;
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

/** Adds the examples to the parameters, request bodies and successful responses of a document. */
export function addExamples(
  document: OpenAPIObject,
  examples: Readonly<Record<string, OperationExample>>,
): void {
  const unused = new Set(Object.keys(examples));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as Operation[]) {
      const id = operation.operationId;
      if (id === undefined) continue;
      const example = examples[id];
      if (!example) throw new Error(`The operation ${id} has no example.`);
      unused.delete(id);
      addExample(id, operation, example);
    }
  }
  if (unused.size > 0) throw new Error(`Examples of unknown operations: ${[...unused].join(', ')}.`);
}

function addExample(
  id: string,
  operation: Operation,
  { parameters = {}, body, response }: OperationExample,
): void {
  for (const [name, value] of Object.entries(parameters)) {
    const parameter = operation.parameters?.find((one) => one.name === name);
    if (!parameter) throw new Error(`The operation ${id} has no parameter ${name}.`);
    parameter.example = value;
  }
  set(`request body of ${id}`, operation.requestBody?.content, body);
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  set(`response of ${id}`, success?.content, response);
}

function set(what: string, content: Record<string, Media> | undefined, example: unknown): void {
  const media = content?.['application/json'] ?? content?.[FORM];
  if ((media === undefined) !== (example === undefined))
    throw new Error(`The ${what} has ${media ? 'no example' : 'an example but no schema'}.`);
  if (media) media.example = example;
}
