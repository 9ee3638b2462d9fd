import { OperationError } from '@gpu-observatory/service-runtime/process';

/** In characters. */
export const PASSWORD_LENGTH = { min: 12, max: 1_000 };

/**
 * Removes the line break of a file.
 *
 * @param label of the input, for messages
 * @throws {OperationError}
 */
export function validatePassword(input: string, label: string): string {
  const password = input.replace(/\r?\n$/, '');
  const length = [...password].length;
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max && !/\p{Cc}/u.test(password)) return password;
  throw new OperationError(
    `${label} must be one line of ${min} to ${max} characters, without control characters`,
  );
}

/** @throws {OperationError} for a common, personal or otherwise predictable password */
export async function requireStrength(
  password: string,
  user: { email: string; name: string },
): Promise<void> {
  // Loaded on demand: the dictionaries take most of a second.
  const { findWeakness } = await import('./password-strength.ts');
  const weakness = findWeakness(password, user);
  if (weakness !== null) {
    throw new OperationError(`the password is too easy to guess: ${weakness} Choose a longer or random one`);
  }
}
