export const JSON_OPTION = ['--json', 'as JSON'] as const;

/** What a command says: one JSON document for programs, or lines for people. */
export function print(
  { json = false }: { json?: boolean },
  document: object,
  lines: string | string[],
): void {
  const text = json ? JSON.stringify(document, null, 2) : [lines].flat().join('\n');
  process.stdout.write(`${text}\n`);
}
