import { isUuid, MAX_ID, parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { echo } from '@gpu-observatory/service-runtime/process';
import { ValidateBy } from 'class-validator';

// Validators of query parameters. Values are texts, or arrays of a repeated parameter, which all of them reject.

/** A decimal integer from 1 to `max`, by default unlimited. See docs/services.md#integers. */
export function PositiveInteger(max = Infinity): PropertyDecorator {
  const expected = max === Infinity ? 'an integer of at least 1' : `an integer from 1 to ${max}`;
  return rule('positiveInteger', `must be given once, as ${expected}`, (text) => {
    const value = parsePositiveInteger(text);
    return value !== null && value <= max;
  });
}

/** Decimal integers from 1, separated by commas. */
export function PositiveIntegers(maxCount: number): PropertyDecorator {
  const expected = `must be given once, as up to ${maxCount} integers of at least 1, separated by commas`;
  return rule('positiveIntegers', expected, (text) => {
    const values = text.split(',').map(parsePositiveInteger);
    return values.length <= maxCount && values.every((value) => value !== null && value <= MAX_ID);
  });
}

export function Uuid(): PropertyDecorator {
  return rule('uuid', 'must be given once, as a UUID', isUuid);
}

/** An RFC 3339 time with a zone. */
export function Timestamp(): PropertyDecorator {
  return rule(
    'timestamp',
    'must be given once, as an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z',
    (text) => parseTimestamp(text) !== null,
    (value) => (isOffsetWithSpace(value) ? '; encode the + of an offset as %2B' : ''),
  );
}

/** Whether a time is valid with a `+` in place of the last space: a raw `+` in a query string is a space. */
function isOffsetWithSpace(value: unknown): boolean {
  return typeof value === 'string' && parseTimestamp(value.replace(/ (?=[^ ]*$)/, '+')) !== null;
}

export function OneOf(...values: string[]): PropertyDecorator {
  return rule('oneOf', `must be given once, as one of ${values.join(', ')}`, (text) => values.includes(text));
}

/** One or more of the values, separated by commas. */
export function ListOf(...values: string[]): PropertyDecorator {
  return rule('listOf', `must be given once, as a comma-separated list of ${values.join(', ')}`, (text) =>
    text.split(',').every((value) => values.includes(value)),
  );
}

export function NonEmptyText(): PropertyDecorator {
  return rule(
    'nonEmptyText',
    'must be given once, as a text with at least one character',
    (text) => text !== '',
  );
}

/** Texts with at least one character, separated by commas. */
export function TextList(maxCount: number, textsOf = (list: string) => list.split(',')): PropertyDecorator {
  const expected = `must be given once, as up to ${maxCount} texts, separated by commas`;
  return rule('textList', expected, (list) => {
    const texts = textsOf(list);
    return list !== '' && texts.length <= maxCount && !texts.includes('');
  });
}

/** Any text, given once. `parsePageToken` validates it. */
export function Text(): PropertyDecorator {
  return rule('text', 'must be given once', () => true);
}

function rule(
  name: string,
  message: string,
  accepts: (text: string) => boolean,
  hint: (value: unknown) => string = () => '',
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: (context) =>
        `$property ${message}, got ${echo(JSON.stringify(context?.value))}${hint(context?.value)}`,
    },
  });
}
