/** How a text filter compares, as in the API. Case is ignored by all. */
export const TEXT_OPERATORS = {
  contains: 'contains',
  equals: 'is exactly',
  startsWith: 'starts with',
  notContains: 'does not contain',
} as const;
export type TextOperator = keyof typeof TEXT_OPERATORS;

/** Returns the operator of a search parameter; typed text is contained unless the URL says otherwise. */
export function operatorOf(value: string | undefined): TextOperator {
  return value !== undefined && Object.hasOwn(TEXT_OPERATORS, value) ? (value as TextOperator) : 'contains';
}

/** Returns the operator as a search parameter; the URL has only those that are not the default. */
export function operatorParameter(operator: TextOperator): string | undefined {
  return operator === 'contains' ? undefined : operator;
}

/** Whether a value matches a filter. Both texts are in lower case. */
export function matchesText(value: string, operator: TextOperator, wanted: string): boolean {
  if (operator === 'equals') return value === wanted;
  if (operator === 'startsWith') return value.startsWith(wanted);
  return value.includes(wanted) === (operator === 'contains');
}
