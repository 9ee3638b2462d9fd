import { IsOptional, IsString, Length } from 'class-validator';
import { NoParameters, RequestValidation } from '../../src/index.ts';
import { fleetErrors } from '../../src/process.ts';

class SearchQuery {
  @IsString({ message: 'name must be given once' })
  @Length(1, 5, { message: 'name must have 1 to 5 characters.' })
  name!: string;

  @IsOptional()
  @IsString({ message: 'sort must be given once' })
  sort?: string;
}

const validation = new RequestValidation({
  errorKind: fleetErrors.invalidQuery,
  describe: ({ unknown, allowed, messages }) => [`${unknown} of ${allowed}`, ...messages].join(' '),
});
const query = (metatype: new () => object) => ({ type: 'query' as const, metatype });

it('returns a valid query as an instance of its class', async () => {
  const result = await validation.transform({ name: 'a' }, query(SearchQuery));
  expect(result).toBeInstanceOf(SearchQuery);
  expect(result).toEqual({ name: 'a' });
});

it.each([
  ['an unknown name', { name: 'a', page: '1' }, 'page of name,sort'],
  ['a name that every object inherits', { name: 'a', toString: 'x' }, 'toString of name,sort'],
  ['the name constructor', { name: 'a', constructor: 'x' }, 'constructor of name,sort'],
  ['a repeated parameter', { name: 'a', sort: ['b', 'c'] }, ' of name,sort sort must be given once.'],
  ['an empty value', { name: '' }, ' of name,sort name must have 1 to 5 characters.'],
  ['a nested value', { name: 'a', sort: { b: 'c' } }, ' of name,sort sort must be given once.'],
  [
    'an unknown name and an invalid value',
    { name: '', page: '1' },
    'page of name,sort name must have 1 to 5 characters.',
  ],
])('rejects %s', async (_title, value, message) => {
  await expect(validation.transform(value, query(SearchQuery))).rejects.toMatchObject({
    kind: fleetErrors.invalidQuery,
    message,
  });
});

it('rejects every parameter of a route that takes none', async () => {
  await expect(validation.transform({}, query(NoParameters))).resolves.toEqual({});
  await expect(validation.transform({ a: 'b' }, query(NoParameters))).rejects.toThrow('a of ');
});

it.each([[undefined], [null], ['text'], [[{ name: 'a' }]]])('rejects the body %j', async (body) => {
  await expect(validation.validateBody(SearchQuery, body)).rejects.toThrow('Send a JSON object as the body.');
});

it('passes values without a request class', async () => {
  const body = { anything: 1 };
  expect(await validation.transform(body, { type: 'body', metatype: Object })).toBe(body);
  expect(await validation.transform('7', { type: 'param', metatype: String })).toBe('7');
});
