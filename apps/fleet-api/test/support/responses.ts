import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
// The schemas contain references into the document.
ajv.addSchema({ $id: 'openapi.json', components: document.components });
const validators = new Map<string, ValidateFunction>();

/**
 * Returns the body, after checks of the status, of the schema in the committed OpenAPI document, and of the text form:
 * all responses have the compact one of JSON.stringify.
 */
export async function bodyOf<Body = unknown>(
  response: Response,
  operationId: string,
  status = 200,
): Promise<Body> {
  const text = await response.text();
  expect(`${response.status} ${response.status === status ? '' : text}`).toBe(`${status} `);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(text) as Body;
  expect(text).toBe(JSON.stringify(body));
  const validate = validatorOf(operationId, status);
  validate(body);
  expect(validate.errors ?? []).toEqual([]);
  return body;
}

/** Returns the message of an error response, after checks of its code and envelope. */
export async function errorMessageOf(
  response: Response,
  operationId: string,
  status: number,
  error: string,
): Promise<string> {
  const body = await bodyOf<{ error: string; message: string }>(response, operationId, status);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(body.error).toBe(error);
  return body.message;
}

function validatorOf(operationId: string, status: number): ValidateFunction {
  const key = `${operationId} ${status}`;
  let validate = validators.get(key);
  if (!validate) {
    const operation = operations.find((one) => one.operationId === operationId);
    const schema = operation?.responses[status]?.content?.['application/json']?.schema;
    if (!schema) throw new Error(`the document has no JSON response ${status} of ${operationId}`);
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi.json#/components');
    validate = ajv.compile(JSON.parse(text) as object);
    validators.set(key, validate);
  }
  return validate;
}
