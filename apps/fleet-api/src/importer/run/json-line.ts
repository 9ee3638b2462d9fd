import type { Line } from './lines.ts';

/** The JSON value of a line, or what is wrong with it. */
export function parseJsonLine(line: Line): { value: unknown } | { fault: string } {
  if (line.fault !== undefined) return { fault: line.fault };
  try {
    return { value: JSON.parse(line.text) as unknown };
  } catch (failure) {
    return { fault: `not JSON: ${(failure as Error).message}` };
  }
}
