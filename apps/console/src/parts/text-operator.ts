/** How a text filter compares, as in the API. Case is ignored by both. */
export type TextOperator = 'contains' | 'equals';

/** Returns the operator of a search parameter; typed text is contained unless the URL says otherwise. */
export function operatorOf(value: string | undefined): TextOperator {
  return value === 'equals' ? 'equals' : 'contains';
}
