import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type Manifest, titleOf } from './manifest.ts';
import { root } from '../../src/root.ts';

const require = createRequire(import.meta.url);

/** Packages with the types of custom resources, by API group. */
const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
};

/** Returns the module with the types of a kind, such as kubernetes-models/apps/v1. */
export function modelOf({ apiVersion }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${PACKAGES[group] ?? 'kubernetes-models/'}${apiVersion}`;
}

/**
 * Checks objects against the types of Kubernetes: unknown fields, wrong types, missing fields. Each object becomes an
 * object literal, because TypeScript reports unknown fields only there. One compiler run checks all objects.
 *
 * @returns one line per error: the object, the line in it, the compiler's message
 */
export function typeErrors(manifests: Manifest[]): string[] {
  const literals = manifests.map((manifest, index) => ({
    title: titleOf(manifest),
    file: join(root, `tools/manifests/test/object-${index}.ts`),
    text: `import type { I${manifest.kind} } from '${modelOf(manifest)}';\nexport const object: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};\n`,
  }));
  const files = new Map(literals.map(({ file, text }) => [file, text]));
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (file, version) => {
    const text = files.get(file);
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version);
  };
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getDefaultLibLocation = () => dirname(require.resolve('typescript'));
  const program = ts.createProgram([...files.keys()], options, host);
  return literals.flatMap(({ title, file }) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      (error) => `${title}: ${sourceLine(error)}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
    );
  });
}

function sourceLine({ file, start }: ts.Diagnostic): string {
  if (file === undefined || start === undefined) return '?';
  const { line } = file.getLineAndCharacterOfPosition(start);
  return (file.text.split('\n')[line] ?? '').trim();
}
