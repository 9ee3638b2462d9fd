import { createOperations, runOperations } from '@gpu-observatory/service-runtime';
import { migrations } from '../migrations/index.ts';
import { fleetSettings, importSettings } from './config/settings.ts';
import { importCommand } from './imports/import.command.ts';

const program = createOperations({
  name: 'fleet-api',
  schema: 'fleet',
  migrations,
  settings: { ...fleetSettings, ...importSettings },
  runtimeUrlVariables: ['DATABASE_URL', 'IMPORTER_DATABASE_URL'],
});
program.addCommand(importCommand());
await runOperations(program);
