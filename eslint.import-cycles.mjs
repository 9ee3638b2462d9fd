import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Relative imports by file, type-only and dynamic ones included. Cached for the life of the process: a command line run.
 * An editor must restart ESLint to see changes of other files.
 */
const importsByFile = new Map();

function importsOf(file) {
  let imports = importsByFile.get(file);
  if (imports === undefined) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    imports = importedFiles.map(({ fileName }) => resolveImport(file, fileName)).filter((path) => path);
    importsByFile.set(file, imports);
  }
  return imports;
}

/** Returns the imported file, or undefined for a package or a missing file. */
function resolveImport(file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const path = resolve(dirname(file), specifier);
  return /\.(tsx?|mjs)$/.test(path) && existsSync(path) ? path : undefined;
}

/** Returns the shortest chain of imports between two files, both included, or undefined. */
function importChain(from, to) {
  const parents = new Map([[from, undefined]]);
  for (const file of parents.keys()) {
    if (file === to) {
      const chain = [];
      for (let step = file; step !== undefined; step = parents.get(step)) chain.unshift(step);
      return chain;
    }
    for (const imported of importsOf(file)) if (!parents.has(imported)) parents.set(imported, file);
  }
  return undefined;
}

/** ESLint rule: a file must not import itself, directly or through other files. */
export const noImportCycles = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'Import cycle: {{chain}}.' } },
  create({ filename, cwd, report }) {
    const check = ({ source }) => {
      if (typeof source?.value !== 'string') return;
      const imported = resolveImport(filename, source.value);
      const chain = imported && importChain(imported, filename);
      if (!chain) return;
      const names = [filename, ...chain].map((file) => relative(cwd, file));
      report({ node: source, messageId: 'cycle', data: { chain: names.join(' → ') } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
