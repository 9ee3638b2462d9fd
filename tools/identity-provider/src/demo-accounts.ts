import { ordinaryAccount } from './accounts.ts';

/** The users of the local stack. Each exists at both providers with the same verified email. */
export const demoAccounts = [
  ordinaryAccount({ email: 'ada@acme.example', name: 'Ada Lovelace', login: 'ada-acme', number: 90_000_001 }),
  ordinaryAccount({
    email: 'alan@acme.example',
    name: 'Alan Turing',
    login: 'alan-acme',
    number: 90_000_002,
  }),
  ordinaryAccount({ email: 'vera@acme.example', name: 'Vera Rubin', login: 'vera-acme', number: 90_000_003 }),
  ordinaryAccount({
    email: 'grace@globex.example',
    name: 'Grace Hopper',
    login: 'grace-globex',
    number: 90_000_004,
  }),
  ordinaryAccount({
    email: 'ivan@initech.example',
    name: 'Ivan Sutherland',
    login: 'ivan-initech',
    number: 90_000_005,
  }),
  ordinaryAccount({
    email: 'nina@nowhere.example',
    name: 'Nina Bari',
    login: 'nina-nowhere',
    number: 90_000_006,
  }),
];
