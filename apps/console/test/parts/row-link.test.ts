import { isPlainClick } from '../../src/parts/row-link.ts';

const click = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

it('opens an alert next to the list on a plain click', () => {
  expect(isPlainClick(click)).toBe(true);
});

it.each([
  ['the middle button', { button: 1 }],
  ['Ctrl', { ctrlKey: true }],
  ['Command', { metaKey: true }],
  ['Shift', { shiftKey: true }],
  ['Alt', { altKey: true }],
])('leaves a click with %s to the browser', (_name, change) => {
  expect(isPlainClick({ ...click, ...change })).toBe(false);
});
