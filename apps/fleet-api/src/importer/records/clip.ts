/** A text that fits: what a sensor writes may be longer than what is kept, and the alert matters more than its end. */
export function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
