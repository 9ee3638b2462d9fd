/** Replacement of a text range. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface EditedText {
  text: string;
  /** Maps an offset in the edited text to its offset in the original. */
  originalOffset(offset: number): number;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: Edit[]): EditedText {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const segments: { at: number; from: number }[] = [{ at: 0, from: 0 }];
  let result = '';
  let from = 0;
  for (const edit of sorted) {
    result += text.slice(from, edit.start);
    segments.push({ at: result.length, from: edit.start });
    result += edit.text;
    from = edit.end;
    segments.push({ at: result.length, from });
  }
  result += text.slice(from);
  return {
    text: result,
    originalOffset(offset) {
      const segment = segments.findLast(({ at }) => at <= offset) ?? { at: 0, from: 0 };
      return segment.from + (offset - segment.at);
    },
  };
}

/** Returns the line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
