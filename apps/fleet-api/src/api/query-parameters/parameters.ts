import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { isUuid, MAX_ID, parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { echo } from '@gpu-observatory/service-runtime/process';
import { IsOptional, ValidateBy } from 'class-validator';

// Decorators of query parameters, all of which are optional: each one documents a parameter and validates its value. A repeated
// parameter arrives as an array and is rejected.

type Documentation = Pick<ApiPropertyOptions, 'description' | 'default' | 'example'>;

/** Number of rows of a page, unless a list has other limits. */
export const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** A decimal integer from 1 to `max`, by default unlimited. See docs/services.md#integers. */
export function PositiveInteger({
  max = Infinity,
  ...documentation
}: Documentation & { max?: number }): PropertyDecorator {
  const maximum = max === Infinity ? {} : { maximum: max };
  const expected = max === Infinity ? 'an integer of at least 1' : `an integer from 1 to ${max}`;
  return parameter(
    { type: 'integer', minimum: 1, ...maximum, ...documentation },
    {
      expected: `must be given once, as ${expected}`,
      accepts: (text) => {
        const value = parsePositiveInteger(text);
        return value !== null && value <= max;
      },
    },
  );
}

/** The parameter `page_size`. @param rows name of the rows in the description, such as `groups` */
export function PageSize(rows: string): PropertyDecorator {
  const description = `Maximum number of ${rows}.`;
  return PositiveInteger({ description, max: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE });
}

/** The parameter `page_token`: any text. `parsePageToken` validates it. */
export function PageToken(): PropertyDecorator {
  const description =
    'The next_page_token of the previous page. Only page_size may differ from the request of that page.';
  return parameter({ type: String, description }, { expected: 'must be given once', accepts: () => true });
}

/** Decimal integers from 1 to `MAX_ID`, separated by commas. */
export function PositiveIntegers(maxCount: number, documentation: Documentation): PropertyDecorator {
  return parameter(
    { type: String, ...documentation },
    {
      expected: `must be given once, as up to ${maxCount} integers of at least 1, separated by commas`,
      accepts: (text) => {
        const values = text.split(',').map(parsePositiveInteger);
        return values.length <= maxCount && values.every((value) => value !== null && value <= MAX_ID);
      },
    },
  );
}

export function Uuid(documentation: Documentation): PropertyDecorator {
  return parameter(
    { type: String, format: 'uuid', ...documentation },
    { expected: 'must be given once, as a UUID', accepts: isUuid },
  );
}

/** An RFC 3339 time with a zone. */
export function Timestamp(documentation: Documentation): PropertyDecorator {
  return parameter(
    { type: String, format: 'date-time', ...documentation },
    {
      expected: 'must be given once, as an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z',
      accepts: (text) => parseTimestamp(text) !== null,
      hint: (value) => (isOffsetWithSpace(value) ? '; encode the + of an offset as %2B' : ''),
    },
  );
}

/** Returns whether a time is valid with a `+` in place of its last space: a raw `+` in a query string is decoded as a space. */
function isOffsetWithSpace(value: unknown): boolean {
  return typeof value === 'string' && parseTimestamp(value.replace(/ (?=[^ ]*$)/, '+')) !== null;
}

export function OneOf(values: readonly string[], documentation: Documentation = {}): PropertyDecorator {
  return parameter(
    { enum: [...values], ...documentation },
    {
      expected: `must be given once, as one of ${values.join(', ')}`,
      accepts: (text) => values.includes(text),
    },
  );
}

/** One or more of the values, separated by commas. */
export function ListOf(values: readonly string[], documentation: Documentation = {}): PropertyDecorator {
  return parameter(
    { type: String, description: `Comma-separated list of ${values.join(', ')}.`, ...documentation },
    {
      expected: `must be given once, as a comma-separated list of ${values.join(', ')}`,
      accepts: (text) => text.split(',').every((value) => values.includes(value)),
    },
  );
}

/** A text with at least one character. */
export function NonEmptyText(
  documentation: Documentation & Pick<ApiPropertyOptions, 'minLength'>,
): PropertyDecorator {
  return parameter(
    { type: String, ...documentation },
    {
      expected: 'must be given once, as a text with at least one character',
      accepts: (text) => text !== '',
    },
  );
}

/** Texts with at least one character, separated by commas. @param parseList splits the list */
export function TextList(
  maxCount: number,
  documentation: Documentation & Pick<ApiPropertyOptions, 'minLength'>,
  parseList = (list: string) => list.split(','),
): PropertyDecorator {
  return parameter(
    { type: String, ...documentation },
    {
      expected: `must be given once, as up to ${maxCount} texts, separated by commas`,
      accepts: (list) => {
        const texts = parseList(list);
        return list !== '' && texts.length <= maxCount && !texts.includes('');
      },
    },
  );
}

interface Rule {
  /** Rule in words, which follows the name of the parameter in an error message. */
  expected: string;
  accepts(text: string): boolean;
  /** Returns the end of the error message: advice on a common mistake, or an empty text. */
  hint?(value: unknown): string;
}

/** Returns a decorator that documents and validates an optional parameter. */
function parameter(
  documentation: ApiPropertyOptions,
  { expected, accepts, hint = () => '' }: Rule,
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(documentation),
    IsOptional(),
    ValidateBy({
      name: 'queryParameter',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && accepts(value),
        defaultMessage: (context) =>
          `$property ${expected}, got ${echo(JSON.stringify(context?.value))}${hint(context?.value)}`,
      },
    }),
  );
}
