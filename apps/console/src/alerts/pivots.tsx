import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { alertsOfHost } from './filters.ts';
import styles from './pivots.module.css';

/** A PID, an IPv4 address with an optional port, a file path, or a domain, in a text of a monitored machine. */
const ENTITY =
  /\bpid[ =:]+\d{2,10}\b|\b(?:\d{1,3}\.){3}\d{1,3}\b|(?<![\w.:/-])\/[\w.@+-]+(?:\/[\w.@+-]+)+|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|info|biz|xyz|top|ru|cn|cc|onion|example|internal|local)\b/gi;

interface PivotsProps {
  text: string;
  /** The host of the alert: a PID has a meaning there only. */
  hostname: string | null;
}

/** A text whose PIDs, addresses, files and domains are links to the alerts that mention them. */
export function Pivots({ text, hostname }: PivotsProps) {
  const parts = partsOf(text);
  return (
    <bdi>
      {parts.map(({ text: part, isEntity }, n) =>
        isEntity ? (
          <Link
            key={n}
            to="/alerts"
            search={{ q: part, ...(/^pid/i.test(part) && hostname !== null && alertsOfHost(hostname)) }}
            preload={false}
            className={styles.pivot ?? ''}
            title={`Alerts that mention ${part}`}
          >
            {part}
          </Link>
        ) : (
          <Fragment key={n}>{part}</Fragment>
        ),
      )}
    </bdi>
  );
}

/** Returns the text in parts, with those that name something to look for. */
export function partsOf(text: string): { text: string; isEntity: boolean }[] {
  const parts: { text: string; isEntity: boolean }[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ENTITY)) {
    // A full stop ends the sentence, not the name.
    const entity = match.replace(/\.+$/, '');
    if (index > end) parts.push({ text: text.slice(end, index), isEntity: false });
    parts.push({ text: entity, isEntity: true });
    end = index + entity.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isEntity: false });
  return parts;
}
