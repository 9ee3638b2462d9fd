import type { Finding } from '../rules/rule.ts';

/** JUnit's XML as CI systems read it: a rule is a test case, a breach a failure, what was not seen is skipped. */
export function junitXml(suite: string, findings: Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const total = findings.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="${escape(suite)}" tests="${findings.length}" failures="${count('broken')}" skipped="${count('not seen')}" errors="0" time="${seconds(total)}">`,
    ...findings.map(({ rule, source, result, seen, milliseconds }) => {
      const opening = `<testcase classname="${escape(suite)}" name="${escape(`${rule} (${source})`)}" time="${seconds(milliseconds)}">`;
      const inside =
        result === 'holds'
          ? `<system-out>${escape(seen)}</system-out>`
          : `<${result === 'broken' ? 'failure' : 'skipped'} message="${escape(seen)}"/>`;
      return `${opening}${inside}</testcase>`;
    }),
    '</testsuite></testsuites>',
    '',
  ].join('\n');
}

function escape(text: string): string {
  return (
    text
      // XML 1.0, section 2.2: other control characters cannot stand in it at all.
      .split('')
      .filter((character) => character >= ' ' || character === '\t' || character === '\n')
      .join('')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
