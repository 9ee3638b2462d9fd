import { startEmbeddedDatabase } from '../../src/index.ts';

// A program that runs a server until it is killed: `server-program.ts <data directory> <port> <password>`.
const [dataDirectory = '', port, superuserPassword = ''] = process.argv.slice(2);
const database = await startEmbeddedDatabase({
  dataDirectory,
  port: Number(port),
  superuserPassword,
  disposable: true,
});
console.log(database.pid);
