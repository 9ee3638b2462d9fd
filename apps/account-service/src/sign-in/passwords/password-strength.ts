import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonPasswords } from '@zxcvbn-ts/language-common';
import { dictionary as englishWords, translations } from '@zxcvbn-ts/language-en';

/** Minimum score, from 0 to 4: more than 10^8 guesses (https://zxcvbn-ts.github.io/zxcvbn/guide/getting-started/#output). */
const MIN_SCORE = 3;
/** Characters that a password needs in addition to personal words. */
const MIN_OTHER_CHARACTERS = 8;
const SERVICE_WORDS = ['gpu', 'observatory', 'gpu observatory', 'gpuobservatory'];

/**
 * Compares a password with commonly used passwords, dictionary words, patterns, and words of the user and the service
 * (https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver).
 *
 * @returns why an attacker would guess the password, or null
 */
export function findWeakness(password: string, user: { email: string; name: string }): string | null {
  const words = [...SERVICE_WORDS, ...wordsOf(user.email), ...wordsOf(user.name)];
  if (lengthWithout(words, password) < MIN_OTHER_CHARACTERS) {
    return 'It consists of the name or address of the user or service.';
  }
  const checker = new ZxcvbnFactory({
    dictionary: { ...commonPasswords, ...englishWords },
    graphs: adjacencyGraphs,
    translations,
  });
  const { score, feedback } = checker.check(password, words);
  return score >= MIN_SCORE ? null : (feedback.warning ?? 'It is easy to guess.');
}

/** Returns the parts of a name or address. Parts of one or two characters occur in any password. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length >= 3);
}

function lengthWithout(words: string[], password: string): number {
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map((word) => word.toLowerCase());
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase());
  return [...rest.replaceAll(/[^\p{L}\p{N}\p{S}]/gu, '')].length;
}
