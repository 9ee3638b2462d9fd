/** The events that the tabs of one browser send each other about their common cookie session. */
export type SessionEvent = 'refreshed' | 'expired' | 'signed-out';

/** Time for the message of another tab to arrive after that tab has released the lock, in ms. */
const MESSAGE_DELAY_MS = 50;

/** Coordinates the tabs of one browser that share a cookie session. Without other tabs it changes nothing. */
export class Tabs {
  private readonly name: string;
  private readonly channel: InstanceType<typeof BroadcastChannel> | undefined;
  private refreshes = 0;

  /** @param accountUrl the account service; its sessions are independent of those of others */
  constructor(accountUrl: string, onEvent: (event: SessionEvent) => void) {
    this.name = `gpu-observatory session ${accountUrl}`;
    if (typeof BroadcastChannel === 'undefined') return;
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = ({ data }: { data: unknown }) => {
      if (data === 'refreshed') this.refreshes += 1;
      onEvent(data as SessionEvent);
    };
    // In Node an open channel would keep the process running.
    (this.channel as { unref?: () => void }).unref?.();
  }

  announce(event: SessionEvent): void {
    this.channel?.postMessage(event);
  }

  /**
   * Runs `refresh` in one tab at a time.
   *
   * @returns its result, or true when another tab has refreshed the session while this one waited
   */
  async refreshOnce(refresh: () => Promise<boolean>): Promise<boolean> {
    const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
    if (!locks) return refresh();
    const refreshesBefore = this.refreshes;
    const refreshedNow = await locks.request(this.name, { ifAvailable: true }, (lock) =>
      lock === null ? undefined : refresh(),
    );
    if (refreshedNow !== undefined) return refreshedNow;
    return locks.request(this.name, async () => {
      await new Promise((resolve) => setTimeout(resolve, MESSAGE_DELAY_MS));
      return this.refreshes > refreshesBefore || refresh();
    });
  }
}
