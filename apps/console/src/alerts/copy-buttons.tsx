import { useEffect, useState } from 'react';
import type { AlertDetail } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import styles from './alert-view.module.css';

const SHOWN_MS = 2_000;

/** Copies the alert as JSON, or as the request that returns it. */
export function CopyButtons({ alert }: { alert: AlertDetail }) {
  const { config } = useServices();
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const texts = {
    curl: `curl -H "Authorization: Bearer $TOKEN" '${config.fleet_url}/api/v1/alerts/${alert.id}'`,
    JSON: JSON.stringify(alert, null, 2),
  };
  const copy = async (name: keyof typeof texts) => {
    try {
      await navigator.clipboard.writeText(texts[name]);
      setCopied(`Copied as ${name}.`);
    } catch {
      setCopied('The browser did not allow access to the clipboard.');
    }
  };
  return (
    <p className={styles.copy}>
      <button type="button" onClick={() => void copy('curl')}>
        Copy as curl
      </button>
      <button type="button" onClick={() => void copy('JSON')}>
        Copy as JSON
      </button>
      <span role="status">{copied}</span>
    </p>
  );
}
