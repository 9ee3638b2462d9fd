import type { Place, StackProgram } from '../support/stack-process.ts';

/** The stack that all end-to-end tests share, since every start takes a while. */
export interface SmallStack {
  place: Place;
  /** Whichever runs now. */
  program: StackProgram;
  /** How long the start took that made the database and filled it. */
  firstStartMs: number;
}
