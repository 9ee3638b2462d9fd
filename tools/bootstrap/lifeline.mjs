// Loaded before a program that run.mjs starts. If run.mjs is killed, the program, which no terminal can reach, would
// live on unseen; the end of the channel between them asks it to stop.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep the program from ending by itself.
  process.channel.unref();
}
