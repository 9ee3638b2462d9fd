import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

type Key = (string | number)[];

/**
 * A random number generator that is seeded by a key. The same key gives the same sequence. All keys begin with the seed
 * of the simulation, so the simulator needs no state between two runs.
 */
export class SeededRandom {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(...key: Key) {
    this.#generator = xoroshiro128plus(hashOf(key));
  }

  /** Returns a number in [0, 1). */
  fraction(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  /** Returns a number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.fraction();
  }

  /** Returns an integer in [low, high]. */
  integer(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.fraction());
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(choices.length * this.fraction())]!;
  }

  /** Returns one of the choices, with a probability proportional to its weight. */
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

/** Hashes two integers to a number in [-1, 1). Much cheaper than a generator, for the readings of every GPU. */
export function noise(first: number, second: number): number {
  return mix32(mix32(first) ^ (second | 0)) / 0x8000_0000;
}

/** Hashes a key to a UUID in version 4 format. Keys that differ only in `number` never collide. */
export function uuidOf(seed: number, name: string, number: number): string {
  const words = [0, 1, 2, 3].map((word) => {
    const salt = hashOf([seed, name, word]);
    return (mix32(mix32(number) ^ salt) >>> 0).toString(16).padStart(8, '0');
  });
  const hex = words.join('');
  const variant = '89ab'[parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Hashes a key with FNV-1a and mixes the bits, so that similar keys give unrelated sequences. */
function hashOf(key: Key): number {
  let hash = 0x811c_9dc5;
  for (const part of key) {
    const text = `${part}|`;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  }
  return mix32(hash);
}

/** Mixes the bits with the finalizer of MurmurHash3, a bijection of 32-bit integers. */
function mix32(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
