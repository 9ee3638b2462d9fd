/** Cost of one operation of a service. */
export interface Cost {
  operation: string;
  perSecond: number;
  /** CPU time of the service's process, without database and client. */
  cpuMicroseconds: number;
}

/** Formats a table. Ratios are comparable between machines, absolute figures are not. */
export function formatCosts(costs: readonly Cost[]): string {
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
