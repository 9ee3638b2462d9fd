import { entitiesOf } from '../../src/alerts/entities.ts';

const namesIn = (text: string) =>
  entitiesOf(text)
    .filter(({ isEntity }) => isEntity)
    .map((part) => part.text);

describe('names in a text to look for', () => {
  it.each([
    ['kworkerd (pid 48213) was started from /tmp/.a/run', ['pid 48213', '/tmp/.a/run']],
    ['terminal started, ppid 1119150', []],
    ['sent 3 MiB to 203.0.113.9:4444 within 2 minutes', ['203.0.113.9']],
    ['curl -fsSL http://updates.example.com/i.sh', ['updates.example.com']],
    ['it read /etc/shadow.', ['/etc/shadow']],
    ['firmware 96.00.99.00.01, asked 10.0.0.1.', ['10.0.0.1']],
    ['python3 train.py --lr 0.1 and libcuda.so', []],
  ])('in %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it('keep the rest of the text', () => {
    const text = 'pid 12 opened /dev/nvidia0 of 10.0.0.1.';
    expect(
      entitiesOf(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
