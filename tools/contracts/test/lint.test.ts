import { type Config, createConfig, lintFromString, type Oas3Rule } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { committedDocument, type RawDocument } from '../src/document/openapi-document.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'];

/** Rules that Redocly does not have. */
const ownRules: Record<string, Oas3Rule> = {
  'path-parameter-is-required': () => ({
    Parameter({ in: location, name, required }, { report }) {
      if (location === 'path' && !required) report({ message: `Path parameter ${name} must be required.` });
    },
  }),
  'array-has-items': () => ({
    Schema({ type, items }, { report }) {
      if ([type].flat().includes('array') && !items) report({ message: 'An array must have `items`.' });
    },
  }),
  'default-matches-schema': () => ({
    Schema(schema, { report }) {
      if (schema.default !== undefined && !ajv.validate(schema, schema.default))
        report({ message: `The default ${ajv.errorsText()}.` });
    },
  }),
  'parts-have-examples': () => ({
    Parameter({ name, required, example }, { report }) {
      if (required && example === undefined) report({ message: `Parameter ${name} needs an example.` });
    },
    RequestBody({ content }, { report }) {
      if (Object.values(content).some(({ example }) => example === undefined))
        report({ message: 'The body needs an example.' });
    },
    Response({ content = {} }, { report, key }) {
      // An export has the rows of the JSON example.
      const types = Object.entries(content).filter(([type]) => !EXPORT_TYPES.includes(type));
      if (/^2/.test(String(key)) && types.some(([, { example }]) => example === undefined))
        report({ message: `Response ${key} needs an example.` });
    },
  }),
};

let config: Config;
beforeAll(async () => {
  config = await createConfig({
    extends: ['recommended'],
    plugins: [{ id: 'own', rules: { oas3: ownRules } }],
    rules: {
      'info-contact': 'error',
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'rule/info-description': {
        subject: { type: 'Info', property: 'description' },
        assertions: { defined: true, nonEmpty: true },
      },
      'rule/operation-tags': {
        subject: { type: 'Operation', property: 'tags' },
        assertions: { minLength: 1 },
      },
      'rule/operation-id-in-camel-case': {
        subject: { type: 'Operation', property: 'operationId' },
        assertions: { pattern: '/^[a-z][A-Za-z]+$/' },
      },
      ...Object.fromEntries(Object.keys(ownRules).map((name) => [`own/${name}`, 'error'])),
    },
  });
});

async function findingsOf(document: RawDocument): Promise<string[]> {
  const findings = await lintFromString({ source: JSON.stringify(document), config });
  return findings.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} (${at?.pointer})`);
}

it.each(['fleet', 'account', 'website'] as const)(
  'the OpenAPI document of %s has no finding',
  async (service) => {
    expect(await findingsOf(committedDocument(service))).toEqual([]);
  },
);

describe('the rules that Redocly does not have or recommend find', () => {
  const DETAIL = ['paths', '/api/v1/alerts/{id}', 'get'];
  const ID = [...DETAIL, 'parameters', '0'];

  it.each<[string, path: string[], value: unknown, rule: string]>([
    ['an API without a contact', ['info', 'contact'], undefined, 'info-contact'],
    ['an API without a description', ['info', 'description'], undefined, 'rule/info-description'],
    ['an operation without a description', [...DETAIL, 'description'], undefined, 'operation-description'],
    ['an operation without tags', [...DETAIL, 'tags'], [], 'rule/operation-tags'],
    [
      'an operation id in another case',
      [...DETAIL, 'operationId'],
      'get-alert',
      'rule/operation-id-in-camel-case',
    ],
    ['an undeclared tag', [...DETAIL, 'tags'], ['other'], 'operation-tag-defined'],
    ['an optional path parameter', [...ID, 'required'], false, 'own/path-parameter-is-required'],
    ['an array without items', [...ID, 'schema'], { type: 'array' }, 'own/array-has-items'],
    ['a default of another type', [...ID, 'schema', 'default'], 1, 'own/default-matches-schema'],
    ['a required parameter without an example', [...ID, 'example'], undefined, 'own/parts-have-examples'],
    [
      'a body without an example',
      [...DETAIL, 'requestBody'],
      { content: { 'application/json': { schema: {} } } },
      'own/parts-have-examples',
    ],
    [
      'a result without an example',
      [...DETAIL, 'responses', '200', 'content', 'application/json', 'example'],
      undefined,
      'own/parts-have-examples',
    ],
  ])('%s', async (_fault, path, value, rule) => {
    const document = committedDocument('fleet');
    const parent = path.slice(0, -1).reduce((node, name) => node[name] as Node, document as unknown as Node);
    parent[path.at(-1)!] = value;
    expect(await findingsOf(document)).toContainEqual(expect.stringMatching(`^${rule}: `));
  });
});

type Node = Record<string, unknown>;
