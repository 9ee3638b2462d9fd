import { createOperations, runOperations } from '@gpu-observatory/service-runtime/process';
import { migrations } from '../migrations/index.ts';
import { retentionSettings } from './config/retention.config.ts';
import { fleetSettings, importSettings } from './config/settings.ts';
import { importCommand } from './importer/import.command.ts';
import { scrapeCommand } from './importer/scrape/scrape.command.ts';
import { distributeCommand } from './operations/distribute/distribute.command.ts';
import { metricsCommand } from './operations/metrics/metrics.command.ts';
import { partitionsCommand } from './operations/partitions/partitions.command.ts';
import { retentionCommand } from './operations/retention/retention.command.ts';

const program = createOperations({
  name: 'fleet-api',
  schema: 'fleet',
  migrations,
  settings: { ...fleetSettings, ...importSettings, ...retentionSettings },
  runtimeUrlVariables: ['DATABASE_URL', 'IMPORTER_DATABASE_URL'],
});
program.addCommand(importCommand());
program.addCommand(scrapeCommand());
program.addCommand(partitionsCommand());
program.addCommand(retentionCommand());
program.addCommand(metricsCommand());
program.addCommand(distributeCommand());
await runOperations(program);
