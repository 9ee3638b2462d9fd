import fc from 'fast-check';
import { normalizePciAddress } from '../../../src/importer/formats/xid/pci-address.ts';

test('normalizes all forms of a PCI address', () => {
  const hex = (digits: number) => fc.integer({ min: 0, max: 16 ** digits - 1 });
  fc.assert(
    fc.property(
      hex(4),
      hex(2),
      fc.integer({ min: 0, max: 31 }),
      fc.boolean(),
      (domain, bus, device, upper) => {
        const part = (value: number, digits: number) => {
          const text = value.toString(16).padStart(digits, '0');
          return upper ? text.toUpperCase() : text;
        };
        const tail = `${part(bus, 2)}:${part(device, 2)}`;
        const nvml = `${part(domain, 8)}:${tail}.0`;
        const forms = [`PCI:${part(domain, 4)}:${tail}`, `${part(domain, 4)}:${tail}.0`, nvml];
        expect(new Set(forms.map(normalizePciAddress))).toEqual(new Set([nvml.toUpperCase()]));
      },
    ),
  );
  expect(normalizePciAddress('GPU-1')).toBeNull();
});
