import { StackProgram } from './support/stack-program.ts';
import type { SharedStack } from './shared-stack.ts';

/** Returns the output of `npm run token`. */
export async function tokenOf({ sandbox }: SharedStack, email: string, ...more: string[]): Promise<string> {
  const args = ['--email', email, '--data-directory', sandbox.dataDirectory, ...more];
  const program = new StackProgram('token', args);
  expect(await program.ended).toBe(0);
  return program.output.trim();
}

export async function getJson(
  url: string,
  bearer: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
