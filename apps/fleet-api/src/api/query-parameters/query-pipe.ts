import { type ArgumentMetadata, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import { allowedProperties, unknownProperties } from '@gpu-observatory/service-runtime';
import type { ValidationError } from 'class-validator';
import { LRUCache } from 'lru-cache';

/** Dashboards ask the same again and again; a query that is longer than any of theirs is checked each time. */
const REMEMBERED_QUERIES = 2_000;
const LONGEST_REMEMBERED = 1_000;

/**
 * Checks query strings against their DTO: a parameter that the endpoint does not know is an error like a bad value
 * (contract 4.1), and the message names it and what is accepted. A query that was good before is good again: the object
 * that it became is remembered, and frozen.
 */
export class QueryPipe implements PipeTransform {
  private readonly good = new WeakMap<Type, LRUCache<string, object>>();
  private readonly pipe = new ValidationPipe({
    transform: true,
    exceptionFactory: (errors) => new QueryFault(errors),
  });

  /** @throws {DomainError} `invalid_query` */
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'query' || metatype === undefined) return value;
    const text = JSON.stringify(value);
    const remembered = this.goodOf(metatype);
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const query = await this.check(value as object, { ...metadata, metatype });
    if (text.length <= LONGEST_REMEMBERED) remembered.set(text, query);
    return query;
  }

  private goodOf(dto: Type): LRUCache<string, object> {
    let remembered = this.good.get(dto);
    if (remembered === undefined) {
      remembered = new LRUCache({ max: REMEMBERED_QUERIES });
      this.good.set(dto, remembered);
    }
    return remembered;
  }

  private async check(value: object, metadata: ArgumentMetadata & { metatype: Type }): Promise<object> {
    const unknown = unknownProperties(value, metadata.metatype);
    if (unknown.length > 0) throw refusal(explainUnknown(unknown, allowedProperties(metadata.metatype)));
    try {
      return Object.freeze((await this.pipe.transform(value, metadata)) as object);
    } catch (failure) {
      throw failure instanceof QueryFault ? refusal(explain(failure.errors)) : failure;
    }
  }
}

/** What the validator found; it does not say of which class. */
class QueryFault extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('the query is not valid');
  }
}

const refusal = (message: string) => new DomainError(fleetErrors.invalidQuery, message);

function explain(errors: ValidationError[]): string {
  return errors
    .flatMap(({ constraints = {} }) => Object.values(constraints))
    .map((message) => `${message}.`)
    .join(' ');
}

function explainUnknown(names: string[], known: string[]): string {
  const are = names.length === 1 ? 'is not a parameter' : 'are no parameters';
  return `${names.join(', ')} ${are} of this endpoint; it takes ${known.length > 0 ? inShort(known).join(', ') : 'none'}.`;
}

/** `filter[a][x]`, `filter[a][y]`, `filter[b][x]`, `filter[b][y]` as `filter[a|b][x|y]`. */
function inShort(names: string[]): string[] {
  const operatorsOf = new Map<string, string[]>();
  const others: string[] = [];
  for (const name of names) {
    const [, field, operator] = /^filter\[(\w+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (field === undefined || operator === undefined) others.push(name);
    else operatorsOf.set(field, [...(operatorsOf.get(field) ?? []), operator]);
  }
  const fieldsOf = Map.groupBy(operatorsOf.keys(), (field) => operatorsOf.get(field)?.join('|'));
  return [
    ...others,
    ...[...fieldsOf].map(([operators, fields]) => `filter[${fields.join('|')}][${operators}]`),
  ];
}
