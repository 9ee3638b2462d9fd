import { TextMemory } from '../../src/process.ts';

const KB = 1024;
const bytes = (letter: string, length = 100 * KB) => Buffer.alloc(length, letter);

test('keeps copies while other reads use memory, also of texts that are longer than a block', () => {
  using first = new TextMemory();
  using second = new TextMemory();
  const texts = ['a', 'b', 'c', 'd'].map((letter, n) => bytes(letter, n === 2 ? 1_000 * KB : 100 * KB));
  const copies = texts.map((text, n) => (n % 2 === 0 ? first : second).copy(text));
  expect(copies).toEqual(texts);
});

test('reuses the memory of a read that has ended', () => {
  const first = new TextMemory();
  const copy = first.copy(bytes('a'));
  first[Symbol.dispose]();
  using second = new TextMemory();
  expect(second.copy(bytes('b')).buffer).toBe(copy.buffer);
});

test('does not write to memory that it has freed', () => {
  const abandoned = new TextMemory();
  abandoned.copy(bytes('a'));
  abandoned[Symbol.dispose]();
  using next = new TextMemory();
  const copy = next.copy(bytes('b'));
  abandoned.copy(bytes('c'));
  expect(copy).toEqual(bytes('b'));
});
