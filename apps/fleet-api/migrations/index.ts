import { CreateAlerts1795860000000 } from './2026-11-28-create-alerts.ts';
import { CreateGpus1795860060000 } from './2026-11-28-create-gpus.ts';
import { CreateImports1795310000000 } from './2026-11-22-create-imports.ts';
import { CreateMetrics1795569440000 } from './2026-11-25-create-metrics.ts';
import { CreatePartitions1795310060000 } from './2026-11-22-create-partitions.ts';

/** Every migration of the schema `fleet`, in order. */
export const migrations = [
  CreateImports1795310000000,
  CreatePartitions1795310060000,
  CreateMetrics1795569440000,
  CreateAlerts1795860000000,
  CreateGpus1795860060000,
];
