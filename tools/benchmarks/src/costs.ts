/** What one operation of a service costs. */
export interface Cost {
  operation: string;
  perSecond: number;
  /** CPU time of the process that does it, not of the database or of whoever asks. */
  cpuMicroseconds: number;
}

/** As a table for people. Ratios carry over to other machines; the figures themselves do not. */
export function describeCosts(costs: readonly Cost[]): string {
  const rows = costs.map(({ operation, perSecond, cpuMicroseconds }) => [
    operation,
    Math.round(perSecond).toLocaleString('en'),
    Math.round(cpuMicroseconds).toLocaleString('en'),
  ]);
  return [['operation', 'per second', 'CPU us each'], ...rows]
    .map(
      ([operation = '', rate = '', cpu = '']) =>
        `${operation.padEnd(44)}${rate.padStart(12)}${cpu.padStart(14)}`,
    )
    .join('\n');
}
