/** Something about a content file that its author should know. */
export interface Finding {
  /** Relative to the content folder, with `/`. */
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/**
 * What a sync has to say of the files. A fault refuses the whole sync; a warning says what a reader will not see as it
 * was written, such as a shortcode that is not known here.
 */
export class Findings {
  readonly faults: Finding[] = [];
  readonly warnings: Finding[] = [];

  fault(file: string, line: number, message: string): void {
    this.faults.push({ file, line, message });
  }

  warn(file: string, line: number, message: string): void {
    this.warnings.push({ file, line, message });
  }
}

/** `posts/xid.md:3: …`, the form in which editors and CI find a place. */
export function formatFinding({ file, line, message }: Finding): string {
  return `${file}:${line}: ${message}`;
}

export function inFileOrder(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
