import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The names that a class for requests has rules for, in their order. */
export function allowedProperties(metatype: Type): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/**
 * What a request brings that its class does not know. To be asked before the validator, which drops names that objects
 * of JavaScript have by themselves, such as toString, in silence.
 */
export function unknownProperties(value: object, metatype: Type): string[] {
  const known = allowedProperties(metatype);
  return Object.keys(value).filter((name) => !known.includes(name));
}
