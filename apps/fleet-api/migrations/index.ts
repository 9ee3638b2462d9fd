import { CountAlertsWithoutTypes1795246200000 } from './2026-11-21-count-alerts-without-types.ts';
import { CreateAlerts1795219260000 } from './2026-11-21-create-alerts.ts';
import { CreateGpus1795219230000 } from './2026-11-21-create-gpus.ts';
import { CreateImports1795219200000 } from './2026-11-21-create-imports.ts';
import { CreateMetrics1795244400000 } from './2026-11-21-create-metrics.ts';
import { IndexAlertOrders1795219320000 } from './2026-11-21-index-alert-orders.ts';
import { IndexAlertsOfWorkspaces1795249800000 } from './2026-11-21-index-alerts-of-workspaces.ts';
import { KeepEachKindForItsTime1795240800000 } from './2026-11-21-keep-each-kind-for-its-time.ts';
import { KnowTheWorkspacesOfKeys1795248000000 } from './2026-11-21-know-the-workspaces-of-keys.ts';
import { SumGpuDays1795309200000 } from './2026-11-22-sum-gpu-days.ts';
import { TimeAlertStates1795219290000 } from './2026-11-21-time-alert-states.ts';

/** Every migration of the schema `fleet`, in order. */
export const migrations = [
  CreateImports1795219200000,
  CreateGpus1795219230000,
  CreateAlerts1795219260000,
  TimeAlertStates1795219290000,
  IndexAlertOrders1795219320000,
  KeepEachKindForItsTime1795240800000,
  CreateMetrics1795244400000,
  CountAlertsWithoutTypes1795246200000,
  KnowTheWorkspacesOfKeys1795248000000,
  IndexAlertsOfWorkspaces1795249800000,
  SumGpuDays1795309200000,
];
