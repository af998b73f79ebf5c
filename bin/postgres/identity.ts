/** System user for a root process: Postgres refuses to run as root. */
import { execFileSync } from "node:child_process";

export type Identity = { readonly uid: number; readonly gid: number };

const idOf = (flag: "-u" | "-g", name: string): number =>
  Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim());

const lookup = (name: string): Identity | null => {
  try {
    return { uid: idOf("-u", name), gid: idOf("-g", name) };
  } catch {
    return null;
  }
};

/** Null when not root. @throws when no user can be made */
export const postgresIdentity = (): Identity | null => {
  if (process.getuid?.() !== 0) return null;
  const existing = lookup("postgres");

  if (existing !== null) return existing;
  execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"], {
    stdio: "ignore",
  });

  const made = lookup("postgres");

  if (made === null) throw new Error("no system user could be made for Postgres");

  return made;
};
