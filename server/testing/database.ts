import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { withClient } from "@/server/db/connect";
import { urlOf } from "@/server/db/roles";
import { closeConnections } from "@/server/testing/connections";

export type TestDatabase = { readonly admin: string; readonly web: string; readonly runner: string; readonly customers: string };

/** Copies the template for one test file, and connects as `role`. */
export const testDatabase = async (role: keyof TestDatabase = "runner"): Promise<TestDatabase> => {
  const { adminUrl, template, passwords } = inject("testServer");
  const name = `countersign_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(adminUrl);

  url.pathname = `/${name}`;
  const admin = url.toString();
  const urls = {
    admin,
    web: urlOf(admin, "web", passwords),
    runner: urlOf(admin, "runner", passwords),
    customers: urlOf(admin, "customers", passwords),
  };

  await onServer(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  await useDatabase(urls[role]);
  afterAll(async () => {
    await Promise.all([closeDatabase(), closeConnections()]);
    await onServer(adminUrl, `drop database if exists ${name} with (force)`);
  });

  return urls;
};

const onServer = (adminUrl: string, sql: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    // Copies of one template exclude each other.
    await client.query("select pg_advisory_lock(hashtext('countersign.testing'))");
    await client.query(sql);
  });
