import type { Line } from './lines.ts';

/** Parses a line as JSON. */
export function parseJsonLine(line: Pick<Line, 'text' | 'fault'>): { value: unknown } | { fault: string } {
  if (line.fault !== undefined) return { fault: line.fault };
  try {
    return { value: JSON.parse(line.text) as unknown };
  } catch (failure) {
    return { fault: `not JSON: ${(failure as Error).message}` };
  }
}
