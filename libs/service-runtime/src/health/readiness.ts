/** Returns null when the check passes, or one line on the problem. */
export type ReadinessCheck = () => string | null;
/** Returns one line of detail on a check that passes. */
export type ReadinessNote = () => string;

/**
 * Decides whether this process should receive traffic. Checks only read state that the process already has, such as the
 * last result of the database probe, so a readiness request never blocks.
 */
export class Readiness {
  private readonly checks = new Map<string, { check: ReadinessCheck; note: ReadinessNote | undefined }>();
  private draining = false;

  register(name: string, check: ReadinessCheck, note?: ReadinessNote): void {
    this.checks.set(name, { check, note });
  }

  /** Makes the process not ready from now on, before shutdown. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Returns every check by name: `ok` with its note, or the problem. */
  report(): { ready: boolean; checks: Record<string, string> } {
    const checks: Record<string, string> = { lifecycle: this.draining ? 'draining' : 'ok' };
    let ready = !this.draining;
    for (const [name, { check, note }] of this.checks) {
      const problem = check();
      if (problem !== null) ready = false;
      checks[name] = problem ?? (note ? `ok (${note()})` : 'ok');
    }
    return { ready, checks };
  }
}
