import { parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { ValidateBy } from 'class-validator';

/**
 * What a query parameter may be. Values arrive as text, or as an array when a parameter is repeated, which none of these
 * takes. Each message says what is accepted.
 */

/** A plain decimal integer from 1 to `max`, by default however large (decisions, section 1, Integers). */
export function PositiveInteger(max = Infinity): PropertyDecorator {
  const should = max === Infinity ? 'an integer of at least 1' : `an integer from 1 to ${max}`;
  return rule('positiveInteger', `should be given once, as ${should}`, (text) => {
    const value = parsePositiveInteger(text);
    return value !== null && value <= max;
  });
}

/** Strict RFC 3339 with a zone. */
export function Timestamp(): PropertyDecorator {
  return rule(
    'timestamp',
    'should be given once, as an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z',
    (text) => parseTimestamp(text) !== null,
  );
}

export function OneOf(...values: string[]): PropertyDecorator {
  return rule('oneOf', `should be given once, as one of ${values.join(', ')}`, (text) =>
    values.includes(text),
  );
}

/** One or more of these, separated by commas. */
export function ListOf(...values: string[]): PropertyDecorator {
  return rule('listOf', `should be given once, as a comma-separated list of ${values.join(', ')}`, (text) =>
    text.split(',').every((value) => values.includes(value)),
  );
}

export function NonEmptyText(): PropertyDecorator {
  return rule(
    'nonEmptyText',
    'should be given once, as a text of at least one character',
    (text) => text !== '',
  );
}

/** Any text: what it means is for its reader to say. */
export function Text(): PropertyDecorator {
  return rule('text', 'should be given once', () => true);
}

function rule(name: string, message: string, accepts: (text: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: () => `$property ${message}`,
    },
  });
}
