import { Link, type LinkProps } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import type { AlertRows } from './use-alert-pages.ts';
import styles from './alert-neighbors.module.css';

export interface Neighbors {
  /** Position in the list, from 1 on. */
  position: number;
  total: number | undefined;
  /** Undefined at the begin of the list and where it is not loaded. */
  previousId: string | undefined;
  nextId: string | undefined;
}

/** Returns what is around an alert; undefined if it is not in the rows. */
export function neighborsOf(rows: AlertRows, total: number | undefined, id: string): Neighbors | undefined {
  const index = rows.indexOf(id);
  if (index < 0) return undefined;
  return { position: index + 1, total, previousId: rows.at(index - 1)?.id, nextId: rows.at(index + 1)?.id };
}

interface AlertNeighborsProps {
  neighbors: Neighbors | undefined;
  /** Returns the link to another alert of the list. */
  linkTo: (id: string) => Pick<LinkProps, 'to' | 'params' | 'search' | 'resetScroll'>;
}

/** Links to the previous and the next alert of the list, with `k` and `j`. */
export function AlertNeighbors({ neighbors, linkTo }: AlertNeighborsProps) {
  if (neighbors === undefined) return <span />;
  const { position, total, previousId, nextId } = neighbors;
  return (
    <nav className={styles.neighbors} aria-label="Alerts of the list">
      <span>
        {formatCount(position)}
        {total === undefined ? '' : ` of ${formatCount(total)}`}
      </span>
      <Neighbor title="Previous" id={previousId} linkTo={linkTo} />
      <Neighbor title="Next" id={nextId} linkTo={linkTo} />
    </nav>
  );
}

interface NeighborProps extends Pick<AlertNeighborsProps, 'linkTo'> {
  title: string;
  id: string | undefined;
}

function Neighbor({ title, id, linkTo }: NeighborProps) {
  if (id === undefined)
    return (
      <span className={styles.none} role="link" aria-disabled="true">
        {title}
      </span>
    );
  return (
    <Link {...linkTo(id)} preload={false} replace>
      {title}
    </Link>
  );
}
