import { z } from 'zod';
import { accountsSchema, type Account, type ProviderName } from './accounts.ts';

/** What a provider knows its users by: GitHub's numeric id, Google's `sub`. */
export function subjectOf(account: Account, provider: ProviderName): string | undefined {
  return provider === 'github' ? account.github?.id.toString() : account.google?.sub;
}

/** The accounts that both providers serve; they may be replaced while the providers run. */
export class AccountDirectory {
  #accounts: Account[];

  constructor(accounts: unknown) {
    this.#accounts = checked(accounts);
  }

  /** @throws Error that names the detail in the way, with the accounts left as they were */
  replace(accounts: unknown): void {
    this.#accounts = checked(accounts);
  }

  at(provider: ProviderName): Account[] {
    return this.#accounts.filter((account) => account[provider]);
  }

  byEmail(provider: ProviderName, email: string): Account | undefined {
    return this.at(provider).find((account) => account.email === email);
  }

  bySubject(provider: ProviderName, subject: string): Account | undefined {
    return this.#accounts.find((account) => subjectOf(account, provider) === subject);
  }
}

function checked(accounts: unknown): Account[] {
  const result = accountsSchema.safeParse(accounts);
  if (!result.success) throw new Error(`The accounts are not usable:\n${z.prettifyError(result.error)}`);
  return result.data;
}
