/** Returns null when the check passes, or one line that describes the problem. */
type ReadinessCheck = () => string | null;
/** Returns one line of detail on a check that passes. */
type ReadinessNote = () => string;

/**
 * Decides whether this process should receive traffic. Checks only read state that the process already has, such as the
 * last result of the database probe, so a readiness request never blocks.
 */
export class Readiness {
  private readonly checks = new Map<string, { check: ReadinessCheck; note: ReadinessNote | undefined }>();
  private readonly degradations = new Map<string, ReadinessCheck>();
  private draining = false;

  register(name: string, check: ReadinessCheck, note?: ReadinessNote): void {
    this.checks.set(name, { check, note });
  }

  /** Adds a check that does not affect readiness: traffic moved to another replica would fail in the same way. */
  registerDegradation(name: string, check: ReadinessCheck): void {
    this.degradations.set(name, check);
  }

  /** Makes the process not ready from now on, before shutdown. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Returns every check by name: `ok` with its note, or the problem; a degradation leaves the process ready. */
  report(): { ready: boolean; checks: Record<string, string> } {
    const checks: Record<string, string> = { lifecycle: this.draining ? 'draining' : 'ok' };
    let ready = !this.draining;
    for (const [name, { check, note }] of this.checks) {
      const problem = check();
      if (problem !== null) ready = false;
      checks[name] = problem ?? (note ? `ok (${note()})` : 'ok');
    }
    for (const [name, check] of this.degradations) {
      const problem = check();
      checks[name] = problem === null ? 'ok' : `degraded (${problem})`;
    }
    return { ready, checks };
  }
}
