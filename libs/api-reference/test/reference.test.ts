import type { OpenAPIObject } from '@nestjs/swagger';
import { curlCommand } from '../src/curl-command.ts';
import { referenceHtml } from '../src/reference.html.tsx';
import { referenceMarkdown } from '../src/reference.markdown.ts';
import { referenceOf } from '../src/reference.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Telescope API', description: 'Reads `stars`.', version: '2.0.0' },
  tags: [{ name: 'Stars', description: 'All of them.' }],
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Star: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: '<b>Bold</b> & "quoted".', example: 'Vega' },
          color: { oneOf: [{ type: 'string', enum: ['red', 'blue'] }, { type: 'null' }] },
          discovered_at: { type: 'string', format: 'date-time' },
          moons: { type: 'array', maxItems: 9, items: { $ref: '#/components/schemas/Moon' } },
        },
      },
      Moon: { type: 'object', properties: { radius_km: { type: 'number', minimum: 1 } } },
    },
  },
  paths: {
    '/stars/{id}': {
      get: {
        operationId: 'getStar',
        summary: 'Get a star',
        tags: ['Stars'],
        security: [{ bearer: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'vega' },
          { name: 'filter[color][in]', in: 'query', schema: { type: 'string' }, example: 'red,blue' },
          { name: 'filter[color][equals]', in: 'query', schema: { type: 'string', enum: ['red', 'blue'] } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        ],
        responses: {
          200: {
            description: 'The star.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Star' },
                example: { name: '<Vega>', moons: [] },
              },
            },
          },
          404: {
            description: 'not_found, or gone',
            content: {
              'application/json': {
                schema: { properties: { error: { type: 'string', enum: ['not_found', 'gone'] } } },
              },
            },
          },
        },
      },
    },
    '/stars': {
      post: {
        operationId: 'nameStar',
        summary: 'Name a star',
        tags: ['Stars'],
        security: [],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Star' },
              example: { name: "Barnard's" },
            },
          },
        },
        responses: { 204: { description: 'Named.' }, 400: { description: 'invalid' } },
      },
    },
  },
} as unknown as OpenAPIObject;

const reference = referenceOf(document);
const operations = reference.groups[0]!.operations;
const [getStar, nameStar] = operations as [(typeof operations)[0], (typeof operations)[0]];

describe('referenceOf', () => {
  it('describes the fields of a response with type, limits, values and nested fields', () => {
    expect(getStar.responses[0]!.fields).toEqual([
      expect.objectContaining({ name: 'name', type: 'string', isRequired: true, limits: [] }),
      expect.objectContaining({ name: 'color', type: 'string or null', values: ['red', 'blue'] }),
      expect.objectContaining({ name: 'discovered_at', type: 'RFC 3339 time' }),
      expect.objectContaining({
        name: 'moons',
        type: 'array of objects',
        limits: ['at most 9 items'],
        fields: [expect.objectContaining({ name: 'radius_km', type: 'number', limits: ['at least 1'] })],
      }),
    ]);
  });

  it('lists all errors by status, with the fields that they share', () => {
    expect(reference.errors).toEqual({
      fields: [expect.objectContaining({ name: 'error', values: [] })],
      statuses: [
        { status: '400', texts: ['invalid'] },
        { status: '404', texts: ['not_found', 'gone'] },
      ],
    });
  });

  it('merges the operators of a filter', () => {
    expect(getStar.queryParameters).toEqual([
      expect.objectContaining({
        name: 'filter[color][…]',
        description: 'Operators: `in`, `equals`.',
        values: ['red', 'blue'],
      }),
      expect.objectContaining({ name: 'limit', limits: ['1 to 100', 'default 20'] }),
    ]);
  });
});

describe('curlCommand', () => {
  it('contains the example parameters and the token', () => {
    expect(curlCommand(getStar, 'https://api.example')).toBe(
      [
        'curl -G "https://api.example/stars/vega"',
        '-H "Authorization: Bearer $ACCESS_TOKEN"',
        "-d 'filter[color][in]=red,blue'",
      ].join(' \\\n  '),
    );
  });

  it('quotes a body for the shell', () => {
    expect(curlCommand(nameStar, 'https://api.example')).toContain(`-d '{\n  "name": "Barnard'\\''s"\n}'`);
  });
});

describe('the page', () => {
  const files = { stylesheet: '/s.css', scripts: ['/s.js'], logo: '/l.svg' };
  const html = referenceHtml({
    reference,
    publicUrl: 'https://api.example',
    homeUrl: '/docs',
    links: [{ name: 'Other', url: 'https://other.example/docs' }],
    files,
  });

  it('has an anchor for each operation, linked from the contents', () => {
    for (const { id } of operations) {
      expect(html).toContain(`id="${id}"`);
      expect(html.split(`href="#${id}"`)).toHaveLength(3);
    }
  });

  it('escapes texts and examples', () => {
    expect(html).toContain('&lt;b>Bold&lt;/b> &amp; &quot;quoted&quot;.');
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;Vega>');
    expect(html).not.toContain('<Vega');
  });

  it('has a form for each operation, with an input field for each parameter that has an example', () => {
    const [form = ''] = html.match(/<form data-method="GET"[^]*?<\/form>/) ?? [];
    expect(form).toContain('data-path="/stars/{id}" data-accept="application/json"');
    expect(form.match(/(?<=<input name=")[^"]+" data-in="[^"]+" value="[^"]*"( required)?/g)).toEqual([
      'id" data-in="path" value="vega" required',
      'filter[color][in]" data-in="query" value="red,blue"',
    ]);
    expect(form.match(/(?<=<option data-in="[a-z]+">)[^<]+/g)).toEqual(['filter[color][equals]', 'limit']);
    expect(form).toContain('data-scheme="bearer" data-header="Authorization" data-prefix="Bearer "');
    expect(html).toMatch(/<textarea[^>]*>\{\n {2}&quot;name&quot;: &quot;Barnard's&quot;\n\}<\/textarea>/);
  });

  it('contains only its own script and stylesheet', () => {
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/s.js">']);
    expect(html).not.toMatch(/<style| style=| on\w+=/);
  });
});

test('the markdown has the same operations with fields, errors and commands', () => {
  const markdown = referenceMarkdown(reference, 'https://api.example');
  expect(markdown).toMatch(/^# Telescope API\n\nReads `stars`\.\n/);
  for (const { summary, method, path } of operations) {
    expect(markdown).toContain(`### ${summary}\n\n\`${method} ${path}\``);
  }
  expect(markdown).toContain('- `limit` (integer, 1 to 100, default 20)');
  expect(markdown).toContain('  - `radius_km` (number, at least 1)');
  expect(markdown).toContain('Errors: 404 (not_found, or gone).');
  expect(markdown).toContain(curlCommand(getStar, 'https://api.example'));
});
