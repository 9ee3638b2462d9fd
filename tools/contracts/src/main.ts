import { contract } from './contract.ts';

process.exitCode = await contract(process.argv.slice(2), console);
