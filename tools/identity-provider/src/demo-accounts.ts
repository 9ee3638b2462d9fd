import { ordinaryAccount } from './accounts.ts';

const PEOPLE = [
  ['ada@acme.example', 'Ada Lovelace'],
  ['alan@acme.example', 'Alan Turing'],
  ['vera@acme.example', 'Vera Rubin'],
  ['grace@globex.example', 'Grace Hopper'],
  ['ivan@initech.example', 'Ivan Sutherland'],
  ['nina@nowhere.example', 'Nina Bari'],
] as const;

/** The users of the local stack. Each exists at both providers with the same verified email. */
export const demoAccounts = PEOPLE.map(([email, name], index) => {
  const login = email.replace('@', '-').replace('.example', '');
  return ordinaryAccount({ email, name, login, number: 90_000_001 + index });
});
