import type { Finding } from '../rules/check-rules.ts';

const marks: Record<Finding['result'], string> = { passed: '✔', failed: '✖', skipped: '–' };

/** Returns one line: mark, rule, source, detail. */
export function tableLine({ rule, source, result, detail }: Finding): string {
  return `${marks[result]} ${rule.padEnd(40)} ${source.padEnd(40)} ${detail.replaceAll(/\s+/g, ' ')}`;
}

export function tableEnd(findings: Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.`;
}
