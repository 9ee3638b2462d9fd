/**
 * Returns an SQL expression for a timestamptz in ms since the epoch. The time must have whole milliseconds. `date_part` is faster than
 * `extract`, which returns `numeric`.
 */
export function epochMsSql(time: string): string {
  return `(date_part('epoch', ${time}) * 1000)::bigint`;
}
