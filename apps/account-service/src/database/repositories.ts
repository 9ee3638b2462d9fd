import { repositoriesOf } from '@gpu-observatory/service-runtime/entities';
import { ApiKey } from '../api-keys/api-key.entity.ts';
import { Session } from '../sessions/session.entity.ts';
import { SigningKey } from '../signing-keys/signing-key.entity.ts';
import { CustomerDomain } from '../tenants/customer-domain.entity.ts';
import { Customer } from '../tenants/customer.entity.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import { User } from '../users/user.entity.ts';
import { WorkspaceMember } from '../workspaces/workspace-member.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

export const ENTITIES = [
  Customer,
  CustomerDomain,
  Workspace,
  WorkspaceMember,
  User,
  UserIdentity,
  ApiKey,
  Session,
  SigningKey,
];

/** Returns a repository whose statements run on a database or transaction. */
export const repository = await repositoriesOf('account', ENTITIES);
