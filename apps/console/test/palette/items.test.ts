import { fleetItems, viewItems, xidItems } from '../../src/palette/items.ts';
import { gpuOf } from '../support/fake-fleet.ts';

const gpus = [
  gpuOf('GPU-1', { hostname: 'node-1', pcie_address: '00000000:17:00.0', serial_no: '4711' }),
  gpuOf('GPU-2', { hostname: 'node-1', pcie_address: '00000000:9D:00.0' }),
  gpuOf('GPU-3', { hostname: 'my-node-1', pcie_address: '00000000:17:00.0' }),
];
const titles = (items: { title: string }[]) => items.map(({ title }) => title);

it('finds hosts by a part of their name, those that begin with it first', () => {
  const found = fleetItems('node-1', gpus);
  expect(titles(found.hosts)).toEqual(['node-1', 'my-node-1']);
  expect(found.hosts[0]).toMatchObject({ detail: '2 GPUs', target: { params: { hostname: 'node-1' } } });
  // The GPUs of several hosts would hide the rest.
  expect(found.gpus).toEqual([]);
});

it('finds GPUs of the only matching host, and by slot and serial number', () => {
  expect(titles(fleetItems('MY-NODE', gpus).gpus)).toEqual(['my-node-1 17:00.0']);
  expect(titles(fleetItems('node-1 9d', gpus).gpus)).toEqual(['node-1 9D:00.0']);
  expect(titles(fleetItems('4711', gpus).gpus)).toEqual(['node-1 17:00.0']);
});

it.each(['79', 'xid 79', 'XID79'])('finds the incidents of the code in "%s"', (text) => {
  expect(xidItems(text)).toMatchObject([{ title: 'XID 79', target: { search: { code: '79' } } }]);
});

it('finds no code in other texts, and views by a part of their title or what they show', () => {
  expect(xidItems('h100-79')).toEqual([]);
  expect(titles(viewItems('usa'))).toEqual(['Usage']);
  expect(titles(viewItems('idle'))).toEqual(['Usage']);
  expect(viewItems('')).toHaveLength(8);
});
