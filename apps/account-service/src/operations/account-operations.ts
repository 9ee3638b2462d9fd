import { createOperations } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { migrations } from '../../migrations/index.ts';
import { addKeysCommands } from '../api-keys/keys.command.ts';
import { addAuditCommands, auditorSettings } from '../audit/audit.command.ts';
import { addCleanUpCommand, retentionSettings } from '../clean-up/clean-up.command.ts';
import { accountSettings } from '../config/account.config.ts';
import { addSessionsCommands } from '../sessions/sessions.command.ts';
import {
  addCreateAdministratorCommand,
  administratorSettings,
} from '../sign-in/passwords/create-administrator.command.ts';
import { addPasswordsCommands } from '../sign-in/passwords/passwords.command.ts';
import { addSigningKeysCommands } from '../signing-keys/signing-keys.command.ts';
import { addCustomersCommands } from '../tenants/customers.command.ts';
import { addDomainsCommands } from '../tenants/domains.command.ts';
import { addMembersCommands } from '../tenants/members.command.ts';
import { addTenantsCommands } from '../tenants/tenants.command.ts';
import { addWorkspacesCommands } from '../tenants/workspaces.command.ts';
import { addUsersCommands } from '../users/users.command.ts';
import { operatorSettings } from './as-operator.ts';
import { addCommonOptions } from './output.ts';

/** Creates the operations CLI of account-service. */
export function accountOperations(): Command {
  const program = createOperations({
    name: 'account-service',
    schema: 'account',
    migrations,
    settings: {
      ...accountSettings,
      ...operatorSettings,
      ...administratorSettings,
      ...auditorSettings,
      ...retentionSettings,
    },
    runtimeUrlVariables: ['DATABASE_URL'],
  });
  addCommonOptions(program);
  addTenantsCommands(program);
  addCustomersCommands(program);
  addDomainsCommands(program);
  addWorkspacesCommands(program);
  addMembersCommands(program);
  const users = addUsersCommands(program);
  addCreateAdministratorCommand(users);
  addPasswordsCommands(program);
  addSessionsCommands(program);
  addKeysCommands(program);
  addSigningKeysCommands(program);
  addAuditCommands(program);
  addCleanUpCommand(program);
  return program;
}
