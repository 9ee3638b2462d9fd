import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { WORKSPACE_ROLES } from '@gpu-observatory/domain-types';
import { OperationError } from '@gpu-observatory/service-runtime';
import { parse } from 'yaml';
import { z } from 'zod';
import { normaliseDomain, parseEmailAddress } from '../customers/email-address.ts';
import { SIGN_IN_METHODS } from '../sign-in/providers/provider.ts';

/** More would make an access token longer than 4 KB (decisions, section 3, Cookie mode). */
export const WORKSPACES_OF_ONE_PERSON = 200;

/** What a tenants file and the commands take as names. */
export const slug = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'should be lower-case letters, digits and hyphens, 63 at most',
  );
export const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(
    (given) => given.isWellFormed() && !given.includes('\0'),
    'should be text without NUL characters and lone surrogates',
  );

export const email = z.string().transform((given, context) => {
  const address = parseEmailAddress(given);
  if (address) return address.address;
  context.addIssue({ code: 'custom', message: `"${given}" is not an e-mail address` });
  return z.NEVER;
});

export const domain = z.string().transform((given, context) => {
  const normal = normaliseDomain(given);
  if (normal !== null) return normal;
  context.addIssue({ code: 'custom', message: `"${given}" is not a domain` });
  return z.NEVER;
});

/** Checked before the addresses take their one form, in which a second role would replace the first. */
const members = z
  .record(z.string(), z.enum(WORKSPACE_ROLES))
  .superRefine((given, context) => {
    const addresses = Object.keys(given).map((each) => parseEmailAddress(each)?.address ?? each);
    for (const person of repeated(addresses)) {
      context.addIssue({
        code: 'custom',
        message: `${person} is there twice; a member of a workspace has one role`,
      });
    }
  })
  .pipe(z.record(email, z.enum(WORKSPACE_ROLES)));

const workspace = z.strictObject({
  slug,
  name,
  /** Who signs in for the first time joins this one; the first workspace unless another says so. */
  default: z.boolean().default(false),
  members: members.default({}),
});

const customer = z.strictObject({
  slug,
  name,
  active: z.boolean().default(true),
  domains: z.array(domain),
  /** The sign-in methods its people may use; without it all of the deployment's. */
  providers: z.array(z.enum(SIGN_IN_METHODS)).min(1).optional(),
  /** What people who sign in for the first time are in the default workspace. */
  default_role: z.enum(['member', 'viewer']).default('viewer'),
  administrators: z.array(email).default([]),
  workspaces: z.array(workspace).min(1),
});

const tenantsFile = z.strictObject({ customers: z.array(customer) }).superRefine(({ customers }, context) => {
  const fault = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: ['customers', ...path], message });
  for (const slug of repeated(customers.map((each) => each.slug)))
    fault([], `two customers have the slug ${slug}`);
  for (const domain of repeated(customers.flatMap((each) => each.domains))) {
    fault([], `the domain ${domain} is there twice; a domain belongs to one customer`);
  }
  customers.forEach(({ slug, domains, workspaces, administrators }, index) => {
    for (const twice of repeated(workspaces.map((each) => each.slug))) {
      fault([index, 'workspaces'], `two workspaces of ${slug} have the slug ${twice}`);
    }
    if (workspaces.filter((each) => each.default).length > 1) {
      fault([index, 'workspaces'], `${slug} has more than one default workspace`);
    }
    const memberships = workspaces.flatMap((each) => Object.keys(each.members));
    for (const person of new Set([...administrators, ...memberships])) {
      if (!domains.includes(person.slice(person.lastIndexOf('@') + 1))) {
        fault([index], `${person} is not of a domain of ${slug}, so nobody could sign in with that address`);
      }
      if (memberships.filter((member) => member === person).length > WORKSPACES_OF_ONE_PERSON) {
        fault(
          [index],
          `${person} belongs to more than ${WORKSPACES_OF_ONE_PERSON} workspaces; make them an administrator, who has all`,
        );
      }
    }
  });
});

/** The declared state of some customers; customers that it does not name are left alone. */
export type DeclaredTenants = z.output<typeof tenantsFile>;
export type DeclaredCustomer = DeclaredTenants['customers'][number];

/**
 * Reads a tenants file (YAML, or JSON, which is YAML too); `-` is standard input.
 *
 * @throws {OperationError}
 */
export async function readTenantsFile(path: string): Promise<DeclaredTenants> {
  const reading = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  const yaml = await reading.catch((failure: NodeJS.ErrnoException) => {
    throw new OperationError(`${path} cannot be read (${failure.code}): give a file that is there, or -`);
  });
  return parseTenants(yaml, path);
}

/** @throws {OperationError} */
export function parseTenants(yaml: string, path: string): DeclaredTenants {
  let document: unknown;
  try {
    document = parse(yaml);
  } catch (failure) {
    throw new OperationError(`${path} cannot be read as YAML: ${(failure as Error).message}`);
  }
  const read = tenantsFile.safeParse(document);
  if (!read.success)
    throw new OperationError(`${path} is not a tenants file:\n${z.prettifyError(read.error)}`);
  for (const { workspaces } of read.data.customers) {
    const [first] = workspaces;
    if (first && !workspaces.some((each) => each.default)) first.default = true;
  }
  return read.data;
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
