/** The run cannot check anything. The message is for the user; the process exits with code 2. */
export class RunError extends Error {
  override name = 'RunError';
}
