// Preloaded into child processes (node --import) that have an IPC channel to their parent. They are in another process
// group, so nothing would stop them when the parent is killed. The closed channel does.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep the process running.
  process.channel.unref();
}
