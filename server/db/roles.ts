/** Roles belong to the server: migrations cannot make them. */
import { withClient } from "./connect.ts";

export const ROLES = { web: "countersign_web", runner: "countersign_runner", customers: "countersign_customers" } as const;

export type RoleName = keyof typeof ROLES;
export type RolePasswords = Readonly<Record<RoleName, string>>;

const roleNames = ["web", "runner", "customers"] as const satisfies readonly RoleName[];

/** A role's connection string. */
export const urlOf = (adminUrl: string, role: RoleName, passwords: RolePasswords): string => {
  const url = new URL(adminUrl);

  url.username = ROLES[role];
  url.password = encodeURIComponent(passwords[role]);

  return url.toString();
};

const canLogIn = (url: string): Promise<boolean> => withClient(url, async () => true).catch(() => false);

/**
 * Ensures roles. Idempotent; replaces only failing passwords. A non-superuser administrator must join a role to create its schema.
 * @throws database error 42501 when not permitted
 */
export const ensureRoles = (adminUrl: string, passwords: RolePasswords): Promise<void> =>
  withClient(adminUrl, async (client) => {
    // Concurrent starts would both find none.
    await client.query("select pg_advisory_lock(hashtext('countersign.roles'))");
    for (const role of roleNames) {
      if (await canLogIn(urlOf(adminUrl, role, passwords))) continue;
      const name = client.escapeIdentifier(ROLES[role]);
      const secret = `login password ${client.escapeLiteral(passwords[role])}`;
      const known = await client.query("select 1 from pg_roles where rolname = $1", [ROLES[role]]);

      // Non-superusers can create a role as NOSUPERUSER, not alter it so.
      await client.query(
        known.rowCount === 0
          ? `create role ${name} ${secret} nosuperuser nocreatedb nocreaterole noreplication`
          : `alter role ${name} ${secret}`,
      );
      await client.query(`grant ${name} to current_user`);
    }
  });
