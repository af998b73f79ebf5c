import { createHash, randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { temporaryPostgres } from "@/bin/postgres/temporary";
import { applyMigrations } from "@/prisma/migrate";
import { withClient } from "@/server/db/connect";
import { ensureRoles, type RolePasswords } from "@/server/db/roles";

declare module "vitest" {
  export interface ProvidedContext {
    testServer: { readonly adminUrl: string; readonly template: string; readonly passwords: RolePasswords };
  }
}

const onAdmin = (adminUrl: string, sql: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    await client.query(sql);
  });

/** Equal per server, because its databases share roles. */
const passwordsFor = (adminUrl: string): RolePasswords => {
  const derive = (role: string): string => createHash("sha256").update(`${role} ${adminUrl}`).digest("hex");

  return { web: derive("web"), runner: derive("runner"), customers: derive("customers") };
};

/** Migrates a template on `DATABASE_URL`'s server, or a temporary one. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env["DATABASE_URL"];
  const server = given === undefined || given === "" ? await temporaryPostgres() : { adminUrl: given, stop: async () => undefined };
  const template = `countersign_template_${randomBytes(4).toString("hex")}`;
  const passwords = passwordsFor(server.adminUrl);
  const templateUrl = new URL(server.adminUrl);

  templateUrl.pathname = `/${template}`;
  try {
    await ensureRoles(server.adminUrl, passwords);
    await onAdmin(server.adminUrl, `create database ${template}`);
    await applyMigrations(templateUrl.toString());
  } catch (error) {
    // A broken migration would otherwise leave the server running.
    await server.stop();
    throw error;
  }
  project.provide("testServer", { adminUrl: server.adminUrl, template, passwords });

  return async () => {
    await onAdmin(server.adminUrl, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
};
