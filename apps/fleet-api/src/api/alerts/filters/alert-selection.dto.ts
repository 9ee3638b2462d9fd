import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ListOf, NonEmptyText, OneOf, TextList, Timestamp } from '../../query-parameters/parameters.ts';
import { ScopeQuery } from '../../query-parameters/scope.dto.ts';
import {
  EXCLUDABLE_TEXTS,
  type FilterName,
  listedTexts,
  MAX_EXCLUDED_TEXTS,
  MEMBER_FIELDS,
  MEMBER_OPERATORS,
  MEMBERS,
  takesList,
  TEXT_FIELDS,
  TEXT_OPERATORS,
  TIME_OPERATORS,
} from './alert-filters.ts';

/** The query parameters that select alerts: scope, window and `filter[…][…]`. See docs/fleet-api.md#alert-filters. */
export class AlertSelectionQuery extends ScopeQuery {
  @ApiPropertyOptional({ format: 'date-time', description: 'Start of the window, inclusive.' })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'End of the window, exclusive.' })
  @IsOptional()
  @Timestamp()
  to?: string;
}

/** Declares `q`, the text of a search, which the contract's endpoints do not accept. */
export function SearchText(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      description: 'Only alerts whose hostname, title or description contains this text. Case-insensitive.',
    }),
    IsOptional(),
    NonEmptyText(),
  );
}

/** Declares the parameters that exclude several hosts or titles, which the contract's endpoints do not accept. */
export function ExcludedTexts(): ClassDecorator {
  return ({ prototype }) => {
    for (const field of EXCLUDABLE_TEXTS) {
      const description = `Comma-separated list; \\ precedes a comma or \\ of a ${field}. Case-insensitive.`;
      const described = ApiPropertyOptional({ type: String, minLength: 1, description });
      declare(prototype, `filter[${field}][notIn]`, TextList(MAX_EXCLUDED_TEXTS, listedTexts), described);
    }
  };
}

/** Declares a filter parameter; the names are the product of fields and operators. */
function declare(query: object, name: FilterName, ...decorators: PropertyDecorator[]): void {
  for (const decorate of [IsOptional(), ...decorators]) decorate(query, name);
}

const contract = AlertSelectionQuery.prototype;

for (const field of MEMBER_FIELDS) {
  const members = [...MEMBERS[field]];
  for (const operator of MEMBER_OPERATORS) {
    const rules = takesList(operator)
      ? [
          ListOf(...members),
          ApiPropertyOptional({
            type: String,
            description: `Comma-separated list of ${members.join(', ')}.`,
          }),
        ]
      : [OneOf(...members), ApiPropertyOptional({ enum: members })];
    declare(contract, `filter[${field}][${operator}]`, ...rules);
  }
}
for (const field of TEXT_FIELDS) {
  for (const operator of TEXT_OPERATORS) {
    const described = ApiPropertyOptional({ type: String, minLength: 1, description: 'Case-insensitive.' });
    declare(contract, `filter[${field}][${operator}]`, NonEmptyText(), described);
  }
}
for (const operator of TIME_OPERATORS) {
  const described = ApiPropertyOptional({ type: String, format: 'date-time', description: 'Inclusive.' });
  declare(contract, `filter[timestamp][${operator}]`, Timestamp(), described);
}
