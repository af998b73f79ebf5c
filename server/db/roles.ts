/**
 * The three database roles. They belong to the server, not to one database, so they are made outside the migrations
 * and every database of a server shares them. What each may do is granted by the migrations.
 */
import { withClient } from "./connect.ts";

export const ROLES = { web: "countersign_web", runner: "countersign_runner", customers: "countersign_customers" } as const;

export type RoleName = keyof typeof ROLES;
export type RolePasswords = Readonly<Record<RoleName, string>>;

const roleNames = ["web", "runner", "customers"] as const satisfies readonly RoleName[];

/** The connection string of a role on the same server and database as `adminUrl`. */
export const urlOf = (adminUrl: string, role: RoleName, passwords: RolePasswords): string => {
  const url = new URL(adminUrl);

  url.username = ROLES[role];
  url.password = encodeURIComponent(passwords[role]);

  return url.toString();
};

const canLogIn = (url: string): Promise<boolean> => withClient(url, async () => true).catch(() => false);

/**
 * Makes the roles exist with these passwords. Idempotent; a password is changed only where it does not work yet.
 * The administrator becomes a member of them, because creating a schema for a role needs that where the administrator
 * is not a superuser.
 * @throws the database's error 42501 when the administrator may not create roles
 */
export const ensureRoles = (adminUrl: string, passwords: RolePasswords): Promise<void> =>
  withClient(adminUrl, async (client) => {
    // Two installations that start on one server at the same moment would otherwise both find the role missing.
    await client.query("select pg_advisory_lock(hashtext('countersign.roles'))");
    for (const role of roleNames) {
      if (await canLogIn(urlOf(adminUrl, role, passwords))) continue;
      const name = client.escapeIdentifier(ROLES[role]);
      const secret = `login password ${client.escapeLiteral(passwords[role])}`;
      const known = await client.query("select 1 from pg_roles where rolname = $1", [ROLES[role]]);

      // Whoever is no superuser may make a role that is none, but may not say so of one that is there.
      await client.query(
        known.rowCount === 0
          ? `create role ${name} ${secret} nosuperuser nocreatedb nocreaterole noreplication`
          : `alter role ${name} ${secret}`,
      );
      await client.query(`grant ${name} to current_user`);
    }
  });
