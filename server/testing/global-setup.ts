/**
 * One real Postgres for a test run, with a migrated template that every test file copies. Uses the server of
 * `DATABASE_URL` when there is one, else starts one in a temporary folder.
 */
import { createHash, randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { temporaryPostgres } from "@/bin/postgres/temporary";
import { applyMigrations } from "@/prisma/migrate";
import { withClient } from "@/server/db/connect";
import { ensureRoles, type RolePasswords } from "@/server/db/roles";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where test files copy their database from. */
    testServer: { readonly adminUrl: string; readonly template: string; readonly passwords: RolePasswords };
  }
}

const onAdmin = (adminUrl: string, sql: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    await client.query(sql);
  });

/** The same for everybody who tests on one server, because roles are shared by all databases of a server. */
const passwordsFor = (adminUrl: string): RolePasswords => {
  const derive = (role: string): string => createHash("sha256").update(`${role} ${adminUrl}`).digest("hex");

  return { web: derive("web"), runner: derive("runner"), customers: derive("customers") };
};

/** Called by vitest once per run. @returns what stops the server again */
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
    // Without this a broken migration would leave the server running after the tests.
    await server.stop();
    throw error;
  }
  project.provide("testServer", { adminUrl: server.adminUrl, template, passwords });

  return async () => {
    await onAdmin(server.adminUrl, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
};
