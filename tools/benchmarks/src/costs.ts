import { formatTable } from './table.ts';

/** Cost of one operation of a service. */
export interface Cost {
  operation: string;
  perSecond: number;
  /** CPU time of the service's process, without database and client. */
  cpuMicroseconds: number;
}

/** Formats a table. Ratios are comparable between machines, absolute figures are not. */
export function formatCosts(costs: readonly Cost[]): string {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const rows = costs.map((cost) => [cost.operation, number(cost.perSecond), number(cost.cpuMicroseconds)]);
  return formatTable([['operation', 'per second', 'CPU us each'], ...rows], [1, 2]);
}
