import { createOperations, runOperations } from '@gpu-observatory/service-runtime';
import { migrations } from '../migrations/index.ts';
import { accountSettings } from './config/account.config.ts';
import { addCustomersCommands } from './customers/customers.command.ts';
import { operatorSettings } from './operations/owner-database.ts';
import { addSigningKeysCommands } from './signing-keys/signing-keys.command.ts';
import { addTenantsCommands } from './tenants/tenants.command.ts';
import { addUsersCommands } from './users/users.command.ts';

const program = createOperations({
  name: 'account-service',
  schema: 'account',
  migrations,
  settings: { ...accountSettings, ...operatorSettings },
  runtimeUrlVariables: ['DATABASE_URL'],
});
addTenantsCommands(program);
addCustomersCommands(program);
addUsersCommands(program);
addSigningKeysCommands(program);

await runOperations(program);
