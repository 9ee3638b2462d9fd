/** An expected failure of an operations command. The message tells an operator what is wrong and what to do. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
