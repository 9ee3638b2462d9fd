import { UnreadableInput } from '../run/unreadable-input.ts';
import { adviceOn, diagnoseInput } from './diagnose-input.ts';

/** Only the first entries are checked: a log may quote other formats later. */
const CHECKED_ENTRIES = 32;

/**
 * Rejects input in the format of another adapter. If one of the first entries has the right format, the input is accepted: the
 * others may be headers of the log.
 */
export class InputCheck {
  private isAccepted = false;
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
    if (this.isAccepted || this.checkedEntries >= CHECKED_ENTRIES) return;
    this.checkedEntries += entries.length;
    const knownInputs = entries.flatMap(({ text }) => diagnoseInput(text) ?? []);
    this.isAccepted = knownInputs.some(({ adapter }) => adapter === this.adapter);
    const [first] = knownInputs;
    if (first !== undefined && !this.isAccepted)
      throw new UnreadableInput(`${this.file}: the log looks like ${adviceOn(first)}.`);
  }
}
