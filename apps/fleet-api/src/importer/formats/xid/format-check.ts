import type { Line } from '../../run/lines.ts';
import { UnreadableInput } from '../../run/unreadable-input.ts';

const USE_LINES = ', which has one field per line: use journalctl -k -o json or -o short-iso-precise';
/** Input that is not read as a kernel log, by a pattern of one of the first lines. */
const UNREADABLE_FORMATS: [line: RegExp, looksLike: string][] = [
  [/^\s+"(?:__CURSOR|__REALTIME_TIMESTAMP|_BOOT_ID|MESSAGE)" : /, `journalctl -o json-pretty${USE_LINES}`],
  [/^__CURSOR=/, `journalctl -o export${USE_LINES}`],
  [/^[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} .* \[s=[0-9a-f]+;/, `journalctl -o verbose${USE_LINES}`],
  [/^<(?:\?xml|nvidia_smi_log)/, 'XML of nvidia-smi: use the adapter nvidia-smi'],
  [/^(?:# (?:HELP|TYPE) |DCGM_FI_\w+\{|nvidia_smi_\w+\{)/, 'the page of an exporter: use its adapter'],
];
/** The first lines of journalctl may be about the journal itself, and an entry of json-pretty begins with a brace. */
const CHECKED_LINES = 4;

/** Rejects input that is not a kernel log, by its first lines. */
export class FormatCheck {
  private checkedLines = 0;

  /** @throws {UnreadableInput} when the input has a format that is not read */
  check(file: string, lines: Line[]): void {
    for (const { text } of lines) {
      if (this.checkedLines >= CHECKED_LINES) return;
      if (text.trim() === '') continue;
      this.checkedLines += 1;
      const looksLike = UNREADABLE_FORMATS.find(([pattern]) => pattern.test(text))?.[1];
      if (looksLike !== undefined) throw new UnreadableInput(`${file}: the log looks like ${looksLike}.`);
    }
  }
}
