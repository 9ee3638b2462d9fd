import { CreateAlerts1795219260000 } from './2026-11-21-create-alerts.ts';
import { CreateGpus1795219230000 } from './2026-11-21-create-gpus.ts';
import { CreateImports1795219200000 } from './2026-11-21-create-imports.ts';
import { IndexAlertOrders1795219320000 } from './2026-11-21-index-alert-orders.ts';
import { TimeAlertStates1795219290000 } from './2026-11-21-time-alert-states.ts';

/** Every migration of the schema `fleet`, in order. */
export const migrations = [
  CreateImports1795219200000,
  CreateGpus1795219230000,
  CreateAlerts1795219260000,
  TimeAlertStates1795219290000,
  IndexAlertOrders1795219320000,
];
