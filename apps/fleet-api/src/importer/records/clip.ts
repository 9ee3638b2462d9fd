/** Truncates a text to at most `maxLength` characters, so that its record is not rejected. A truncated text ends with `…`. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
