import { Link } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { alertTypeTitle } from '../data/format.ts';
import type { AlertItem } from '../data/queries.ts';
import table from '../parts/data-table.module.css';
import { SeverityMark } from '../parts/marks.tsx';
import { isPlainClick } from '../parts/row-link.ts';
import { Time } from '../parts/time.tsx';
import type { ColumnName } from './columns.ts';
import { type Excludable, narrowingOf } from './filters.ts';
import styles from './alert-table.module.css';

export interface CellActions {
  workspaces: ReadonlyMap<number, string>;
  /** Opens an alert; `isFocused` moves the focus into its panel, which only the keyboard needs. */
  onOpen: (alert: AlertItem, isFocused: boolean) => void;
  onExclude: (field: Excludable, value: string) => void;
}

interface AlertCellProps extends CellActions {
  column: ColumnName;
  alert: AlertItem;
}

/** One cell of a row of alerts. */
export function AlertCell({ column, alert, workspaces, onOpen, onExclude }: AlertCellProps) {
  switch (column) {
    case 'severity':
      return (
        <span role="cell" className={`${table.mark} ${styles.severity}`}>
          <SeverityMark severity={alert.severity} />
        </span>
      );
    case 'time':
      return (
        <span role="cell" className={`${table.minor} ${styles.time}`}>
          <Time iso={alert.created_at} />
        </span>
      );
    case 'alert':
      return <TitleCell alert={alert} onOpen={onOpen} />;
    case 'type':
      return (
        <TextCell column={column} text={alertTypeTitle(alert.type)}>
          <Exclude text={alertTypeTitle(alert.type)} onClick={() => onExclude('type', alert.type)} />
        </TextCell>
      );
    case 'host':
      return (
        <span role="cell" className={`${table.minor} ${styles.host}`} title={alert.hostname ?? ''}>
          <bdi>{alert.hostname ?? ''}</bdi>
          {alert.hostname ? (
            <Exclude text={alert.hostname} onClick={() => onExclude('hostname', alert.hostname ?? '')} />
          ) : null}
        </span>
      );
    case 'state':
      return <TextCell column={column} text={alert.state} />;
    case 'workspace':
      return <TextCell column={column} text={workspaceText(alert, workspaces)} />;
    case 'gpu':
      return <TextCell column={column} text={alert.gpu_model ?? ''} />;
    case 'serial':
      return <TextCell column={column} text={alert.gpu_serial ?? ''} />;
    case 'key':
      return <TextCell column={column} text={String(alert.api_key_id ?? '')} />;
  }
}

/** A click opens the alert next to the list. Its link is its page, for another tab. */
function TitleCell({ alert, onOpen }: Pick<AlertCellProps, 'alert' | 'onOpen'>) {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    // A click by the keyboard has no click count.
    onOpen(alert, event.detail === 0);
  };
  return (
    <span role="cell" className={styles.title}>
      <Link to="/alerts/$id" params={{ id: alert.id }} search={narrowingOf} preload={false} onClick={onClick}>
        <bdi title={alert.title}>{alert.title}</bdi>
      </Link>
    </span>
  );
}

interface TextCellProps {
  column: ColumnName;
  text: string;
  children?: ReactNode;
}

function TextCell({ column, text, children }: TextCellProps) {
  return (
    <span role="cell" data-column={column} className={`${table.wide} ${styles.quiet}`} title={text}>
      <bdi>{text}</bdi>
      {children}
    </span>
  );
}

/** Excludes the value of a cell. With the keyboard, facets and the open alert do the same. */
function Exclude({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={styles.exclude}
      tabIndex={-1}
      aria-label={`not ${text}`}
      title="Exclude"
      onClick={(event) => {
        // The row would open its alert.
        event.stopPropagation();
        onClick();
      }}
    >
      not
    </button>
  );
}

function workspaceText({ workspace_id }: AlertItem, workspaces: ReadonlyMap<number, string>): string {
  if (workspace_id === null) return '';
  return workspaces.get(workspace_id) ?? `workspace ${workspace_id}`;
}
