import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { WriteBuffer } from '../../src/index.ts';
import { allocateBody, keepBody } from '../../src/http/body-memory.ts';
import { dropFreeBlocks, freeBlock, takeBlock } from '../../src/memory/reused-memory.ts';

const KB = 1024;
const MB = 1024 * KB;

afterEach(dropFreeBlocks);

describe('a free block', () => {
  test('is reused for a length that leaves at most a quarter unused', () => {
    const block = takeBlock(MB);
    freeBlock(block);
    expect(takeBlock(MB + 1)).not.toBe(block);
    expect(takeBlock(700 * KB)).not.toBe(block);
    expect(takeBlock(900 * KB)).toBe(block);
    expect(takeBlock(900 * KB)).not.toBe(block);
  });

  test('is reused for the same length, however short', () => {
    for (const bytes of [1, 17 * KB, 33 * KB]) {
      const block = takeBlock(bytes);
      freeBlock(block);
      expect(takeBlock(bytes)).toBe(block);
    }
  });

  test('is left for others where a shorter one fits', () => {
    const [long, short] = [takeBlock(MB), takeBlock(900 * KB)];
    freeBlock(long);
    freeBlock(short);
    expect(takeBlock(880 * KB)).toBe(short);
    expect(takeBlock(880 * KB)).toBe(long);
  });

  test('is dropped when 32 MB became free after it', () => {
    const blocks = Array.from({ length: 5 }, () => takeBlock(8 * MB));
    for (const block of blocks) freeBlock(block);
    const reused = blocks.map(() => takeBlock(8 * MB));
    expect(blocks.filter((block) => reused.includes(block))).toEqual(blocks.slice(1));
  });
});

describe('the memory of a body', () => {
  const responses = () => [1, 2].map(() => new ServerResponse(new IncomingMessage(new Socket())));
  const unlimited = new WriteBuffer({ total: Infinity, perOwner: Infinity });

  function send(body: Buffer): ServerResponse[] {
    const sent = responses();
    for (const response of sent) expect(unlimited.reserve(response, body, [])).toBe(true);
    return sent;
  }
  const isReused = ({ buffer }: Buffer) => allocateBody(MB).buffer === buffer;

  test('is reused when the last of its responses has closed', () => {
    const body = allocateBody(MB);
    for (const response of send(body)) {
      expect(isReused(body)).toBe(false);
      response.emit('close');
    }
    expect(isReused(body)).toBe(true);
    expect(isReused(body)).toBe(false);
  });

  test('is not reused when the body is kept', () => {
    const body = allocateBody(MB);
    keepBody(body);
    for (const response of send(body)) response.emit('close');
    expect(isReused(body)).toBe(false);
  });
});
