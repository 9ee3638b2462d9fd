/** Says null when all is well, or one line on what is not. */
export type ReadinessCheck = () => string | null;

/**
 * Whether this process should get traffic. Checks are cheap reads of what the process already knows (the database's
 * probe, say), so that asking costs nothing and never hangs.
 */
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private draining = false;

  register(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** From now on not ready: the service is on its way out. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Every check by name, `ok` or what is wrong. */
  report(): { ready: boolean; checks: Record<string, string> } {
    const checks: Record<string, string> = { lifecycle: this.draining ? 'draining' : 'ok' };
    for (const [name, check] of this.checks) checks[name] = check() ?? 'ok';
    return { ready: Object.values(checks).every((state) => state === 'ok'), checks };
  }
}
