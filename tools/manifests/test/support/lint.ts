import { helm } from '../../src/helm.ts';
import { run } from '../../src/program.ts';
import { chart } from '../../src/root.ts';

/** @throws {ProgramError} when `helm lint --strict` reports a problem */
export function lint(values: object = {}, folder = chart): string {
  return run(helm, ['lint', '--strict', folder, '--values', '-'], JSON.stringify(values));
}
