import { readFileSync } from 'node:fs';
import { withClient } from '@gpu-observatory/embedded-database';
import type { FleetSide } from './fleet-side.ts';

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Returns the statements that fleet-api has sent, each text once, with the parameters of its first use.
 *
 * @param from length of the file before the first of them
 */
export function recordedStatements({ statementsFile }: FleetSide, from: number): Statement[] {
  const sent = readFileSync(statementsFile, 'utf8').slice(from).trim().split('\n');
  const byText = new Map<string, Statement>();
  for (const line of sent) {
    const statement = JSON.parse(line) as Statement;
    if (/\bfleet\./.test(statement.text) && !byText.has(statement.text))
      byText.set(statement.text, statement);
  }
  return [...byText.values()];
}

/** Returns the number of tasks of each statement in the plan of Citus; a router query has one. */
export async function countTasks(side: FleetSide, statements: readonly Statement[]): Promise<number[]> {
  return withClient(side.urls.runtimes.fleet, async (client) => {
    const counts: number[] = [];
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
        `EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`,
        values,
      );
      counts.push(tasksIn(rows[0]!['QUERY PLAN']));
    }
    return counts;
  });
}

/** Sums the `Task Count` of all distributed parts of a plan. */
export function tasksIn(plan: unknown): number {
  if (Array.isArray(plan)) return plan.reduce<number>((sum, part) => sum + tasksIn(part), 0);
  if (plan === null || typeof plan !== 'object') return 0;
  return Object.entries(plan).reduce(
    (sum, [name, value]) => sum + (name === 'Task Count' ? Number(value) : tasksIn(value)),
    0,
  );
}
