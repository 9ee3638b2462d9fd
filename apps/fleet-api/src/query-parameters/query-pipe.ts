import { type ArgumentMetadata, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { DomainError, fleetFailures } from '@gpu-observatory/error-envelopes';
import { getMetadataStorage, type ValidationError } from 'class-validator';

/** The validator drops these in silence, as dangerous names in JavaScript; to a caller they are as unknown as others. */
const DROPPED_NAMES = ['__proto__', 'constructor', 'prototype'];

/**
 * Checks query strings against their DTO: a parameter that the endpoint does not know is an error like a bad value
 * (contract 4.1), and the message names it and what is accepted.
 */
export class QueryPipe implements PipeTransform {
  private readonly pipe = new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory: (errors) => new QueryFault(errors),
  });

  /** @throws {DomainError} `invalid_query` */
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'query' || metatype === undefined) return value;
    const dropped = DROPPED_NAMES.find((name) => Object.hasOwn(value as object, name));
    if (dropped !== undefined) throw refusal(explainUnknown(dropped, metatype));
    try {
      return await this.pipe.transform(value, metadata);
    } catch (failure) {
      throw failure instanceof QueryFault ? refusal(explain(failure.errors, metatype)) : failure;
    }
  }
}

/** What the validator found; it does not say of which class. */
class QueryFault extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('the query is not valid');
  }
}

const refusal = (message: string) => new DomainError(fleetFailures.invalidQuery, message);

function explain(errors: ValidationError[], dto: Type): string {
  return errors
    .map(({ property, constraints = {} }) =>
      'whitelistValidation' in constraints
        ? explainUnknown(property, dto)
        : Object.values(constraints)
            .map((message) => `${message}.`)
            .join(' '),
    )
    .join(' ');
}

function explainUnknown(name: string, dto: Type): string {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const known = [...new Set(rules.map((rule) => rule.propertyName))];
  return `${name} is not a parameter of this endpoint; it takes ${known.length > 0 ? inShort(known).join(', ') : 'none'}.`;
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
