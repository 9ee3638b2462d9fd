import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faultOf } from '../../src/data/fault.ts';
import { HEALTH_RULES } from '../../src/data/health-rules.ts';
import { detailOf, gpuOf, minutesAgo, reasonOf } from '../support/fake-fleet.ts';

const XID_RULES = ['critical_xid', 'degrading_xid'];

function gpuWithXids(health: 'critical' | 'missing', ...xids: [code: number, minutes: number][]) {
  const detail = detailOf(gpuOf('a', { health }));
  detail.security_diagnostics.recent_xid_errors = xids.map(([code, minutes]) => ({
    code,
    name: '',
    severity: 'critical',
    action: '',
    count: 1,
    occurred_at: minutesAgo(minutes),
  }));
  return detail;
}

const documentation = readFileSync(new URL('../../../../docs/gpu-health.md', import.meta.url), 'utf8');

describe('a health rule', () => {
  const rules = [
    ...documentation
      .split('\n## Rules\n')[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| `(\w+)`/gm),
  ].map(([, rule]) => rule!);

  it.each(rules)('%s has a title and an instruction', (rule) => {
    const fault = faultOf(
      reasonOf(rule, XID_RULES.includes(rule) ? 'XID 46: GPU stopped processing (reset GPU)' : 'reading'),
      gpuWithXids('critical'),
    );
    expect(fault.sentence).toMatch(/^[A-Z].*\w\.$/);
    expect(fault.instruction).toMatch(/^[A-Z].*\.$/);
  });

  it('has the instruction of the documentation, and no other rule is known', () => {
    const documented = documentation
      .split('\n## What to do\n')[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm);
    const known = Object.entries(HEALTH_RULES).map(([rule, { instruction }]) => [rule, instruction]);
    expect(known.length).toBeGreaterThan(10);
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries([...documented].map(([, rule, instruction]) => [rule, instruction])),
    );
    expect(Object.keys(HEALTH_RULES).sort()).toEqual(rules.toSorted());
  });
});

describe('a fault', () => {
  const offTheBus = reasonOf('critical_xid', 'XID 79: GPU has fallen off the bus (restart host)', {
    since: minutesAgo(120),
    until: minutesAgo(-1_383),
  });

  it('has the start of the XID that it names, not of an earlier one', () => {
    expect(faultOf(offTheBus, gpuWithXids('missing', [79, 57], [48, 120]))).toEqual({
      sentence: 'XID 79: GPU has fallen off the bus.',
      instruction:
        'Drain the host and restart it. If the GPU does not come back, check its seating and power.',
      since: minutesAgo(57),
      earlierSince: minutesAgo(120),
      end: { kind: 'never' },
    });
    expect(faultOf(offTheBus, gpuWithXids('critical', [79, 120])).earlierSince).toBeUndefined();
    // An XID that caused it is not another fault.
    expect(faultOf(offTheBus, gpuWithXids('critical', [79, 119])).earlierSince).toBeUndefined();
  });

  it('does not end by itself when the GPU is off the bus or missing', () => {
    expect(faultOf(offTheBus, gpuWithXids('critical')).end).toEqual({ kind: 'never' });
    const halted = reasonOf('critical_xid', 'XID 62: Internal micro-controller halt (reset GPU)');
    expect(faultOf(halted, gpuWithXids('missing')).end).toEqual({ kind: 'never' });
    expect(faultOf(halted, gpuWithXids('critical')).end).toEqual({ kind: 'xid', at: halted.until });
    const silent = reasonOf('no_report', 'no report since T', { health: 'missing', until: null });
    expect(faultOf(silent, gpuWithXids('missing')).end).toEqual({ kind: 'report' });
    const hot = reasonOf('temperature_near_shutdown', '94 °C; the board shuts down at 95 °C');
    expect(faultOf(hot, gpuWithXids('critical')).end).toEqual({ kind: 'clean', at: hot.until });
  });

  it('keeps the XID that it caused', () => {
    const cause = reasonOf('critical_xid', 'XID 48: Double-bit ECC error (reset GPU), cause of XID 45');
    expect(faultOf(cause, gpuWithXids('critical'))).toMatchObject({
      sentence: 'XID 48: Double-bit ECC error, cause of XID 45.',
      instruction: 'Drain the GPU and reset it: nvidia-smi --gpu-reset, or restart the host.',
    });
  });

  it('has the instruction of the rule if the XID catalog has none', () => {
    const unknown = reasonOf('degrading_xid', 'XID 154: GPU recovery action changed (none listed)');
    expect(faultOf(unknown, gpuWithXids('critical')).instruction).toBe(
      HEALTH_RULES['degrading_xid']!.instruction,
    );
  });

  it('is one sentence', () => {
    const sentence = (rule: string, evidence: string) =>
      faultOf(reasonOf(rule, evidence), gpuWithXids('critical')).sentence;
    expect(sentence('no_report', 'no report since 2026-11-25T11:50:00.000Z; one is due every 15 s')).toBe(
      'No report since 2026-11-25T11:50:00.000Z; one is due every 15 s.',
    );
    expect(sentence('temperature_slowdown', '88 °C; the board slows down at 87 °C')).toBe(
      'Temperature above slowdown: 88 °C; the board slows down at 87 °C.',
    );
    expect(sentence('a_newer_rule', 'something')).toBe('A newer rule: something.');
  });
});
