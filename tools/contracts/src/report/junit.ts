import type { Finding } from '../rules/check-rules.ts';

/** Returns JUnit XML with one test case per rule. */
export function junitXml(suite: string, findings: Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const total = findings.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="${escape(suite)}" tests="${findings.length}" failures="${count('failed')}" skipped="${count('skipped')}" errors="0" time="${seconds(total)}">`,
    ...findings.map(({ rule, source, result, detail, milliseconds }) => {
      const opening = `<testcase classname="${escape(suite)}" name="${escape(`${rule} (${source})`)}" time="${seconds(milliseconds)}">`;
      const inside =
        result === 'passed'
          ? `<system-out>${escape(detail)}</system-out>`
          : `<${result === 'failed' ? 'failure' : 'skipped'} message="${escape(detail)}"/>`;
      return `${opening}${inside}</testcase>`;
    }),
    '</testsuite></testsuites>',
    '',
  ].join('\n');
}

/** Escapes text for an attribute or an element, without the characters that XML 1.0 excludes: https://www.w3.org/TR/xml/#charsets */
function escape(text: string): string {
  const allowed = text.replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replace(/[&<>"\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
