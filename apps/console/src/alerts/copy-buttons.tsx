import type { AlertDetail } from '../data/queries.ts';
import { useCopy } from '../parts/use-copy.ts';
import { useServices } from '../session/services.ts';
import styles from './alert-view.module.css';

/** Copies the link of the alert's page, the alert as JSON, or the request that returns it. */
export function CopyButtons({ alert }: { alert: AlertDetail }) {
  const { config } = useServices();
  const [status, copy] = useCopy();
  const link = new URL(`/alerts/${alert.id}`, window.location.href).href;
  const curl = `curl -H "Authorization: Bearer $TOKEN" '${config.fleet_url}/api/v1/alerts/${alert.id}'`;
  const json = () => JSON.stringify(alert, null, 2);
  return (
    <p className={styles.copy}>
      <button type="button" onClick={() => void copy(link, 'Copied the link.')}>
        Copy link
      </button>
      <button type="button" onClick={() => void copy(curl, 'Copied as curl.')}>
        Copy as curl
      </button>
      <button type="button" onClick={() => void copy(json(), 'Copied as JSON.')}>
        Copy as JSON
      </button>
      <span role="status">{status}</span>
    </p>
  );
}
