import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, keyScopesQuery, keysQuery, workspacesQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AccessDialog } from './access-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { readAccessOf } from './read-access.ts';
import { SecretDialog, type ShownSecret } from './secret-dialog.tsx';
import list from '../parts/list-view.module.css';

type Change = { kind: 'rotate' | 'delete'; key: ApiKey };

/** The API keys of the user's workspaces, and their lifecycle. */
export function Keys() {
  useTitle('Keys');
  const services = useServices();
  const queryClient = useQueryClient();
  const scope = useScope();
  const keys = useQuery(keysQuery(services));
  const workspaces = useQuery(workspacesQuery(services));
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<Change>();
  const [secret, setSecret] = useState<ShownSecret>();
  const [shownAccess, setShownAccess] = useState<ApiKey>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['keys'] });

  const apply = useMutation({
    mutationFn: async ({ kind, key }: Change) => {
      const params = { path: { key_id: key.id } };
      if (kind === 'delete') {
        await services.account.delete('/api/v1/keys/{key_id}', { params });
        return undefined;
      }
      const { api_key } = await services.account.post('/api/v1/keys/{key_id}/rotate', { params });
      // The old secret is gone, so the new one is shown even if this fails.
      const mayRead = await queryClient.fetchQuery(keyScopesQuery(services, key.id)).then(
        (scopes) => readAccessOf(scopes).mayRead,
        (error: Error) => error,
      );
      return shownSecret(api_key, { isReplacement: true, mayRead });
    },
    onSuccess: (rotated) => {
      setChange(undefined);
      setSecret(rotated);
    },
    // A failed request may have reached the service, so the list is always reloaded.
    onSettled: refresh,
  });

  const roles = new Map(workspaces.data?.workspaces.map(({ id, role }) => [id, role]));
  const writable = workspaces.data?.workspaces.filter(({ role }) => role !== 'viewer') ?? [];
  return (
    <div className={list.view}>
      <header className={list.head}>
        <h1>Keys</h1>
        <p>
          An agent authenticates with a key of its workspace. A key can also let a program read.
          {workspaces.data && writable.length === 0
            ? ' You may view keys, not change them: your role is viewer.'
            : ''}
        </p>
        {writable.length > 0 ? (
          <div className={list.tools}>
            <button type="button" data-variant="primary" onClick={() => setCreating(true)}>
              Create a key
            </button>
          </div>
        ) : null}
      </header>
      <Loaded query={keys} skeleton={<Skeleton lines={6} height="2rem" />}>
        {({ api_keys }) => {
          const listed = api_keys.filter(
            ({ workspace_id, customer_id }) =>
              (scope.workspace_id === undefined || workspace_id === scope.workspace_id) &&
              (scope.customer_id === undefined || customer_id === scope.customer_id),
          );
          return listed.length === 0 ? (
            <Empty title={api_keys.length === 0 ? 'No keys yet.' : 'No keys in this scope.'}>
              <p>
                {writable.length > 0
                  ? 'Create one and put it into the configuration of an agent.'
                  : workspaces.data
                    ? 'You may view keys but not create them. Ask an owner or member of the workspace.'
                    : 'Whether you may create one is not known yet.'}
              </p>
            </Empty>
          ) : (
            <KeyTable
              keys={listed}
              mayChange={({ workspace_id }) =>
                roles.has(workspace_id) && roles.get(workspace_id) !== 'viewer'
              }
              onAccess={setShownAccess}
              onRotate={(key) => setChange({ kind: 'rotate', key })}
              onDelete={(key) => setChange({ kind: 'delete', key })}
            />
          );
        }}
      </Loaded>
      {isCreating ? (
        <CreateKeyDialog
          workspaces={writable}
          onClose={() => setCreating(false)}
          onCreated={(created, mayRead) => {
            setCreating(false);
            setSecret(shownSecret(created, { isReplacement: false, mayRead }));
            void refresh();
          }}
        />
      ) : null}
      {change ? (
        <ConfirmDialog
          title={change.kind === 'delete' ? `Delete “${change.key.name}”?` : `Rotate “${change.key.name}”?`}
          apiKey={change.key}
          consequence={
            change.kind === 'delete'
              ? 'Agents with this key can no longer authenticate. A deleted key cannot be restored.'
              : 'The old secret stops working at once. Agents with it fail until you configure the new one.'
          }
          action={change.kind === 'delete' ? 'Delete the key' : 'Rotate the key'}
          isPending={apply.isPending}
          error={apply.error}
          onConfirm={() => apply.mutate(change)}
          onClose={() => {
            setChange(undefined);
            apply.reset();
          }}
        />
      ) : null}
      {shownAccess ? (
        <AccessDialog
          apiKey={shownAccess}
          mayGrant={roles.get(shownAccess.workspace_id) === 'owner'}
          onClose={() => setShownAccess(undefined)}
        />
      ) : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(undefined)} /> : null}
    </div>
  );
}

function shownSecret(
  { id, name, workspace_name, key }: ApiKey,
  details: Pick<ShownSecret, 'isReplacement' | 'mayRead'>,
): ShownSecret {
  return { id, name, workspaceName: workspace_name, key, ...details };
}
