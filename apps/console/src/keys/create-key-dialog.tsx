import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKey, Workspace } from '../data/queries.ts';
import { Dialog, DialogButtons, FormError } from '../parts/dialog.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import styles from './keys.module.css';
import { ReadAccessFields } from './read-access-fields.tsx';
import { readAccessIn, saveReadAccess } from './read-access.ts';

interface CreateKeyDialogProps {
  /** The workspaces in which the user may create keys. */
  workspaces: Workspace[];
  /** `mayRead` is an error if the key was created but could not be allowed to read. */
  onCreated: (key: ApiKey, mayRead: boolean | Error) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ workspaces, onCreated, onClose }: CreateKeyDialogProps) {
  const services = useServices();
  const { workspace_id } = useScope();
  const [workspaceId, setWorkspaceId] = useState(workspace_id ?? workspaces[0]?.id);
  const isOwner = workspaces.find(({ id }) => id === workspaceId)?.role === 'owner';
  const create = useMutation({
    mutationFn: async (form: FormData) => {
      const expires = String(form.get('expires_at'));
      const { api_key } = await services.account.post('/api/v1/keys', {
        body: {
          name: String(form.get('name')).trim(),
          description: String(form.get('description')).trim(),
          workspace_id: Number(form.get('workspace_id')),
          ...(expires !== '' && { expires_at: new Date(`${expires}T23:59:59Z`).toISOString() }),
        },
      });
      const access = readAccessIn(form);
      if (!access.mayRead) return { api_key, mayRead: false };
      // The key exists from here on, so its secret is shown even if this fails.
      const mayRead = await saveReadAccess(services, api_key.id, access).then(
        () => true,
        (error: Error) => error,
      );
      return { api_key, mayRead };
    },
    onSuccess: ({ api_key, mayRead }) => onCreated(api_key, mayRead),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={100} autoFocus placeholder="rack 12 agent" />
        </label>
        <label>
          Description (optional)
          <input name="description" maxLength={1000} />
        </label>
        <label>
          Workspace
          <select
            name="workspace_id"
            value={workspaceId}
            onChange={({ target }) => setWorkspaceId(Number(target.value))}
          >
            {workspaces.map(({ id, name, customer_name }) => (
              <option key={id} value={id}>
                {name} ({customer_name})
              </option>
            ))}
          </select>
        </label>
        <label>
          Expires at the end of (UTC, optional)
          <input name="expires_at" type="date" min={new Date().toISOString().slice(0, 10)} />
        </label>
        {isOwner ? <ReadAccessFields initial={{ mayRead: false, allWorkspaces: false }} /> : null}
        <FormError error={create.error} />
        <DialogButtons>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" data-variant="primary" disabled={create.isPending}>
            Create the key
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
