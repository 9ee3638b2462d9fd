/** An error or warning about a content file. */
export interface Finding {
  /** Relative to the content folder, with `/`. */
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/**
 * Collects errors and warnings of a sync. An error rejects the whole sync. A warning reports content that the site
 * cannot show as written, for example a tag of a site generator.
 */
export class Findings {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];

  error(file: string, line: number, message: string): void {
    this.errors.push({ file, line, message });
  }

  warn(file: string, line: number, message: string): void {
    // Copied, because a substring keeps the text of its post in memory.
    this.warnings.push({ file, line, message: Buffer.from(message).toString() });
  }
}

/** Formats as `posts/xid.md:3: …`, which editors and CI recognize as a location. */
export function formatFinding({ file, line, message }: Finding): string {
  return `${file}:${line}: ${message}`;
}

export function inFileOrder(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
