/** Labels of a line. Lines with the same labels share one object. */
export type Labels = Readonly<Record<string, string | undefined>>;

// No repetition below can match the character that follows it, so no line causes catastrophic backtracking.
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*(,?)/y;
const CLOSE = /\s*\}/y;
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/**
 * Parses the labels of a line of the Prometheus text format.
 *
 * @param start position after the opening brace
 * @returns the labels and the position after the closing brace, or a fault
 */
export function readLabels(line: string, start: number): { labels: Labels; end: number } | { fault: string } {
  const labels = Object.create(null) as Record<string, string>;
  let position = start;
  let isSeparated = true;
  while (!isClosedAt(line, position)) {
    if (!isSeparated) return { fault: 'the labels are not closed with }' };
    LABEL.lastIndex = position;
    const match = LABEL.exec(line);
    if (!match) return { fault: 'the labels are invalid: they must be name="value", separated by commas' };
    const [, label = '', value = '', comma] = match;
    labels[label] = value.includes('\\')
      ? value.replace(/\\[\\n"]/g, (escape) => ESCAPES[escape] as string)
      : value;
    position = LABEL.lastIndex;
    isSeparated = comma === ',';
  }
  return { labels, end: CLOSE.lastIndex };
}

function isClosedAt(line: string, position: number): boolean {
  CLOSE.lastIndex = position;
  return CLOSE.test(line);
}
