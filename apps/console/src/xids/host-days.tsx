import { useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../data/format.ts';
import { HostLink } from '../parts/host-link.tsx';
import { type DayCell, type HostDays, SUSPICIOUS_GPUS } from './incident-days.ts';
import styles from './xids.module.css';

const FIRST_HOSTS = 15;
const MORE_HOSTS = 100;
/** Days up to which a cell has room for codes. */
const MAX_CODE_DAYS = 8;
const MAX_CODES = 3;
/** Widths of the first three columns together and of a day, in rem. */
const TITLE_WIDTH = 19;
const DAY_WIDTH = { codes: 4.5, number: 1.5 };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Incidents of a day from which on a cell has its strongest color. */
const STRONGEST = 4;

interface HostDaysTableProps {
  hosts: HostDays[];
  /** UTC days, `2026-11-24`. */
  days: string[];
  /** Incidents of all hosts by day. */
  totals: Map<string, number>;
  /** The chosen host and day. */
  host: string | undefined;
  day: string | undefined;
  onSelect: (choice: { host: string | undefined; day: string | undefined }) => void;
}

/** Incidents per host and day. Hosts on which several GPUs had the same fault come first. */
export function HostDaysTable({ hosts, days, totals, host, day, onSelect }: HostDaysTableProps) {
  const [count, setCount] = useState(FIRST_HOSTS);
  // A chosen host stays visible, wherever it is in the order.
  const shown = hosts.filter(({ hostname }, n) => n < count || hostname === host);
  const toggle = (hostname: string | undefined, date: string | undefined) => {
    const isChosen = hostname === host && date === day;
    onSelect(isChosen ? { host: undefined, day: undefined } : { host: hostname, day: date });
  };
  const hasCodes = days.length <= MAX_CODE_DAYS;
  const scroller = useRef<HTMLDivElement>(null);
  // On a narrow screen, the newest days are seen first.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [days.length]);
  const minWidth = TITLE_WIDTH + days.length * DAY_WIDTH[hasCodes ? 'codes' : 'number'];
  return (
    <>
      <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label="Hosts by day">
        <table className={styles.matrix} style={{ minWidth: `${minWidth}rem` }}>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col" data-number className={styles.count}>
                GPUs
              </th>
              <th scope="col" data-number className={styles.count}>
                Sum
              </th>
              {days.map((date, n) => (
                <th key={date} scope="col" className={styles.day}>
                  <span>{n === 0 || date.endsWith('-01') ? MONTHS[Number(date.slice(5, 7)) - 1] : ''}</span>
                  <button
                    type="button"
                    aria-pressed={day === date && host === undefined}
                    // The name contains the visible text.
                    aria-label={`${Number(date.slice(8))}, all hosts on ${date}`}
                    onClick={() => toggle(undefined, date)}
                  >
                    {Number(date.slice(8))}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className={styles.totals}>
              <th scope="row">All hosts</th>
              <td />
              <td data-number>{formatCount([...totals.values()].reduce((sum, each) => sum + each, 0))}</td>
              {days.map((date) => (
                <td key={date} className={styles.cell}>
                  {totals.get(date) ?? ''}
                </td>
              ))}
            </tr>
            {shown.map((row) => (
              <tr key={row.hostname}>
                <th scope="row">
                  <HostLink hostname={row.hostname} />
                  {row.repeated ? (
                    <small data-suspicious={row.repeated.gpuCount >= SUSPICIOUS_GPUS}>
                      {formatCount(row.repeated.gpuCount)} GPUs with XID {row.repeated.code}
                    </small>
                  ) : null}
                </th>
                <td data-number>{formatCount(row.gpus)}</td>
                <td data-number>
                  <button
                    type="button"
                    className={styles.sum}
                    aria-pressed={host === row.hostname && day === undefined}
                    aria-label={`${row.incidents} incidents of ${row.hostname || 'unknown hosts'}`}
                    onClick={() => toggle(row.hostname, undefined)}
                    disabled={row.hostname === ''}
                  >
                    {formatCount(row.incidents)}
                  </button>
                </td>
                {days.map((date) => (
                  <Cell
                    key={date}
                    cell={row.days.get(date)}
                    hasCodes={hasCodes}
                    label={`${row.hostname || 'unknown hosts'} on ${date}`}
                    isChosen={(host ?? row.hostname) === row.hostname && day === date}
                    onClick={() => toggle(row.hostname, date)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.legend}>
        <span className={styles.swatch} data-severe="true" /> a fault of the hardware, critical or high
        <span className={styles.swatch} data-severe="false" /> other codes, mostly of applications
        {hosts.length > shown.length ? (
          <button type="button" onClick={() => setCount(count + MORE_HOSTS)}>
            Show {formatCount(Math.min(MORE_HOSTS, hosts.length - count))} more hosts
          </button>
        ) : null}
      </p>
    </>
  );
}

interface CellProps {
  cell: DayCell | undefined;
  /** Whether it shows the codes rather than the number of incidents. */
  hasCodes: boolean;
  label: string;
  isChosen: boolean;
  onClick: () => void;
}

function Cell({ cell, hasCodes, label, isChosen, onClick }: CellProps) {
  if (cell === undefined) return <td className={styles.cell} />;
  const all = cell.codes.map(([code, count]) => `${count} × XID ${code}`).join(', ');
  const shown = cell.codes
    .slice(0, MAX_CODES)
    .map(([code, count]) => (count > 1 ? `${code}×${count}` : code));
  const more = cell.codes.length > MAX_CODES ? ' …' : '';
  const text = hasCodes ? `${shown.join(' ')}${more}` : String(cell.count);
  return (
    <td className={styles.cell}>
      <button
        type="button"
        title={all}
        // The name contains the visible text (WCAG 2.5.3).
        aria-label={`${text}, ${label}: ${all}`}
        aria-pressed={isChosen}
        data-severe={cell.isSevere}
        data-level={Math.min(cell.count, STRONGEST)}
        onClick={onClick}
      >
        {text}
      </button>
    </td>
  );
}
