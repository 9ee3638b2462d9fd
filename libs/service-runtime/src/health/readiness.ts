/** Says null when all is well, or one line on what is not. */
export type ReadinessCheck = () => string | null;
/** One line on how it is when all is well. */
export type ReadinessNote = () => string;

/**
 * Whether this process should get traffic. Checks are cheap reads of what the process already knows (the database's
 * probe, say), so that asking costs nothing and never hangs.
 */
export class Readiness {
  private readonly checks = new Map<string, { check: ReadinessCheck; note: ReadinessNote | undefined }>();
  private draining = false;

  register(name: string, check: ReadinessCheck, note?: ReadinessNote): void {
    this.checks.set(name, { check, note });
  }

  /** From now on not ready: the service is on its way out. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Every check by name: `ok`, with its note if it has one, or what is wrong. */
  report(): { ready: boolean; checks: Record<string, string> } {
    const checks: Record<string, string> = { lifecycle: this.draining ? 'draining' : 'ok' };
    let ready = !this.draining;
    for (const [name, { check, note }] of this.checks) {
      const fault = check();
      if (fault !== null) ready = false;
      checks[name] = fault ?? (note ? `ok (${note()})` : 'ok');
    }
    return { ready, checks };
  }
}
