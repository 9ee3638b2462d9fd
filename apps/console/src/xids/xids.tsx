import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { formatCount } from '../data/format.ts';
import { ExportMenu } from '../parts/export-menu.tsx';
import { Facet } from '../parts/facet.tsx';
import { FilterPanel } from '../parts/filter-panel.tsx';
import { isSheetOpen } from '../parts/filter-sheet.ts';
import list from '../parts/list-view.module.css';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { listOf, toggledList } from '../parts/value-list.ts';
import { useViewWindow, WindowPicker } from '../parts/view-window.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { dayOf, withoutXidFilters, XID_PARAMETERS, xidFilters } from './filters.ts';
import { HostDaysTable } from './host-days.tsx';
import { daysOf, hostDaysOf, repeatedCodes, SUSPICIOUS_GPUS } from './incident-days.ts';
import { IncidentList } from './incident-list.tsx';
import { newestXidsQuery, xidGroupsQuery } from './queries.ts';
import { RepeatedFaults } from './repeated-faults.tsx';
import styles from './xids.module.css';

const INITIAL_WINDOW = '7d';

/** XID incidents by code, host and day. Each choice narrows the others and the incidents below. */
export function Xids() {
  useTitle('XIDs');
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { from, fromMs, toMs, title } = useViewWindow(INITIAL_WINDOW);
  const isSheet = isSheetOpen(search);
  const update = useCallback(
    (change: Partial<Search>) =>
      void navigate({
        to: '.',
        search: (current) => ({ ...current, ...change }),
        replace: isSheet,
        resetScroll: false,
      }),
    [navigate, isSheet],
  );
  const codes = useQuery(xidGroupsQuery(services, 'code', xidFilters(search, scope, from, ['code'])));
  const byHost = useQuery(xidGroupsQuery(services, 'host', xidFilters(search, scope, from, ['host', 'day'])));
  const byDay = useQuery(xidGroupsQuery(services, 'day', xidFilters(search, scope, from, ['host', 'day'])));
  const newest = useQuery(newestXidsQuery(services, xidFilters(search, scope, from, ['host', 'day'])));
  const days = useMemo(() => daysOf(fromMs, toMs), [fromMs, toMs]);
  const names = new Map(codes.data?.map(({ code, name = '' }) => [String(code), name]));
  const total = byDay.data?.reduce((sum, { incidents }) => sum + incidents, 0);
  const filterCount = XID_PARAMETERS.filter((name) => search[name]).length;
  const isEmpty = codes.data?.length === 0 && filterCount === 0;
  const clear = () => update(withoutXidFilters(search));
  const totalText =
    total === undefined ? '' : `${formatCount(total)} ${total === 1 ? 'incident' : 'incidents'}`;

  return (
    <div className={list.view}>
      <header className={list.head}>
        <h1>XIDs</h1>
        <p aria-live="polite">
          {total !== undefined && byHost.data && !isEmpty
            ? `${totalText} on ${formatCount(byHost.data.length)} ${byHost.data.length === 1 ? 'host' : 'hosts'}`
            : ''}
        </p>
        <StaleNote />
        <div className={list.tools}>
          <WindowPicker initial={INITIAL_WINDOW} />
          <ExportMenu
            path="/api/v1/xid-incidents"
            query={xidFilters(search, scope, from)}
            name="xid-incidents"
            title="All incidents that match the filters"
          />
        </div>
      </header>
      <div className={list.body}>
        {isEmpty ? null : (
          <FilterPanel
            count={filterCount}
            resultText={totalText}
            onClear={filterCount > 0 ? clear : undefined}
          >
            <Chosen label="Host" value={search.host} onRemove={() => update({ host: undefined })} />
            <Chosen label="Day, UTC" value={dayOf(search.day)} onRemove={() => update({ day: undefined })} />
            <Loaded query={codes} skeleton={<Skeleton lines={10} />}>
              {(groups) => (
                <Facet
                  title="Code"
                  counts={groups.map(({ code, incidents }) => ({ value: String(code), count: incidents }))}
                  selected={listOf(search.code)}
                  onToggle={(value) => update({ code: toggledList(search.code, value) })}
                  render={(value) => (
                    <span title={names.get(value)}>
                      {value} <span className={styles.quiet}>{names.get(value)}</span>
                    </span>
                  )}
                />
              )}
            </Loaded>
          </FilterPanel>
        )}
        <div className={styles.parts}>
          <Loaded query={newest} skeleton={<Skeleton height="18rem" />}>
            {({ incidents, isComplete }) =>
              incidents.length === 0 ? (
                <NoIncidents title={title} isFiltered={Boolean(search.code)} onClear={clear} />
              ) : (
                <>
                  <RepeatedFaults
                    repeated={repeatedCodes(incidents).filter(({ gpuCount }) => gpuCount >= SUSPICIOUS_GPUS)}
                  />
                  <Panel title="Hosts by day, UTC" isLive>
                    {isComplete ? null : (
                      <p className={styles.note}>
                        The days are those of the newest {formatCount(incidents.length)} incidents; the sums
                        are of all. Choose a code or a shorter window to see each day.
                      </p>
                    )}
                    <HostDaysTable
                      hosts={hostDaysOf(byHost.data ?? [], incidents)}
                      days={days}
                      totals={new Map(byDay.data?.map(({ day = '', incidents: count }) => [day, count]))}
                      host={search.host}
                      day={dayOf(search.day)}
                      onSelect={update}
                    />
                  </Panel>
                  <IncidentList filters={xidFilters(search, scope, from)} onClear={clear} />
                </>
              )
            }
          </Loaded>
        </div>
      </div>
    </div>
  );
}

interface ChosenProps {
  label: string;
  value: string | undefined;
  onRemove: () => void;
}

/** A filter that was set by a click on the table, with a button that removes it. */
function Chosen({ label, value, onRemove }: ChosenProps) {
  if (!value) return null;
  return (
    <p className={styles.chosen}>
      <span className={styles.quiet}>{label}</span>
      <strong>
        <bdi>{value}</bdi>
      </strong>
      <button type="button" onClick={onRemove} aria-label={`Remove the filter ${label} ${value}`}>
        ×
      </button>
    </p>
  );
}

function NoIncidents({
  title,
  isFiltered,
  onClear,
}: {
  title: string;
  isFiltered: boolean;
  onClear: () => void;
}) {
  return isFiltered ? (
    <Empty title={`No incident with this code in the last ${title}.`}>
      <button type="button" onClick={onClear}>
        Clear filters
      </button>
    </Empty>
  ) : (
    <Empty title={`No XID in the last ${title}.`}>
      <p>
        XIDs are known of hosts whose kernel log is imported, or whose exporter has DCGM’s XID field. Choose a
        longer window to see earlier ones.
      </p>
    </Empty>
  );
}
