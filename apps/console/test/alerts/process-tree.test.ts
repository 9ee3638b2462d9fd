import { processTrees } from '../../src/alerts/process-tree.ts';
import type { TimelineEvent } from '../../src/data/queries.ts';

const eventOf = (pid: number, event_info: string) => ({ pid, event_info }) as TimelineEvent;

it('has the processes of the events under their parents, and none for events of the kernel', () => {
  const events = [eventOf(0, 'Xid 79'), eventOf(41, 'started'), eventOf(42, 'started, ppid=41')];
  const trees = processTrees(events, null);
  expect(trees.map(({ pid, children }) => [pid, children.map((child) => child.pid)])).toEqual([[41, [42]]]);
});
