import type { Sandbox, StackProgram } from './support/stack-program.ts';

/** The stack that all end-to-end tests share, because a start takes long. */
export interface SharedStack {
  sandbox: Sandbox;
  /** The current `npm start`. */
  program: StackProgram;
  /** Duration of the first start, which creates and fills the database. */
  firstStartMs: number;
}
