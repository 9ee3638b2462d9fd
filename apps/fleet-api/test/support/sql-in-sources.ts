import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns every SQL statement or fragment in the sources that names a table of the schema, with its location. */
export function sqlInSources(): { location: string; sql: string }[] {
  return ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const path = join(ROOT, folder, name);
        return sqlIn(readFileSync(path, 'utf8')).map(({ line, sql }) => ({
          location: `${relative(ROOT, path)}:${line}`,
          sql,
        }));
      }),
  );
}

/** Returns the outermost strings and templates, with the source text of interpolations. */
function sqlIn(source: string): { line: number; sql: string }[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: { line: number; sql: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sql = node.getText(file);
      if (/\bfleet\.\w|\$\{(?:\w+\.)?table\}|\bOFFSET\b|GROUPING SETS/.test(sql)) {
        found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, sql });
      }
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
