import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';

/** Updates the progress text of a step. */
export type Report = (detail: string) => void;

interface RunningStep {
  title: string;
  startedAt: number;
  detail: string;
  reportedAt: number;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_INTERVAL_MS = 120;
/** Interval of progress lines when the output is not a terminal. */
const REPORT_INTERVAL_MS = 5_000;

/** Shows the progress of the steps of a start: a live list on a terminal, otherwise one line per step. */
export class Steps {
  private readonly output: Pick<WriteStream, 'write'> & Partial<WriteStream>;
  private readonly stopping: AbortSignal | undefined;
  private readonly running = new Set<RunningStep>();
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private drawnLines = 0;
  private frame = 0;

  /** @param stopping aborted when the start stops; the unfinished steps are then not marked as failed */
  constructor(
    output: Pick<WriteStream, 'write'> & Partial<WriteStream> = process.stderr,
    stopping?: AbortSignal,
  ) {
    this.output = output;
    this.stopping = stopping;
  }

  /** Runs `work` as a step. Errors are rethrown. */
  async run<Result>(title: string, work: (report: Report) => Promise<Result>): Promise<Result> {
    const step: RunningStep = {
      title,
      startedAt: performance.now(),
      detail: '',
      reportedAt: performance.now(),
    };
    this.running.add(step);
    this.redraw();
    try {
      const result = await work((detail) => this.report(step, detail));
      this.end(step, '✔');
      return result;
    } catch (failure) {
      this.end(step, this.stopping?.aborted ? '–' : '✖');
      throw failure;
    }
  }

  /** Prints text above the running steps. */
  print(text: string, output: Pick<WriteStream, 'write'> = this.output): void {
    this.clear();
    output.write(`${text}\n`);
    this.redraw();
  }

  /** Time since the first step. */
  get elapsed(): string {
    return seconds(this.startedAt);
  }

  private report(step: RunningStep, detail: string): void {
    step.detail = detail;
    if (this.output.isTTY || performance.now() - step.reportedAt < REPORT_INTERVAL_MS) return;
    step.reportedAt = performance.now();
    this.print(`… ${columns(step)}`);
  }

  private end(step: RunningStep, mark: string): void {
    this.running.delete(step);
    this.print(`${mark} ${columns(step)}`);
  }

  private redraw(): void {
    if (!this.output.isTTY) return;
    this.clear();
    for (const step of this.running) {
      const line = `${FRAMES[this.frame % FRAMES.length]} ${columns(step)}`;
      this.output.write(`${line.slice(0, (this.output.columns || 80) - 1)}\n`);
    }
    this.drawnLines = this.running.size;
    clearTimeout(this.timer);
    if (this.running.size === 0) return;
    this.timer = setTimeout(() => {
      this.frame += 1;
      this.redraw();
    }, REDRAW_INTERVAL_MS);
    this.timer.unref();
  }

  private clear(): void {
    if (this.drawnLines > 0) this.output.write(`\u001b[${this.drawnLines}A\u001b[0J`);
    this.drawnLines = 0;
  }
}

function columns({ title, startedAt, detail }: RunningStep): string {
  return `${title.padEnd(34)} ${seconds(startedAt).padStart(7)}  ${stripVTControlCharacters(detail)}`.trimEnd();
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
