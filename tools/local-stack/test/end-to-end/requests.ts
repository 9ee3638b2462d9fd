import { StackProgram } from '../support/stack-process.ts';
import type { SmallStack } from './small-stack.ts';

/** What `npm run token` prints. */
export async function tokenOf({ place }: SmallStack, email: string, ...more: string[]): Promise<string> {
  const args = ['--email', email, '--data-directory', place.dataDirectory, ...more];
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
