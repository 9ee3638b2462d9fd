// Stops the clock of a Node process (`node --import`): the current time is always FROZEN_TIME. A constructor with arguments, timers and
// performance.now() are unchanged. PostgreSQL's clock is stopped in deployment.ts.
const RealDate = Date;
const time = RealDate.parse(process.env.FROZEN_TIME);

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(time);
    else super(...args);
  }
  static now() {
    return time;
  }
};
