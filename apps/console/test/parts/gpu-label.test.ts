import { gpuLabel, slotOf } from '../../src/parts/gpu-label.ts';

it.each([
  ['GPU-e04b141a-e29b-48d4-b6a1-17e53e5954da', 'GPU-e04b141a'],
  ['node-1|0000:9d:00.0|vm', '0000:9d:00.0'],
  ['other', 'other'],
])('shortens the id %s', (id, label) => expect(gpuLabel(id)).toBe(label));

it.each([
  ['00000000:9D:00.0', '9D:00.0'],
  ['0000:17:00.0', '17:00.0'],
  ['17:00.0', '17:00.0'],
  ['', ''],
])('drops the domain of the PCIe address "%s"', (address, slot) => expect(slotOf(address)).toBe(slot));
