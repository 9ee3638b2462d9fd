/** Replacement of a text range. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface EditedText {
  text: string;
  /**
   * Maps an offset in the edited text to its offset in the original. Inside a replacement, it
   * continues from the start of the replaced range, also beyond its end when the replacement is longer.
   */
  originalOffset(offset: number): number;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: Edit[]): EditedText {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  // Starts of kept and replaced ranges, as offsets in the edited text and in the original.
  const segments = [{ editedStart: 0, originalStart: 0 }];
  let result = '';
  let keptFrom = 0;
  for (const edit of sorted) {
    result += text.slice(keptFrom, edit.start);
    segments.push({ editedStart: result.length, originalStart: edit.start });
    result += edit.text;
    keptFrom = edit.end;
    segments.push({ editedStart: result.length, originalStart: edit.end });
  }
  result += text.slice(keptFrom);
  return {
    text: result,
    originalOffset(offset) {
      const segment = segments.findLast(({ editedStart }) => editedStart <= offset);
      return segment ? segment.originalStart + (offset - segment.editedStart) : offset;
    },
  };
}

/** Returns the line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
