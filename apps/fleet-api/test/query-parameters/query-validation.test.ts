import { NoParameters } from '@gpu-observatory/service-runtime';
import { IsString } from 'class-validator';
import { queryValidation } from '../../src/api/query-parameters/query-validation.ts';

class SearchQuery {
  @IsString()
  name!: string;
}

class OtherQuery extends SearchQuery {}

const validate = (query: object, metatype: new () => object = SearchQuery) =>
  queryValidation.transform(query, { type: 'query', metatype });

it('returns the same frozen object for a repeated query of the same class', async () => {
  const first = await validate({ name: 'a' });
  expect(Object.isFrozen(first)).toBe(true);
  expect(await validate({ name: 'a' })).toBe(first);
  expect(await validate({ name: 'b' })).not.toBe(first);
  expect(await validate({ name: 'a' }, OtherQuery)).not.toBe(first);
});

it('does not cache long queries', async () => {
  const long = { name: 'a'.repeat(1_000) };
  expect(await validate(long)).not.toBe(await validate(long));
});

it('rejects an invalid query each time', async () => {
  for (const _ of [1, 2]) {
    await expect(validate({ a: '1' }, NoParameters)).rejects.toThrow('a is not a parameter');
  }
});
