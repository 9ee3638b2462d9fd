import { UnreadableInput } from '../run/unreadable-input.ts';
import { adviceOn, diagnoseInput } from './diagnose-input.ts';

/** The first entries of a log may be about the log itself. */
const CHECKED_ENTRIES = 32;

/** Rejects input of another adapter, by its first entries. */
export class InputCheck {
  private checked = 0;

  constructor(
    private readonly file: string,
    private readonly adapter: string,
  ) {}

  /**
   * @param entries the first entries of the input, or those that follow
   * @throws {UnreadableInput} when an entry has another format, and none has that of the adapter
   */
  check(entries: readonly { text: string }[]): void {
    if (this.checked >= CHECKED_ENTRIES) return;
    const inputs = entries.flatMap(({ text }) => diagnoseInput(text) ?? []);
    const isOwn = inputs.some(({ adapter }) => adapter === this.adapter);
    this.checked += isOwn ? CHECKED_ENTRIES : entries.length;
    const [other] = inputs;
    if (other === undefined || isOwn) return;
    throw new UnreadableInput(`${this.file}: the log looks like ${adviceOn(other)}.`);
  }
}
