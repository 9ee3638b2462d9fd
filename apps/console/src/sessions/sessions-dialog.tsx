import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { methodsQuery, sessionsQuery, type UserSession } from '../data/queries.ts';
import { Dialog, DialogButtons, FormError } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { describeClient } from './describe-client.ts';
import styles from './sessions-dialog.module.css';

/** The active sessions of the user, each with a button that ends it, and the sign-out everywhere. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const services = useServices();
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery(services));
  const [isConfirming, setConfirming] = useState(false);
  const end = useMutation({
    mutationFn: ({ id }: UserSession) =>
      services.account.delete('/api/v1/sessions/{session_id}', { params: { path: { session_id: id } } }),
    // A failed request may have reached the service, so the list is always reloaded.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  });
  // This also ends the own session, which closes the dialog.
  const endAll = useMutation({ mutationFn: () => services.account.delete('/api/v1/sessions') });
  return (
    <Dialog title="Your sessions" onClose={onClose}>
      <Loaded query={sessions} skeleton={<Skeleton lines={3} height="2.5rem" />}>
        {(listed) => (
          <ul className={styles.sessions}>
            {listed.sessions.map((session) => (
              <Session
                key={session.id}
                session={session}
                isEnding={end.isPending && end.variables.id === session.id}
                onEnd={() => end.mutate(session)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <FormError error={end.error ?? endAll.error} />
      {isConfirming ? (
        <p role="status" className={styles.consequence}>
          This signs you out on every device, also here.
        </p>
      ) : null}
      <DialogButtons>
        <button type="button" onClick={isConfirming ? () => setConfirming(false) : onClose}>
          {isConfirming ? 'Cancel' : 'Close'}
        </button>
        <button
          type="button"
          data-variant="danger"
          disabled={endAll.isPending}
          onClick={() => (isConfirming ? endAll.mutate() : setConfirming(true))}
        >
          {isConfirming ? 'End all sessions' : 'Sign out everywhere'}
        </button>
      </DialogButtons>
    </Dialog>
  );
}

interface SessionProps {
  session: UserSession;
  isEnding: boolean;
  onEnd: () => void;
}

function Session({ session, isEnding, onEnd }: SessionProps) {
  const { data } = useQuery(methodsQuery(useServices()));
  const method = data?.methods.find(({ id }) => id === session.method)?.name ?? session.method;
  const client = describeClient(session.user_agent);
  return (
    <li>
      <div>
        <strong title={session.user_agent}>
          <bdi>{client}</bdi>
        </strong>
        <small>
          <bdi>{session.network}</bdi> · signed in <Time iso={session.signed_in_at} /> with {method}
          {session.last_refreshed_at === '' ? null : (
            <>
              {' '}
              · active <Time iso={session.last_refreshed_at} />
            </>
          )}
        </small>
      </div>
      {session.current ? (
        <span>This session</span>
      ) : (
        <button type="button" disabled={isEnding} aria-label={`End the session of ${client}`} onClick={onEnd}>
          End
        </button>
      )}
    </li>
  );
}
