import { Link, useParams } from '@tanstack/react-router';
import { AlertView } from './alert-view.tsx';
import styles from './alert-page.module.css';

/** A separate page for one alert, to link to. */
export function AlertPage() {
  const { id } = useParams({ from: '/alerts/$id' });
  return (
    <div className={styles.page}>
      <p>
        {/* The filters, sort and window of the list that led here. */}
        <Link to="/alerts" search={(search) => search}>
          All alerts
        </Link>
      </p>
      <AlertView id={id} isPage />
    </div>
  );
}
