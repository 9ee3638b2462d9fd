import { type ArgumentMetadata, ValidationPipe, type PipeTransform } from '@nestjs/common';
import { DomainError, fleetFailures } from '@gpu-observatory/error-envelopes';
import { getMetadataStorage, type ValidationError } from 'class-validator';

/**
 * Checks query strings against their DTO: a parameter that the endpoint does not know is an error like a bad value
 * (contract 4.1), and the message names it and what is accepted.
 */
export class QueryPipe implements PipeTransform {
  private readonly pipe = new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory: (errors) => new DomainError(fleetFailures.invalidQuery, describe(errors)),
  });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return metadata.type === 'query' ? await this.pipe.transform(value, metadata) : value;
  }
}

function describe(errors: ValidationError[]): string {
  const [error] = errors;
  if (!error) return 'The query is not valid.';
  const messages = error.constraints ?? {};
  if (!('whitelistValidation' in messages)) return `${Object.values(messages)[0] ?? error.property}.`;
  const known = knownParameters(error.target?.constructor);
  return `${error.property} is not a parameter of this endpoint; it takes ${known.length > 0 ? known.join(', ') : 'none'}.`;
}

function knownParameters(dto: unknown): string[] {
  if (typeof dto !== 'function') return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...new Set(rules.map((known) => known.propertyName))];
}
