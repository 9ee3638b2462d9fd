import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type Manifest, titleOf } from './manifest.ts';
import { root } from './root.ts';

const require = createRequire(import.meta.url);

/** Where the types of a group of custom resources are; all others are Kubernetes' own. */
const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
};

/** The module that describes a kind, such as kubernetes-models/apps/v1. */
export function modelOf({ apiVersion }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${PACKAGES[group] ?? 'kubernetes-models/'}${apiVersion}`;
}

/**
 * What Kubernetes' types say against objects: a field they do not know, one of the wrong type, one that is missing. Each
 * object is a literal for the compiler, which is what refuses unknown fields; one run checks them all.
 *
 * @returns a line a fault: the object, the line in it, what the compiler says
 */
export function typeFaults(manifests: Manifest[]): string[] {
  const literals = manifests.map((manifest, index) => ({
    title: titleOf(manifest),
    file: join(root, `tools/manifests/src/object-${index}.ts`),
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
      (fault) => `${title}: ${whereIn(fault)}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`,
    );
  });
}

function whereIn({ file, start }: ts.Diagnostic): string {
  if (file === undefined || start === undefined) return '?';
  const { line } = file.getLineAndCharacterOfPosition(start);
  return (file.text.split('\n')[line] ?? '').trim();
}
