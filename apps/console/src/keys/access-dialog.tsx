import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiKey, keyScopesQuery } from '../data/queries.ts';
import { Dialog, DialogButtons, FormError } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { AccessGuide } from './access-guide.tsx';
import styles from './keys.module.css';
import { ReadAccessFields } from './read-access-fields.tsx';
import { readAccessIn, readAccessOf, saveReadAccess } from './read-access.ts';
import { useCopy } from './use-copy.ts';

interface AccessDialogProps {
  apiKey: ApiKey;
  /** Whether the user is an owner of the workspace. */
  mayGrant: boolean;
  onClose: () => void;
}

/** Shows what a key reads, lets an owner change it, and shows how a program uses it. */
export function AccessDialog({ apiKey, mayGrant, onClose }: AccessDialogProps) {
  const services = useServices();
  const scopes = useQuery(keyScopesQuery(services, apiKey.id));
  const { message, copy } = useCopy();
  const [isSaved, setSaved] = useState(false);
  const save = useMutation({
    mutationFn: (form: FormData) => saveReadAccess(services, apiKey.id, readAccessIn(form)),
    onSuccess: () => setSaved(true),
    onSettled: () => scopes.refetch(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaved(false);
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={`Access of “${apiKey.name}”`} onClose={onClose}>
      <Loaded query={scopes} skeleton={<Skeleton lines={3} height="2rem" />}>
        {(loaded) => {
          const current = readAccessOf(loaded);
          return (
            <form className={styles.form} onSubmit={submit}>
              {mayGrant ? (
                <ReadAccessFields initial={current} />
              ) : (
                <p>
                  {current.mayRead
                    ? 'The key may read the fleet data.'
                    : 'The key may not read the fleet data. An owner of its workspace can allow it.'}
                </p>
              )}
              {current.mayRead ? (
                <AccessGuide client={{ keyId: apiKey.id, secret: 'YOUR-KEY' }} onCopy={copy} />
              ) : null}
              <FormError error={save.error} />
              <DialogButtons>
                <span role="status">{isSaved ? 'Saved.' : message}</span>
                <button type="button" onClick={onClose}>
                  Close
                </button>
                {mayGrant ? (
                  <button type="submit" data-variant="primary" disabled={save.isPending}>
                    Save the access
                  </button>
                ) : null}
              </DialogButtons>
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
