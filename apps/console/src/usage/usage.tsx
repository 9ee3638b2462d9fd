import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { idleQuery } from '../data/fleet-queries.ts';
import { workspacesQuery } from '../data/queries.ts';
import list from '../parts/list-view.module.css';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Segmented } from '../parts/segmented.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useViewWindow, WindowPicker } from '../parts/view-window.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { IdleGpus } from './idle-gpus.tsx';
import { INITIAL_WINDOW, usageQuery } from './queries.ts';
import { UsageTable } from './usage-table.tsx';
import { UsageTotals } from './usage-totals.tsx';
import styles from './usage.module.css';

const GROUPINGS = [
  ['workspace', 'Workspaces'],
  ['model', 'Models'],
  ['host', 'Hosts'],
] as const;
const SORTS = [
  ['idle', 'Most idle hours first'],
  ['busy', 'Most busy hours first'],
  ['missing', 'Most missing hours first'],
  ['energy', 'Most energy first'],
  ['gpus', 'Most GPUs first'],
  ['name', 'Name, A to Z'],
] as const;

/** What the fleet was used for: GPU-hours and energy by workspace, and the GPUs that did nothing. */
export function Usage() {
  useTitle('Usage');
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { title, from, previousFrom } = useViewWindow(INITIAL_WINDOW);
  const group_by = GROUPINGS.find(([value]) => value === search.by)?.[0] ?? 'workspace';
  const sort = SORTS.find(([value]) => value === search.sort)?.[0] ?? 'idle';
  const filters = { ...scope, group_by, sort };
  const usage = useQuery(usageQuery(services, { ...filters, from }));
  const before = useQuery(usageQuery(services, { ...filters, from: previousFrom, to: from }));
  const idle = useQuery(idleQuery(services, { ...scope, from }));
  const { data: listed } = useQuery(workspacesQuery(services));
  const workspaces = new Map(listed?.workspaces.map(({ id, name }) => [id, name]));
  const update = (change: Search) =>
    void navigate({ to: '.', search: (current) => ({ ...current, ...change }), resetScroll: false });
  return (
    <div className={styles.view}>
      <header className={list.head}>
        <h1>Usage</h1>
        <p>{`GPU-hours of ${title}, and the change from the ${title} before`}</p>
        <StaleNote />
        <div className={list.tools}>
          <WindowPicker initial={INITIAL_WINDOW} />
        </div>
      </header>
      <Loaded query={usage} skeleton={<Skeleton height="6rem" />}>
        {({ total }) =>
          total.gpu_count === 0 ? (
            <Empty title={`No GPU has sent telemetry in ${title}.`}>
              <p>Choose a longer window, or import samples of GPUs.</p>
            </Empty>
          ) : (
            <UsageTotals total={total} before={before.data?.total} />
          )
        }
      </Loaded>
      <Panel
        title="Who uses the GPUs"
        aside={
          <>
            <select
              aria-label="Order"
              value={sort}
              onChange={({ target }) => update({ sort: target.value === 'idle' ? undefined : target.value })}
            >
              {SORTS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
            <Segmented
              label="Group by"
              options={GROUPINGS}
              selected={group_by}
              onSelect={(value) => update({ by: value === 'workspace' ? undefined : value })}
            />
          </>
        }
      >
        <Loaded query={usage} skeleton={<Skeleton lines={4} height="2.4rem" />}>
          {({ groups, group_count }) => (
            <>
              <UsageTable groups={groups} before={before.data?.groups} workspaces={workspaces} />
              {group_count > groups.length ? (
                <p className={styles.quiet}>
                  The first {formatCount(groups.length)} of {formatCount(group_count)}.
                </p>
              ) : null}
            </>
          )}
        </Loaded>
      </Panel>
      <Panel
        title={`GPUs idle for ${title}`}
        aside={
          idle.data
            ? `${idle.data.isComplete ? '' : 'at least '}${formatCount(idle.data.gpus.length)} GPUs with a mean utilization below 5 %`
            : null
        }
      >
        <Loaded query={idle} skeleton={<Skeleton lines={8} height="2rem" />}>
          {({ gpus }) =>
            gpus.length === 0 ? (
              <Empty title={`None. Every GPU with readings had work in ${title}.`} />
            ) : (
              <IdleGpus gpus={gpus} workspaces={workspaces} />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}
