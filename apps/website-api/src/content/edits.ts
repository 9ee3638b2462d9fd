/** A stretch of a text and what shall stand there instead. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface EditedText {
  text: string;
  /** Where something in the edited text stood before. */
  originalOffset(offset: number): number;
}

/** Applies edits that do not overlap; all the rest of the text stays as its author wrote it. */
export function applyEdits(text: string, edits: Edit[]): EditedText {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const kept: { at: number; from: number }[] = [{ at: 0, from: 0 }];
  let result = '';
  let from = 0;
  for (const edit of sorted) {
    result += text.slice(from, edit.start);
    kept.push({ at: result.length, from: edit.start });
    result += edit.text;
    from = edit.end;
    kept.push({ at: result.length, from });
  }
  result += text.slice(from);
  return {
    text: result,
    originalOffset(offset) {
      const piece = kept.findLast(({ at }) => at <= offset) ?? { at: 0, from: 0 };
      return piece.from + (offset - piece.at);
    },
  };
}

/** From 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
