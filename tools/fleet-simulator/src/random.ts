import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

type Key = (string | number)[];

/**
 * Chance that can be repeated: a `Dice` made from the same key always falls the same way. Everything in the
 * simulator is a function of a key that begins with the seed, so nothing has to be remembered between two runs.
 */
export class Dice {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(...key: Key) {
    this.#generator = xoroshiro128plus(hashOf(key));
  }

  /** In [0, 1). */
  fraction(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  /** In [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.fraction();
  }

  /** A whole number, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.fraction());
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(choices.length * this.fraction())]!;
  }

  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let left = this.fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices[0]![0];
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.integer(0, 9)).join('');
  }
}

/** A number in [-1, 1) that belongs to two whole numbers: cheap enough for every reading of every GPU. */
export function noise(first: number, second: number): number {
  return mixed(mixed(first) ^ (second | 0)) / 0x8000_0000;
}

/** A version 4 shaped UUID that belongs to a key. Keys that differ in `number` alone never share one. */
export function uuidOf(seed: number, name: string, number: number): string {
  const words = [0, 1, 2, 3].map((word) => {
    const salt = hashOf([seed, name, word]);
    return (mixed(mixed(number) ^ salt) >>> 0).toString(16).padStart(8, '0');
  });
  const hex = words.join('');
  const variant = '89ab'[parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** FNV-1a over the parts, then mixed: neighbouring keys must not give neighbouring generators. */
function hashOf(key: Key): number {
  let hash = 0x811c_9dc5;
  for (const part of key) {
    const text = `${part}|`;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  }
  return mixed(hash);
}

/** The finalizer of MurmurHash3: a bijection of 32-bit numbers. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
