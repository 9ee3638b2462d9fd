/** An operation cannot do what it was asked; the message says what is wrong and what would be right. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
