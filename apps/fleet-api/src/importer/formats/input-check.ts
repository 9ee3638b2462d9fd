import { UnreadableInput } from '../run/unreadable-input.ts';
import { adviceOn, diagnoseInput } from './diagnose-input.ts';

/** Only the first entries are checked: a log may quote other formats later. */
const CHECKED_ENTRIES = 32;

/** Rejects the input of another adapter. One entry in its own format is enough, because the first entries may be about the log itself. */
export class InputCheck {
  private checkedEntries = 0;

  constructor(
    private readonly file: string,
    private readonly adapter: string,
  ) {}

  /**
   * Checks the next entries of the input.
   *
   * @throws {UnreadableInput} when one of them has another format, and none has that of the adapter
   */
  check(entries: readonly { text: string }[]): void {
    if (this.checkedEntries >= CHECKED_ENTRIES) return;
    const inputs = entries.flatMap(({ text }) => diagnoseInput(text) ?? []);
    const hasOwnFormat = inputs.some(({ adapter }) => adapter === this.adapter);
    this.checkedEntries += hasOwnFormat ? CHECKED_ENTRIES : entries.length;
    const [first] = inputs;
    if (first !== undefined && !hasOwnFormat)
      throw new UnreadableInput(`${this.file}: the log looks like ${adviceOn(first)}.`);
  }
}
