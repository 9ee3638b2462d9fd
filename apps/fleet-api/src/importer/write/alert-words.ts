import { trigramKeys, wordKey, wordsOf } from '../../model/alerts/alert-words.ts';
import type { ImportConnection } from './import-connection.ts';

/** Time and texts of an alert that filters search. */
interface SearchedAlert {
  created_at: string;
  hostname: string | null;
  title: string;
  description: string;
}

/** Maximum number of cached words. Above it, the cache is cleared, and words are sent again: the database ignores them. */
const MAX_STORED_WORDS = 200_000;
const MONTH_LENGTH = '2026-11'.length;
/** Maximum number of texts whose keys are cached: hostnames, titles and many descriptions repeat. */
const MAX_TEXTS = 1_000;

/** Cache of the keys of words that `fleet.alert_words` is known to contain. */
export class StoredWords {
  /** Keys by word, by customer and month such as `1 2026-11`. */
  private readonly byMonth = new Map<string, Map<string, number>>();
  private wordCount = 0;

  /** Returns the keys of a month by word, undefined without any. */
  keysOfMonth(customerId: number, month: string): ReadonlyMap<string, number> | undefined {
    return this.byMonth.get(`${customerId} ${month}`);
  }

  add(customerId: number, month: string, words: ReadonlyMap<string, number>): void {
    this.wordCount += words.size;
    if (this.wordCount > MAX_STORED_WORDS) {
      this.byMonth.clear();
      this.wordCount = words.size;
    }
    const id = `${customerId} ${month}`;
    const stored = this.byMonth.get(id) ?? new Map<string, number>();
    for (const [word, key] of words) stored.set(word, key);
    this.byMonth.set(id, stored);
  }
}

/** Inserts the words that are new into `fleet.alert_words`, by customer, word and month. */
const INSERT_WORDS = `INSERT INTO fleet.alert_words (customer_id, month, word, key, trigrams)
  SELECT $1, month, word, key, trigrams::integer[]
  FROM unnest($2::timestamptz[], $3::text[], $4::integer[], $5::text[]) AS staged (month, word, key, trigrams)
  ON CONFLICT (customer_id, word, month) DO NOTHING`;

/** Words of the alerts of one batch, written in its transaction. */
export class AlertWords {
  /** Keys of the words that are not known to be stored, by month and word. */
  private readonly newByMonth = new Map<string, Map<string, number>>();
  /** The last texts of a month with the keys of their words. */
  private readonly cachedTexts = { month: '', keys: new Map<string, readonly number[]>() };

  constructor(
    private readonly customerId: number,
    private readonly stored: StoredWords,
  ) {}

  /** Returns the index keys of an alert's words, each once. Words that are not known to be stored are added to those of `write`. */
  keysOf({ created_at, hostname, title, description }: SearchedAlert): number[] {
    const month = created_at.slice(0, MONTH_LENGTH);
    const keys = [...this.keysOfText(month, description)];
    for (const text of [title, hostname ?? '']) {
      for (const key of this.keysOfText(month, text)) if (!keys.includes(key)) keys.push(key);
    }
    return keys;
  }

  /** Returns the keys of the words of a text, each once. */
  private keysOfText(month: string, text: string): readonly number[] {
    const { cachedTexts: texts } = this;
    if (texts.month !== month || texts.keys.size >= MAX_TEXTS) {
      texts.month = month;
      texts.keys.clear();
    }
    let keys = texts.keys.get(text);
    if (keys === undefined) {
      const stored = this.stored.keysOfMonth(this.customerId, month);
      keys = [...new Set(wordsOf(text).map((word) => stored?.get(word) ?? this.newKey(month, word)))];
      texts.keys.set(text, keys);
    }
    return keys;
  }

  /** Returns the key of a word, and adds it to the words that the batch inserts. */
  private newKey(month: string, word: string): number {
    let words = this.newByMonth.get(month);
    if (words === undefined) {
      words = new Map();
      this.newByMonth.set(month, words);
    }
    let key = words.get(word);
    if (key === undefined) {
      key = wordKey(this.customerId, word);
      words.set(word, key);
    }
    return key;
  }

  async write(connection: ImportConnection): Promise<void> {
    const rows = [...this.newByMonth].flatMap(([month, words]) =>
      [...words].map(([word, key]) => ({ month: `${month}-01T00:00:00Z`, word, key })),
    );
    if (rows.length === 0) return;
    const trigrams = new Map<string, number>();
    await connection.query(INSERT_WORDS, [
      this.customerId,
      rows.map(({ month }) => month),
      rows.map(({ word }) => word),
      rows.map(({ key }) => key),
      rows.map(({ word }) => `{${trigramKeys(this.customerId, word, trigrams).join(',')}}`),
    ]);
  }

  /** Caches the words after the commit of the batch, so that later batches do not send them. */
  afterCommit(): void {
    for (const [month, words] of this.newByMonth) this.stored.add(this.customerId, month, words);
  }
}
