/** An expected failure of an operations command. The message states for an operator what failed and what to do. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
