import type { Finding } from '../rules/rule.ts';

const marks: Record<Finding['result'], string> = { holds: '✔', broken: '✖', 'not seen': '–' };

/** One line a finding: mark, rule, source, what was seen. */
export function tableLine({ rule, source, result, seen }: Finding): string {
  return `${marks[result]} ${rule.padEnd(40)} ${source.padEnd(32)} ${seen.replaceAll(/\s+/g, ' ')}`;
}

export function tableEnd(findings: Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length;
  return `${count('holds')} hold, ${count('broken')} broken, ${count('not seen')} not seen.`;
}
